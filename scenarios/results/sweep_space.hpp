// A space of scenarios: one scenario, the axes along which it is varied, and which of their combinations are points.
//
//   {
//     "title": "Workers and store bandwidth",
//     "scenario": "unet3d-h100",                                         // a name, a path, a list, or the scenario
//     itself "axes": [
//       {"parameter": "/jobs/0/loader/workers", "values": [4, 8, 16]},   // crossed with everything else
//       {"zip": [AXIS, AXIS]},                                           // values side by side: first with first, ...
//       {"latin_hypercube": {"points": 50, "seed": 1, "axes": [AXIS]}}   // drawn, each axis in 50 equal parts
//     ],
//     "conditions": [{"axis": "workers", "at_most": 8}]
//   }
//
// Points are numbered through all combinations, the last axis fastest, those that conditions leave out included, so
// that a condition more does not renumber the others. Every point is simulated with the same seed: common random
// numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "scenarios/document/scenario_file.hpp"
#include "scenarios/results/axis.hpp"
#include "scenarios/results/condition.hpp"

namespace headrace::scenarios {

class PointShortcut;

/// The most combinations that a space may have.
inline constexpr std::uint64_t kMostPoints = 1'000'000;

/// Axes that share one position.
struct AxisGroup {
  enum class Kind : std::uint8_t { crossed, zipped, latin_hypercube };
  Kind kind = Kind::crossed;
  std::size_t first_axis = 0;  ///< in SweepSpace::axes
  std::size_t axis_count = 1;
  std::uint64_t size = 1;  ///< positions
  std::uint64_t seed = 1;  ///< of a Latin hypercube
};

/// A point with its scenario.
struct ResolvedPoint {
  models::Scenario scenario;
  std::string sha256;
};

class SweepSpace {
 public:
  std::string name;   ///< of the file, without folder and ending
  std::string title;  ///< may be empty
  LoadedScenario base;
  std::vector<Axis> axes;
  std::vector<AxisGroup> groups;
  std::vector<Condition> conditions;
  nlohmann::ordered_json definition;  ///< axes with their values, groups, conditions; fingerprint of the base scenario
  std::string sha256;                 ///< of the definition

  /// Combinations, those that conditions leave out included.
  std::uint64_t combinations() const;

  /// Whether the conditions keep a combination.
  bool keeps(std::uint64_t point) const;

  /// How many they keep.
  std::uint64_t count() const;

  /// The values of a point, one for each axis.
  std::vector<Node> values(std::uint64_t point) const;

  /// The point as {"axis": value, ...}.
  nlohmann::ordered_json coordinates(std::uint64_t point) const;

  /// The scenario of a point, or what is wrong with it. Safe to call from several threads.
  tl::expected<ResolvedPoint, Diagnostics> resolve(std::uint64_t point) const;

 private:
  friend class SpaceReader;
  std::uint64_t position_in(const AxisGroup& group, std::uint64_t point) const;
  Node value(std::size_t axis, const AxisGroup& group, std::uint64_t position) const;
  void make_shortcut();
  /// The scenario with the values that some axes have at a point.
  tl::expected<models::Scenario, Diagnostics> read(const std::vector<std::size_t>& some, std::uint64_t point) const;

  Catalogue catalogue_;
  std::shared_ptr<const PointShortcut> shortcut_;
  std::vector<std::vector<Comparable>> comparables_;  ///< of listed values, for conditions
};

/// Reads a space: a file, or the name of a shipped one. `overrides` apply to its scenario. Complaints: those of axes,
/// conditions and of the scenario; E0504 no or too many points; and every value of an axis that its parameter never
/// takes.
tl::expected<SweepSpace, Diagnostics> load_space(const std::string& path, std::span<const std::string> overrides = {},
                                                 const LoadOptions& options = {});

/// JSON Schema of space files.
nlohmann::ordered_json space_schema();

}  // namespace headrace::scenarios
