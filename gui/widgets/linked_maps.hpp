// A sweep of three parameters as three maps through one point: each holds one parameter at the value of that point,
// which is marked in all of them. What the mouse or the arrow keys point at in one map is that point.
#pragma once

#include <QWidget>
#include <array>
#include <functional>
#include <string>

#include "gui/presenter/sweep_cube.hpp"
#include "gui/widgets/heat_view.hpp"

namespace headrace::gui {

class LinkedMaps : public QWidget {
  Q_OBJECT

 public:
  /// The figure that is drawn, in the scale of its title.
  struct Figure {
    std::string title;
    bool more_is_better = false;
    std::function<double(int point)> value;  ///< not-a-number where there is none
  };

  explicit LinkedMaps(QWidget* parent = nullptr);
  void show(const SweepCube& cube, const Figure& figure);
  /// Marks a point of the sweep in every map.
  void mark(int point);
  const std::array<HeatView*, 3>& maps() const { return maps_; }
  void set_theme(const Theme& theme);

 Q_SIGNALS:
  void point_chosen(int point);

 private:
  void point_at(std::size_t slice, int column, int row);
  void draw();
  void draw_slice(std::size_t slice, const std::pair<double, double>& range);

  std::optional<SweepCube> cube_;
  Figure figure_;
  SweepCube::Place marked_{};
  std::array<HeatView*, 3> maps_{};
};

}  // namespace headrace::gui
