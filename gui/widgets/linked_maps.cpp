#include "gui/widgets/linked_maps.hpp"

#include <QHBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/widgets/qt_text.hpp"

namespace headrace::gui {

LinkedMaps::LinkedMaps(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Maps of the sweep");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    maps_[i] = new HeatView(this);
    maps_[i]->setMinimumSize(120, 150);
    maps_[i]->setAccessibleName(QString("Map %1 of the sweep").arg(i + 1));
    row->addWidget(maps_[i], 1);
    connect(maps_[i], &HeatView::cell_pointed, this, [this, i](int column, int line) { point_at(i, column, line); });
    connect(maps_[i], &HeatView::cell_clicked, this, [this, i](int column, int line) {
      point_at(i, column, line);
      if (const int point = cube_->point(marked_); point >= 0) Q_EMIT point_chosen(point);
    });
  }
}

void LinkedMaps::show(const SweepCube& cube, const Figure& figure) {
  cube_ = cube;
  figure_ = figure;
  for (std::size_t axis = 0; axis < marked_.size(); ++axis)
    marked_[axis] = std::min(marked_[axis], cube.labels(axis).size() - 1);
  draw();
}

void LinkedMaps::mark(int point) {
  if (!cube_ || point < 0) return;
  marked_ = cube_->place(point);
  draw();
}

void LinkedMaps::set_theme(const Theme& theme) {
  for (HeatView* map : maps_) map->set_theme(theme);
}

void LinkedMaps::point_at(std::size_t slice, int column, int row) {
  if (!cube_) return;
  SweepCube::Place place = marked_;
  place[kCubeSlices[slice].across] = static_cast<std::size_t>(column);
  place[kCubeSlices[slice].up] = static_cast<std::size_t>(row);
  if (place == marked_) return;
  marked_ = place;
  draw();
}

/// One range of colours for all maps, whatever they hold.
void LinkedMaps::draw() {
  std::pair<double, double> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  SweepCube::Place place{};
  for (place[2] = 0; place[2] < cube_->labels(2).size(); ++place[2])
    for (place[1] = 0; place[1] < cube_->labels(1).size(); ++place[1])
      for (place[0] = 0; place[0] < cube_->labels(0).size(); ++place[0]) {
        const int point = cube_->point(place);
        const double value = point < 0 ? std::nan("") : figure_.value(point);
        if (std::isfinite(value)) range = {std::min(range.first, value), std::max(range.second, value)};
      }
  for (std::size_t slice = 0; slice < maps_.size(); ++slice) draw_slice(slice, range);
}

void LinkedMaps::draw_slice(std::size_t slice, const std::pair<double, double>& range) {
  const auto& [across, up, held] = kCubeSlices[slice];
  HeatMap map;
  map.x_title = cube_->axes()[across];
  map.y_title = cube_->axes()[up];
  map.value_title = figure_.title;
  map.x = cube_->labels(across);
  map.y = cube_->labels(up);
  map.framed = "the same point in all three maps";
  map.now_x = marked_[across];
  map.now_y = marked_[up];
  map.more_is_better = figure_.more_is_better;
  map.range = range;
  SweepCube::Place place = marked_;
  for (place[up] = 0; place[up] < map.y.size(); ++place[up]) {
    std::vector<double>& row = map.values.emplace_back();
    for (place[across] = 0; place[across] < map.x.size(); ++place[across]) {
      const int point = cube_->point(place);
      row.push_back(point < 0 ? std::nan("") : figure_.value(point));
    }
  }
  maps_[slice]->show(q(cube_->axes()[held] + " " + cube_->labels(held)[marked_[held]]), map);
}

}  // namespace headrace::gui
