// The way of the data from the store to the GPUs: a box per station with its load, the binding one lit. A click on a
// box, or Enter on it, asks for its card.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/presenter/station_facts.hpp"
#include "gui/widgets/theme.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

class PathPicture : public QWidget {
  Q_OBJECT

 public:
  explicit PathPicture(QWidget* parent = nullptr);
  /// `workers`: how busy they are; nothing: the loader has none.
  void show(const models::Outcome& outcome, std::optional<double> workers = {});
  /// Names of the stations, from the store to the GPUs.
  QStringList stations() const;
  /// As a click on it.
  void choose(std::size_t station);
  /// Where a station is drawn.
  QRect place(std::size_t station) const;
  void set_theme(const Theme& theme);
  QSize minimumSizeHint() const override { return {320, 92}; }
  QSize sizeHint() const override { return {720, 104}; }

 Q_SIGNALS:
  void chosen(const headrace::gui::StationRef& station, const QRect& where);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  QRectF frame_of(std::size_t station) const;
  QFont narrow_font(double width) const;
  struct Box {
    QString name;
    QString load;
    double utilization = 0.0;
    bool binding = false;
    StationRef station;
  };
  std::vector<Box> boxes_;
  std::size_t at_ = 0;    ///< the keyboard
  bool by_keys_ = false;  ///< it came here by keys, and shows where it is
  Theme theme_ = Theme::of(false);
};

}  // namespace headrace::gui
