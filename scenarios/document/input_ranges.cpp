#include "scenarios/document/input_ranges.hpp"

#include <fmt/format.h>

#include <map>

#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::scenarios {
namespace {

using models::Evidence;
using models::Facts;
using models::InputRange;
using models::Knowledge;
using models::NumberSite;

class StatedRanges {
 public:
  StatedRanges(const models::Scenario& scenario, const Composition& composition)
      : ranges_(scenario.input_ranges), composition_(composition) {}

  Knowledge knowledge_of(const NumberSite& site) {
    pointers_.push_back(site.pointer);
    Knowledge knowledge;
    if (!site.facts.decided) add_origin(site, knowledge);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (!names_figure(ranges_[i], site)) continue;
      found_[i] = true;
      if (is_older(composition_, i, site.pointer) || (!ranges_[i].low.empty() && is_of_another_value(i, site)))
        continue;
      knowledge = {ranges_[i].evidence, {}, {}};  // and not within the range of a class that assumes the same figure
      if (!ranges_[i].low.empty()) read_range(i, site, knowledge);
    }
    return knowledge;
  }

  void complain_about_unknown() {
    const std::vector<std::string_view> known(pointers_.begin(), pointers_.end());
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (found_.count(i) != 0 || is_taken_out(ranges_[i].parameter)) continue;
      const std::string_view near = nearest(ranges_[i].parameter, known);
      complain("E0216", i, "parameter",
               fmt::format("'{}' is not a figure with an uncertain value", ranges_[i].parameter),
               near.empty() ? "give the JSON pointer of a number with a unit, as for --set"
                            : fmt::format("did you mean '{}'?", near));
    }
  }

  Diagnostics diagnostics;

 private:
  /// A layer or --set that takes a part out ("faults": null) takes what is known of its figures out with it.
  bool is_taken_out(std::string_view parameter) const {
    for (std::size_t end = parameter.find('/', 1); end != std::string_view::npos; end = parameter.find('/', end + 1)) {
      const Node* part = find_at(composition_.document, parameter.substr(0, end));
      if (part != nullptr && part->is(Node::Type::null)) return true;
    }
    return false;
  }

  /// A range of a file says nothing of another value that --set gives; how well the figure is known stays.
  bool is_of_another_value(std::size_t index, const NumberSite& site) const {
    const auto is_set = [&](const std::string& pointer) {
      return composition_.origin_of(pointer).kind == Origin::Kind::override_argument;
    };
    return is_set(site.pointer) && !is_set(fmt::format("/input_ranges/{}/parameter", index));
  }

  /// Catalogue figures are those of data sheets unless they say otherwise; what follows by arithmetic (line rates) is
  /// certain. A range that the catalogue gives holds.
  void add_origin(const NumberSite& site, Knowledge& knowledge) const {
    const Origin origin = composition_.origin_of(site.pointer);
    if (origin.kind == Origin::Kind::file || origin.kind == Origin::Kind::override_argument)
      add_recorded(site, origin, knowledge);
    if (origin.kind != Origin::Kind::catalogue) return;
    knowledge.evidence = origin.as_of.starts_with("assumed")      ? Evidence::assumed
                         : origin.as_of.starts_with("arithmetic") ? Evidence::published
                                                                  : Evidence::datasheet;
    if (!origin.knowledge) return;
    if (origin.knowledge->evidence == "assumed") knowledge.evidence = Evidence::assumed;
    add_ends(site, *origin.knowledge, knowledge);
  }

  /// A figure that was calibrated is drawn over its interval, and so is the catalogue's that stands in for one, or that
  /// is written again as the catalogue assumes it.
  static void add_recorded(const NumberSite& site, const Origin& origin, Knowledge& knowledge) {
    if (!origin.knowledge) return;
    const std::string& evidence = origin.knowledge->evidence;
    if (evidence == "assumed") knowledge.evidence = Evidence::assumed;
    if (evidence == "catalogue") knowledge.evidence = Evidence::datasheet;
    if (evidence == "measured") knowledge.evidence = Evidence::measured;
    if (knowledge.evidence) add_ends(site, *origin.knowledge, knowledge);
  }

  static void add_ends(const NumberSite& site, const FigureKnowledge& known, Knowledge& knowledge) {
    const auto low = parse_quantity(known.low, site.unit);
    const auto high = parse_quantity(known.high, site.unit);
    if (!low || !high || site.spread_only || !(*low < *high)) return;
    knowledge.low = *low;
    knowledge.high = *high;
  }

  void complain(std::string_view code, std::size_t index, std::string_view key, std::string message, std::string help) {
    Diagnostic d;
    d.code = std::string(code);
    d.message = std::move(message);
    d.pointer = fmt::format("/input_ranges/{}/{}", index, key);
    const Node* node = find_at(composition_.inlined, d.pointer);
    if (node != nullptr) d.where = excerpt_at(*composition_.sources, node->place);
    d.help = std::move(help);
    diagnostics.add(std::move(d));
  }

  std::optional<double> read_end(std::size_t index, std::string_view key, const std::string& text,
                                 const NumberSite& site) {
    const auto value = parse_quantity(text, site.unit, rate_of(site.facts));
    if (!value) {
      complain(value.error().code, index, key, value.error().message, value.error().help);
      return std::nullopt;
    }
    const Facts& facts = site.facts;
    // Told limits compare, untold ones are NaN and never do.
    if (*value < facts.min || *value <= facts.above || *value > facts.max || *value >= facts.below) {
      complain("E0207", index, key, fmt::format("{} is out of bounds for {}", text, site.pointer),
               fmt::format("headrace explain {} shows its limits", site.pointer));
      return std::nullopt;
    }
    return *value;
  }

  void read_range(std::size_t index, const NumberSite& site, Knowledge& knowledge) {
    const std::optional<double> low = read_end(index, "low", ranges_[index].low, site);
    const std::optional<double> high = read_end(index, "high", ranges_[index].high, site);
    if (!low || !high) return;
    if (*low > *high) {
      complain("E0207", index, "low",
               fmt::format("{} is above {}: give the lower end first", ranges_[index].low, ranges_[index].high), "");
      return;
    }
    knowledge.low = low;
    knowledge.high = high;
  }

  const std::vector<InputRange>& ranges_;
  const Composition& composition_;
  std::vector<std::string> pointers_;
  std::map<std::size_t, bool> found_;
};

}  // namespace

bool names_figure(const InputRange& range, const NumberSite& site) {
  return site.pointer == range.parameter ||
         (site.bare && range.parameter == std::string_view(site.pointer).substr(0, site.pointer.rfind('/')));
}

bool is_older(const Composition& composition, std::size_t range, const std::string& pointer) {
  const Origin figure = composition.origin_of(pointer);
  return figure.kind == Origin::Kind::file && figure.knowledge &&
         figure.layer > composition.origin_of(fmt::format("/input_ranges/{}/parameter", range)).layer;
}

tl::expected<std::vector<models::UncertainInput>, Diagnostics> uncertain_inputs(const models::Scenario& scenario,
                                                                                const Composition& composition) {
  StatedRanges ranges(scenario, composition);
  auto inputs =
      models::uncertain_inputs(scenario, [&ranges](const NumberSite& site) { return ranges.knowledge_of(site); });
  ranges.complain_about_unknown();
  if (!ranges.diagnostics.empty()) return tl::unexpected(std::move(ranges.diagnostics));
  return inputs;
}

}  // namespace headrace::scenarios
