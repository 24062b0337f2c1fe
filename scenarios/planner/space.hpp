// The configurations that a plan chooses from: the product of its axes over one scenario. Numbers, counts, flags and
// choices are set straight in the records; everything else (names of the catalogue, laws, objects) is resolved from the
// document once for each combination of such values.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/document/point_setter.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/planner/field.hpp"
#include "scenarios/results/axis.hpp"

namespace headrace::scenarios {

/// A decision: an axis, and parameters that go in step with it.
struct PlanAxis {
  Axis axis;
  std::vector<Axis> with;
  bool chosen_here = false;  ///< by the planner, since the scenario does not say what to decide

  std::size_t size() const { return axis.size(); }
  const std::string& name() const { return axis.name; }
  std::string text(std::size_t position) const { return value_text(axis.values[position]); }
};

/// The most points that a plan looks at.
inline constexpr std::size_t kMostConfigurations = 5'000'000;

class Space {
 public:
  /// Complaints: everything about single values that no other value could mend, E0506 for too many points.
  static tl::expected<Space, Diagnostics> make(const LoadedScenario& base, std::vector<PlanAxis> axes,
                                               const Catalogue& catalogue);

  std::size_t size() const { return size_; }
  const std::vector<PlanAxis>& axes() const { return axes_; }
  std::vector<std::size_t> positions(Point point) const;
  Point point(const std::vector<std::size_t>& positions) const;

  /// The scenario at a point; `conflict` receives a relation between parameters that it violates, or nothing.
  models::Scenario at(Point point, std::string& conflict) const;
  models::Scenario at(Point point) const;
  /// The scenario as it is, with some axes at a position; nothing where the values contradict each other.
  std::optional<models::Scenario> with(const std::vector<std::optional<std::size_t>>& positions) const;
  /// The point that the scenario itself is, where all its values are on the axes.
  std::optional<Point> today() const { return today_; }
  /// The position of the scenario's own value on an axis.
  std::optional<std::size_t> own_position(std::size_t axis) const { return own_[axis]; }
  /// What a point sets that the scenario has not: all values of each decision that differs, with those in step.
  std::vector<Setting> changes(Point point) const;
  /// The position of the next smaller or larger number on an axis; nothing at its end, or where it has no numbers.
  std::optional<std::size_t> neighbour(std::size_t axis, std::size_t position, bool more) const;
  /// The scenario's own value of an axis, for readers.
  std::string own_text(std::size_t axis) const;

  /// Coordinates in [0, 1]; values of more than a decade on a logarithmic scale, words by their place.
  std::vector<double> coordinates(Point point) const;

 private:
  Space() = default;
  tl::expected<void, Diagnostics> resolve(const Catalogue& catalogue);
  tl::expected<void, Diagnostics> resolve_variants(const Catalogue& catalogue);
  void find_own_values();
  void scale_coordinates();
  std::vector<Setting> settings(std::size_t axis, std::size_t position) const;

  /// A combination of values that are resolved from the document.
  struct Variant {
    std::optional<models::Scenario> scenario;
    std::string conflict;
  };

  const LoadedScenario* base_ = nullptr;
  const Catalogue* catalogue_ = nullptr;
  std::vector<PlanAxis> axes_;
  std::size_t size_ = 1;
  PointSetter setter_;
  std::vector<std::size_t> documented_;  ///< axes resolved from the document
  std::vector<Variant> variants_;        ///< by their positions, last axis fastest
  std::vector<std::optional<std::size_t>> own_;
  std::optional<Point> today_;
  std::vector<std::vector<double>> coordinates_;  ///< by axis and position
};

}  // namespace headrace::scenarios
