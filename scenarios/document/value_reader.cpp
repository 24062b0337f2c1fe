#include "scenarios/document/value_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scenarios/document/units.hpp"

namespace headrace::scenarios {

using models::Facts;
using models::Unit;

void ValueReader::complain(std::string_view code, const std::string& pointer, const Place& place, std::string message,
                           std::string help) {
  Diagnostic d;
  d.code = std::string(code);
  d.message = std::move(message);
  d.pointer = pointer;
  d.where = excerpt_at(sources_, place);
  d.help = std::move(help);
  diagnostics_.add(std::move(d));
  wrong_.push_back(pointer);
}

void ValueReader::complain_about_both(std::string_view code, const std::string& pointer, const Place& place,
                                      const Place& other, std::string message, std::string help) {
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

void ValueReader::wrong_type(const Node& node, const std::string& pointer, std::string_view expected) {
  complain("E0201", pointer, node.place, fmt::format("expected {}, found {}", expected, type_name(node.type)), "");
}

bool ValueReader::within_limits(double value, const Node& node, const std::string& pointer, Unit unit,
                                const Facts& facts) {
  std::string relation;
  if (models::is_stated(facts.min) && value < facts.min) relation = "at least " + print_quantity(facts.min, unit);
  if (models::is_stated(facts.above) && value <= facts.above)
    relation = "more than " + print_quantity(facts.above, unit);
  if (models::is_stated(facts.max) && value > facts.max) relation = "at most " + print_quantity(facts.max, unit);
  if (models::is_stated(facts.below) && value >= facts.below)
    relation = "less than " + print_quantity(facts.below, unit);
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
           plain ? fmt::format("drop the quotes: write {}", node.text) : "");
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
  if (!within_limits(value, node, pointer, unit, facts)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> ValueReader::read_count(const Node& node, const std::string& pointer, const Facts& facts) {
  if (!node.is(Node::Type::number) || std::floor(node.number) != node.number) {
    not_plain(node, pointer, "a whole number");
    return std::nullopt;
  }
  if (!within_limits(node.number, node, pointer, Unit::one, facts)) return std::nullopt;
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
