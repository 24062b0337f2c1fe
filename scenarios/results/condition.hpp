// Which points of a space are kept: comparisons of axes with values or with each other.
//
//   {"axis": "prefetch", "at_most": 4}
//   {"axis": "prefetch", "at_most": {"axis": "workers", "times": 2}}
//   {"if": {"axis": "kind", "is": "object_store"}, "then": {"axis": "lanes", "at_least": 8}}
//   {"any": [...]}, {"all": [...]}, {"not": ...}
//
// Comparisons: is, is_not, in (a list), less_than, at_most, more_than, at_least. Quantities compare by what they are
// worth, whatever unit they are written in; the four that order need numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/results/axis.hpp"

namespace headrace::scenarios {

/// The value of one axis at a point, read for comparisons.
struct Comparable {
  std::string text;  ///< JSON
  std::optional<ComparableNumber> number;
};
Comparable comparable(const Node& value);

struct Condition {
  enum class Kind : std::uint8_t { comparison, all, any, negation, implication };
  enum class Operator : std::uint8_t { is, is_not, in, less_than, at_most, more_than, at_least };

  Kind kind = Kind::comparison;
  std::vector<Condition> parts;  ///< of all, any, negation, implication: if, then and perhaps else

  Operator op = Operator::is;
  std::size_t axis = 0;
  std::vector<Comparable> values;         ///< one, or the list of `in`
  std::optional<std::size_t> other_axis;  ///< instead of values
  double times = 1.0;                     ///< factor of the other axis

  /// Whether a point with these values, one for each axis, meets the condition.
  bool holds(std::span<const Comparable> point) const;
};

/// Reads one condition about the axes. Adds E0503 (unknown axis, or nothing that compares), E0203 and returns nullopt
/// when something is wrong.
std::optional<Condition> read_condition(const Node& node, std::string_view pointer, std::span<const Axis> axes,
                                        const Sources& sources, Diagnostics& diagnostics);

}  // namespace headrace::scenarios
