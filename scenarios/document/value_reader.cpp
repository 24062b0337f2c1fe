#include "scenarios/document/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {

using models::Facts;
using models::Unit;

void ValueReader::complain(std::string_view code, const std::string& pointer, const Place& place, std::string message,
                           std::string help, std::string_view constraint) {
  if (diagnostics_.is_full()) return diagnostics_.count_one();
  Diagnostic d;
  d.code = std::string(code);
  d.message = std::move(message);
  d.pointer = pointer;
  d.where = excerpt_at(sources_, place);
  d.help = std::move(help);
  d.constraint = constraint;
  diagnostics_.add(std::move(d));
  wrong_.push_back(pointer);
}

void ValueReader::complain_about_both(std::string_view code, const std::string& pointer, const Place& place,
                                      const Place& other, std::string message, std::string help) {
  if (diagnostics_.is_full()) return diagnostics_.count_one();
  Diagnostic d;
  d.code = std::string(code);
  d.message = std::move(message);
  d.pointer = pointer;
  d.where = excerpt_at(sources_, place);
  d.help = std::move(help);
  d.related = "the other one";
  d.related_where = excerpt_at(sources_, other);
  diagnostics_.add(std::move(d));
}

void ValueReader::wrong_type(const Node& node, const std::string& pointer, std::string_view expected,
                             std::string help) {
  complain("E0201", pointer, node.place, fmt::format("expected {}, found {}", expected, type_name(node.type)),
           std::move(help));
}

namespace {

/// Beyond what any system can have, where a description states no hard limit: figures of this size are slips of a unit,
/// and what is computed of them is infinite or takes for ever.
double largest_plausible(Unit unit, bool whole, const Facts& facts) {
  const double usual = models::is_stated(facts.high) ? facts.high : 0.0;
  if (whole) return usual > 0.0 ? std::max(1e5, 1e4 * usual) : std::numeric_limits<double>::infinity();
  switch (unit) {
    case Unit::seconds:
      return 4e9;  // 127 years: simulated time lasts 146
    case Unit::bytes:
    case Unit::bytes_per_second:
      return std::max(1e18, 1e3 * usual);
    case Unit::per_second:
      return std::max(1e15, 1e3 * usual);
    case Unit::seconds_per_byte:
      return std::max(1.0, 1e3 * usual);
    default:
      return std::numeric_limits<double>::infinity();
  }
}

}  // namespace

bool ValueReader::within_limits(double value, const Node& node, const std::string& pointer, Unit unit,
                                const Facts& facts, bool whole) {
  std::string relation;
  if (models::is_stated(facts.min) && value < facts.min) relation = "at least " + print_quantity(facts.min, unit);
  if (models::is_stated(facts.above) && value <= facts.above)
    relation = "more than " + print_quantity(facts.above, unit);
  if (models::is_stated(facts.max) && value > facts.max) relation = "at most " + print_quantity(facts.max, unit);
  if (models::is_stated(facts.below) && value >= facts.below)
    relation = "less than " + print_quantity(facts.below, unit);
  // What a description says of a count ends at the latest where its integer ends, which is no limit of a system.
  const bool stated = models::is_stated(facts.max) && !(whole && facts.max >= 0x1p31);
  if (const double largest = largest_plausible(unit, whole, facts); !stated && value > largest)
    relation = "at most " + print_quantity(largest, unit);
  if (relation.empty()) return true;
  std::string help;
  if (models::is_stated(facts.low) && models::is_stated(facts.high)) {
    help = fmt::format("plausible values are between {} and {}", print_quantity(facts.low, unit),
                       print_quantity(facts.high, unit));
  }
  complain("E0207", pointer, node.place, fmt::format("{} is out of bounds: it must be {}", node.text, relation), help);
  return false;
}

void ValueReader::not_plain(const Node& node, const std::string& pointer, std::string_view expected) {
  const bool plain = node.is(Node::Type::string) &&
                     (parse_quantity(node.text, Unit::one).has_value() || node.text == "true" || node.text == "false");
  const bool spelled = node.is(Node::Type::string) || node.is(Node::Type::number);
  complain("E0201", pointer, node.place,
           fmt::format("expected {}, found {}", expected,
                       spelled ? "'" + node.text + "'" : std::string(type_name(node.type))),
           plain                          ? fmt::format("drop the quotes: write {}", node.text)
           : expected == "a whole number" ? "write a whole number without unit, such as 8"
           : expected == "a number"       ? "write a number without unit, such as 0.5"
                                          : "");
}

std::optional<double> ValueReader::read_quantity(const Node& node, const std::string& pointer, Unit unit,
                                                 const Facts& facts) {
  double value = 0.0;
  if (node.is(Node::Type::string)) {
    const auto parsed = parse_quantity(node.text, unit, rate_of(facts));
    if (!parsed) {
      complain(parsed.error().code, pointer, node.place, parsed.error().message, parsed.error().help);
      return std::nullopt;
    }
    value = *parsed;
  } else if (node.is(Node::Type::number)) {
    if (needs_unit(unit) && node.number != 0.0) {
      const UnitError error = missing_unit(node.text, unit);
      complain(error.code, pointer, node.place, error.message, error.help);
      return std::nullopt;
    }
    value = node.number;
  } else {
    wrong_type(
        node, pointer,
        unit == Unit::one ? "a number" : fmt::format("{} like \"{}\"", unit_dimension(unit), unit_example(unit)));
    return std::nullopt;
  }
  if (!within_limits(value, node, pointer, unit, facts, false)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> ValueReader::read_count(const Node& node, const std::string& pointer, const Facts& facts) {
  if (!node.is(Node::Type::number) || std::floor(node.number) != node.number) {
    not_plain(node, pointer, "a whole number");
    return std::nullopt;
  }
  if (!within_limits(node.number, node, pointer, Unit::one, facts, true)) return std::nullopt;
  return static_cast<std::int64_t>(node.number);
}

std::optional<std::string> ValueReader::read_string(const Node& node, const std::string& pointer,
                                                    std::string_view expected) {
  if (!node.is(Node::Type::string)) {
    wrong_type(node, pointer, expected);
    return std::nullopt;
  }
  return node.text;
}

}  // namespace headrace::scenarios
