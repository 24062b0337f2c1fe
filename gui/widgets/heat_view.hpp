// A map of one value over two axes, every cell with its value written in it. Worse is darker in both themes.
#pragma once

#include <QWidget>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/widgets/theme.hpp"

namespace headrace::gui {

struct HeatMap {
  std::string x_title;
  std::string y_title;
  std::string value_title;  ///< with unit
  std::vector<std::string> x;
  std::vector<std::string> y;
  std::vector<std::vector<double>> values;  ///< by y, then x; not-a-number: nothing known
  std::optional<std::size_t> now_x;         ///< where the scenario stands
  std::optional<std::size_t> now_y;
  std::string framed = "the scenario now";  ///< what stands in the frame, where there is one
  bool more_is_better = false;
  std::optional<std::pair<double, double>> range;  ///< of the colours; nothing: of the values
};

class HeatView : public QWidget {
  Q_OBJECT

 public:
  explicit HeatView(QWidget* parent = nullptr);
  void show(const QString& title, const HeatMap& map);
  void set_theme(const Theme& theme);
  /// Colours of a cell by its share of the range, 0 to 1: ground and the words on it, which stand out at 4.5 to 1.
  static std::pair<QColor, QColor> colours(double share, const Theme& theme);
  /// How bad a cell is in the range of the map, 0 to 1; nothing where no value is known.
  std::optional<double> badness(std::size_t column, std::size_t row) const;
  /// Its value in three digits; of one that is nothing beside the largest, below what it lies.
  QString cell_text(std::size_t column, std::size_t row) const;
  const HeatMap& map() const { return map_; }

 Q_SIGNALS:
  void cell_clicked(int column, int row);
  void cell_pointed(int column, int row);  ///< by the mouse over it or by arrow keys

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF area() const;
  QRectF cell(std::size_t column, std::size_t row) const;
  void paint_axes(QPainter& painter) const;
  QString value_words() const;
  int value_lines() const;
  int title_lines(double left) const;
  std::size_t label_stride() const;
  std::pair<double, double> range() const;
  std::optional<std::pair<int, int>> cell_at(const QPointF& place) const;

  QString title_;
  HeatMap map_;
  Theme theme_ = Theme::of(false);
  int column_ = 0;  ///< that the keyboard is on
  int row_ = 0;
};

}  // namespace headrace::gui
