// An axis of a space: one parameter, or several that are set together, and the values that it takes in turn. Sweeps and
// the planner read what they vary from it.
//
// In a file an axis is an object:
//   {"parameter": "/jobs/0/loader/workers", "values": [4, 8, 16]}
//   {"parameters": ["/stores/0/bandwidth", "/stores/1/bandwidth"], "name": "bandwidth",
//    "from": "10 GB/s", "to": "40 GB/s", "step": "10 GB/s"}
//   {"parameter": "/stores/0/bandwidth", "from": "10 GB/s", "to": "1 TB/s", "count": 5, "scale": "log"}
// A parameter is the JSON pointer that --set takes; a value is whatever may stand there in a scenario: a quantity with
// its unit, a number, a word, a catalogue name, an object. "name" is how points and conditions speak of the axis;
// without one it is the last word of the first pointer.
//
// How to use it: read_axis() checks the shape of one object and spells out its values; values[i] is then the value at
// position i, in file order. apply_value() sets one in a document as composed (Composition::document), and vary() of
// composition.hpp resolves what comes out: it finds unknown parameters and values out of bounds, and its complaints
// point into the file of the axis, since every value remembers its place there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/describe/unit.hpp"
#include "scenarios/document/composition.hpp"
#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// The most values that one axis may have.
inline constexpr std::size_t kMostAxisValues = 100'000;

/// A span of numbers in a base unit.
struct AxisRange {
  double low = 0.0;
  double high = 0.0;
  models::Unit unit = models::Unit::one;
  bool spelled = false;  ///< values are strings with units, as the file wrote the ends
  bool log_scale = false;
  bool whole = false;  ///< the parameter is a count
  Place place;

  /// The value at a share 0 to 1 of the way, on the scale of the axis: what a Latin hypercube draws. Rounded to six
  /// significant digits, counts to whole numbers, each with an equal part of a linear range.
  Node at(double share) const;
};

struct AxisParameter {
  std::string pointer;  ///< JSON pointer, RFC 6901
  Place place;          ///< where the file names it
};

struct Axis {
  std::string name;
  std::vector<AxisParameter> parameters;  ///< at least one; all are set to the same value
  std::vector<Node> values;               ///< at least one, unless the axis is only a range
  std::optional<AxisRange> range;         ///< when the file gives its ends
  Place place;

  std::size_t size() const { return values.size(); }
};

/// What an axis must say about its values.
enum class AxisForm : std::uint8_t {
  listed,  ///< values, or a range with a step or a count
  drawn,   ///< values, or a range alone: something else picks from it
  linked,  ///< as listed, but values may repeat: they go in step with those of another axis
};

/// Reads one axis. `pointer` is where it stands in its document, for complaints. Adds E0501 (shape), E0502 (range),
/// E0201 to E0206 and returns nullopt when something is wrong.
std::optional<Axis> read_axis(const Node& node, std::string_view pointer, const Sources& sources,
                              Diagnostics& diagnostics, AxisForm form = AxisForm::listed);

/// Settings for vary(): the value at all parameters of the axis.
void apply_value(const Axis& axis, const Node& value, std::vector<Setting>& settings);

/// A value for readers: "25 GB/s", 16, or the compact JSON of an object.
std::string value_text(const Node& value);

/// A value as a number for comparisons: of a number itself, of a quantity in its base unit; nullopt for words, objects.
struct ComparableNumber {
  double value = 0.0;
  models::Unit unit = models::Unit::one;
};
std::optional<ComparableNumber> comparable_number(const Node& value);

}  // namespace headrace::scenarios
