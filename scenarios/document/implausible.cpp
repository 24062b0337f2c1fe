#include "scenarios/document/implausible.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "models/describe/number_walk.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::Facts;
using models::NumberSite;
using models::Unit;

bool is_plausible(double value, const Facts& facts) {
  if (value == 0.0) return true;  // there is no such stage or limit
  return !models::is_stated(facts.low) || !models::is_stated(facts.high) || (value >= facts.low && value <= facts.high);
}

/// By how much people are wrong, most usual first: bits for bytes, minutes for seconds, one or two prefixes.
std::array<double, 3> slips_of(Unit unit) {
  if (unit == Unit::bytes_per_second) return {8.0, 1e3, 1e6};
  if (unit == Unit::seconds) return {1e3, 60.0, 1e6};
  return {1e3, 1e6, 1e9};
}

/// The number in front of what the user wrote: 5 of "5 s".
std::optional<double> leading_number(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("\" $");
  if (begin == std::string_view::npos) return std::nullopt;
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The written number with the unit that makes it `meant`.
std::string respelled(double number, double meant, Unit unit) {
  for (const std::string& spelling : unit_spellings(unit)) {
    const bool money = spelling.starts_with('$');
    const std::string text = money ? fmt::format("${}{}", print_number(number), spelling.substr(1))
                                   : fmt::format("{} {}", print_number(number), spelling);
    const auto value = parse_quantity(text, unit);
    if (value && std::abs(*value - meant) <= 1e-9 * meant) return text;
  }
  return {};
}

/// "write "5 ms" if you meant that: 1000 times less".
std::string slip_of(double value, std::string_view written, const NumberSite& site) {
  const bool above = value > site.facts.high;
  const std::optional<double> number = leading_number(written);
  for (const double factor : slips_of(site.unit)) {
    const double meant = above ? value / factor : value * factor;
    if (!number || meant < site.facts.low || meant > site.facts.high) continue;
    if (const std::string text = respelled(*number, meant, site.unit); !text.empty())
      return fmt::format("write \"{}\" if that is meant: {:g} times {}", text, factor, above ? "less" : "more");
  }
  return {};
}

class Inspector final : public models::NumberWalk {
 public:
  explicit Inspector(const Composition& composition) : composition_(composition) {}
  std::vector<ImplausibleValue> found;

 private:
  std::optional<double> pass(const NumberSite& site, double value) override {
    inspect(site, value);
    return std::nullopt;
  }
  void pass_count(const NumberSite& site, double value) override { inspect(site, value); }

  void inspect(const NumberSite& site, double value) {
    if (is_plausible(value, site.facts)) return;
    const Origin origin = composition_.origin_of(site.pointer);
    const bool own = origin.kind == Origin::Kind::override_argument ||
                     (origin.kind == Origin::Kind::file && !origin.name.starts_with("shipped:"));
    if (!own) return;
    const std::string slip = needs_unit(site.unit) ? slip_of(value, origin.text, site) : std::string();
    found.push_back({site.pointer, origin.print(),
                     fmt::format("{} is {}, outside its plausible range of {} to {}", site.pointer,
                                 print_quantity(value, site.unit), print_quantity(site.facts.low, site.unit),
                                 print_quantity(site.facts.high, site.unit)),
                     slip.empty() ? fmt::format("headrace explain {} gives its meaning", site.pointer) : slip});
  }

  const Composition& composition_;
};

}  // namespace

std::vector<ImplausibleValue> implausible_values(const models::Scenario& scenario, const Composition& composition) {
  models::Scenario copy = scenario;
  Inspector inspector(composition);
  describe(copy, inspector);
  return std::move(inspector.found);
}

}  // namespace headrace::scenarios
