#include "gui/presenter/sweep_cube.hpp"

#include <algorithm>

namespace headrace::gui {

std::optional<SweepCube> SweepCube::of(const SweepAnswer& answer) {
  if (answer.axes.size() != 3 || answer.points.empty()) return std::nullopt;
  SweepCube cube;
  for (std::size_t axis = 0; axis < 3; ++axis) cube.axes_[axis] = answer.axes[axis];
  for (const SweptPoint& point : answer.points) {
    Place& place = cube.places_.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<std::string>& labels = cube.labels_[axis];
      const auto found = std::find(labels.begin(), labels.end(), point.labels[axis]);
      place[axis] = static_cast<std::size_t>(found - labels.begin());
      if (found == labels.end()) labels.push_back(point.labels[axis]);
    }
  }
  cube.points_.assign(cube.labels_[0].size() * cube.labels_[1].size() * cube.labels_[2].size(), -1);
  for (std::size_t i = 0; i < cube.places_.size(); ++i) cube.points_[cube.index(cube.places_[i])] = static_cast<int>(i);
  return cube;
}

std::size_t SweepCube::index(const Place& place) const {
  return (place[2] * labels_[1].size() + place[1]) * labels_[0].size() + place[0];
}

int SweepCube::point(const Place& place) const { return points_.at(index(place)); }

}  // namespace headrace::gui
