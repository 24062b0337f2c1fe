#include "scenarios/document/implausible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "models/base/limits.hpp"
#include "models/describe/number_walk.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/document/input_ranges.hpp"
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

/// Whether a link's rate is written in bytes with the number that names a kind of link in bits: 25 GB/s for 25GbE.
bool looks_like_bits(std::string_view written) {
  constexpr std::array kLinks = {1.0, 10.0, 25.0, 40.0, 100.0, 200.0, 400.0};
  const std::optional<double> number = leading_number(written);
  const bool of_bytes =
      written.find("GB/s") != std::string_view::npos || written.find("GBps") != std::string_view::npos;
  return of_bytes && number && std::find(kLinks.begin(), kLinks.end(), *number) != kLinks.end();
}

/// A quantity with all its digits where its number is short with an exponent: "100000 h", not "1e+05 h".
std::string written_out(double value, Unit unit) {
  constexpr double kLongest = 1e12;
  const std::string text = print_quantity(value, unit);
  const std::size_t exponent = text.find("e+");
  const std::optional<double> number = leading_number(text);
  if (exponent == std::string::npos || !number || std::abs(*number) > kLongest) return text;
  const std::size_t end = text.find_first_not_of("0123456789", exponent + 2);
  return fmt::format("{}{:.0f}{}", text.starts_with('$') ? "$" : "", *number,
                     end == std::string::npos ? std::string() : text.substr(end));
}

/// Whether the user wrote it, and not the program's catalogue or one of its scenarios.
bool is_own(const Origin& origin) {
  return origin.kind == Origin::Kind::override_argument || (origin.kind == Origin::Kind::file && !origin.is_shipped());
}

/// Without end where no step can be made of the dataset, which is an error elsewhere.
double steps_of_an_epoch(const models::Scenario& scenario, std::size_t job) {
  try {
    return models::corpus_of(scenario, scenario.jobs[job]).samples /
           models::resolve_path(scenario, job, {}).samples_per_step;
  } catch (const models::UnusableRequest&) {
    return std::numeric_limits<double>::infinity();
  }
}

/// Epochs that are over before a steady speed is reached: mostly a dataset that was made small for a trial.
void add_short_epochs(const models::Scenario& scenario, const Composition& composition,
                      std::vector<ImplausibleValue>& found) {
  constexpr double kFewSteps = 10.0;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    const models::Job& job = scenario.jobs[i];
    const std::string& name = models::dataset_of(scenario, job).name;
    const auto data = std::find_if(scenario.datasets.begin(), scenario.datasets.end(),
                                   [&](const models::Dataset& one) { return one.name == name; });
    const std::string pointer = fmt::format("/datasets/{}/files", data - scenario.datasets.begin());
    const Origin origin = composition.origin_of(pointer);
    if (!is_own(origin)) continue;
    const double steps = steps_of_an_epoch(scenario, i);
    if (steps >= kFewSteps) continue;
    found.push_back(
        {pointer, origin.print(),
         fmt::format("an epoch of job '{}' has {:.2g} {}, of {} samples in all", job.name, steps,
                     steps == 1.0 ? "step" : "steps", print_number(models::corpus_of(scenario, job).samples)),
         "step time and idle time are those of many steps: state the files of the whole dataset"});
  }
}

class Inspector final : public models::NumberWalk {
 public:
  Inspector(const models::Scenario& scenario, const Composition& composition)
      : ranges_(scenario.input_ranges), composition_(composition) {}
  std::vector<ImplausibleValue> found;

 private:
  std::optional<double> pass(const NumberSite& site, double value) override {
    inspect(site, value);
    return std::nullopt;
  }
  std::optional<double> pass_count(const NumberSite& site, double value) override {
    inspect(site, value);
    return std::nullopt;
  }

  void inspect(const NumberSite& site, double value) {
    inspect_at(site.pointer, site, value);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (!names_figure(ranges_[i], site)) continue;
      inspect_range(i, site, value);
      for (const auto& [key, text] : {std::pair{"low", ranges_[i].low}, {"high", ranges_[i].high}})
        if (const auto end = parse_quantity(text, site.unit, rate_of(site.facts)); end && !text.empty())
          inspect_at(fmt::format("/input_ranges/{}/{}", i, key), site, *end);
    }
  }

  /// The range of a file may be one that the figure has left since.
  void inspect_range(std::size_t index, const NumberSite& site, double value) {
    const auto low = parse_quantity(ranges_[index].low, site.unit, rate_of(site.facts));
    const auto high = parse_quantity(ranges_[index].high, site.unit, rate_of(site.facts));
    const Origin origin = composition_.origin_of(site.pointer);
    if (!low || !high || (*low <= value && value <= *high) || origin.kind != Origin::Kind::file) return;
    const std::string at = fmt::format("/input_ranges/{}", index);
    found.push_back({site.pointer, origin.print(),
                     fmt::format("{} is {}, outside the range that {} states for it, {} to {}", site.pointer,
                                 written_out(value, site.unit), at, ranges_[index].low, ranges_[index].high),
                     fmt::format("--inputs ranges draws from the range: change it, or remove {}", at)});
  }

  /// A value of the figure, or an end of its range.
  void inspect_at(const std::string& pointer, const NumberSite& site, double value) {
    const bool plausible = is_plausible(value, site.facts);
    if (plausible && !site.facts.of_a_link) return;
    const Origin origin = composition_.origin_of(pointer);
    if (!is_own(origin)) return;
    if (plausible) return inspect_link(pointer, origin, value);
    const std::string slip = needs_unit(site.unit) ? slip_of(value, origin.text, site) : std::string();
    found.push_back(
        {pointer, origin.print(),
         fmt::format("{} is {}, outside its plausible range of {} to {}", pointer, written_out(value, site.unit),
                     written_out(site.facts.low, site.unit), written_out(site.facts.high, site.unit)),
         slip.empty() ? fmt::format("headrace explain {} gives its meaning", site.pointer) : slip});
  }

  void inspect_link(const std::string& pointer, const Origin& origin, double value) {
    if (!looks_like_bits(origin.text)) return;
    const std::string number = print_number(*leading_number(origin.text));
    found.push_back({pointer, origin.print(),
                     fmt::format("{} is {} GB/s, which is {} Gb/s", pointer, number, print_number(value * 8.0 / 1e9)),
                     fmt::format("write \"{} Gb/s\" if that is meant: 8 times less", number)});
  }

  const std::vector<models::InputRange>& ranges_;
  const Composition& composition_;
};

}  // namespace

std::vector<ImplausibleValue> implausible_values(const models::Scenario& scenario, const Composition& composition) {
  models::Scenario copy = scenario;
  Inspector inspector(scenario, composition);
  describe(copy, inspector);
  add_short_epochs(scenario, composition, inspector.found);
  return std::move(inspector.found);
}

}  // namespace headrace::scenarios
