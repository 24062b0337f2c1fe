// A strip of time: pieces as wide as their share and as dark as they are bad, and the part of it that is looked at,
// which a hand moves.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "gui/widgets/theme.hpp"

namespace headrace::gui {

struct StripPiece {
  double width = 1.0;  ///< share of the strip
  double level = 0.0;  ///< 0 best to 1 worst
  std::string text;    ///< what the mouse shows
  std::string label;   ///< written into it where it has room
};

class StripView : public QWidget {
  Q_OBJECT

 public:
  explicit StripView(const QString& name, QWidget* parent = nullptr);

  void show_pieces(const std::vector<StripPiece>& pieces);
  /// Pieces that are looked at: from `first`, so many.
  void look_at(std::size_t first, std::size_t count);
  std::size_t first() const { return first_; }
  std::size_t count() const { return count_; }
  void set_theme(const Theme& theme);
  /// Where a piece is drawn, for tests.
  QRectF place(std::size_t piece) const;
  QSize sizeHint() const override { return {400, 34}; }
  QSize minimumSizeHint() const override { return {120, 34}; }

 Q_SIGNALS:
  void looked_at(int first);  ///< by the user

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  std::size_t piece_at(double x) const;
  void move_to(double x);
  void want(std::ptrdiff_t first);

  std::vector<StripPiece> pieces_;
  std::vector<double> begins_;  ///< shares at which pieces begin, and 1 at the end
  std::size_t first_ = 0;
  std::size_t count_ = 1;
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
