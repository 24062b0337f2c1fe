// A sweep of three parameters as a cube of points, and its three slices through one of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/sweep_run.hpp"

namespace headrace::gui {

class SweepCube {
 public:
  using Place = std::array<std::size_t, 3>;

  /// Nothing unless three parameters were swept.
  static std::optional<SweepCube> of(const SweepAnswer& answer);

  const std::array<std::string, 3>& axes() const { return axes_; }
  const std::vector<std::string>& labels(std::size_t axis) const { return labels_[axis]; }
  /// The point of the sweep at a place; -1: none.
  int point(const Place& place) const;
  /// The place of a point.
  Place place(int point) const { return places_.at(static_cast<std::size_t>(point)); }

 private:
  std::size_t index(const Place& place) const;

  std::array<std::string, 3> axes_;
  std::array<std::vector<std::string>, 3> labels_;
  std::vector<int> points_;
  std::vector<Place> places_;
};

/// Axes of the three slices: across and up; the third one is held.
struct CubeSlice {
  std::size_t across;
  std::size_t up;
  std::size_t held;
};
inline constexpr std::array<CubeSlice, 3> kCubeSlices = {CubeSlice{0, 1, 2}, CubeSlice{0, 2, 1}, CubeSlice{1, 2, 0}};

}  // namespace headrace::gui
