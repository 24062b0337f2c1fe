#include "scenarios/document/thresholds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/hops/stage.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "scenarios/document/answer_words.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/set_value.hpp"

namespace headrace::scenarios {
namespace {

using models::Relation;
using models::Unit;

constexpr std::string_view kJobs = "jobs/";
constexpr std::string_view kQuantiles[] = {".p50", ".p90", ".p99", ".p999"};

/// The relation at the head of a text, which is cut off.
std::optional<Relation> take_relation(std::string_view& text) {
  text = trimmed(text);
  constexpr std::pair<std::string_view, Relation> kSigns[] = {
      {"<=", Relation::at_most}, {">=", Relation::at_least}, {"<", Relation::less}, {">", Relation::more}};
  for (const auto& [sign, relation] : kSigns) {
    if (!text.starts_with(sign)) continue;
    text = trimmed(text.substr(sign.size()));
    return relation;
  }
  return std::nullopt;
}

UnitError not_a_condition(std::string_view text) {
  return {"E0217", fmt::format("'{}' is not a condition", text),
          "write one of < <= > >= and a limit with its unit, for example \"< 5 %\""};
}

/// Unit in which a limit on the metric is written; a "%" metric is written as a share.
Unit unit_of(std::string_view unit) {
  constexpr std::pair<std::string_view, Unit> kLimitUnits[] = {{"s", Unit::seconds}, {"B/s", Unit::bytes_per_second},
                                                               {"B", Unit::bytes},   {"1/s", Unit::per_second},
                                                               {"USD", Unit::usd},   {"requests", Unit::one}};
  for (const auto& [name, known] : kLimitUnits)
    if (name == unit) return known;
  return Unit::fraction;
}

/// The described metric behind a full name: without job and quantile; empty unit for blame, which is a share.
std::optional<std::string_view> unit_behind(std::string_view name) {
  for (const std::string_view quantile : kQuantiles)
    if (name == fmt::format("batch_load_time_s{}", quantile)) return "s";
  if (name.starts_with("blame/")) {
    for (const std::string_view stage : models::kStageNames)
      if (name.substr(6) == stage) return "1";
    return std::nullopt;
  }
  const models::MetricDescription* metric = models::find_metric(name);
  return metric == nullptr ? std::nullopt : std::optional<std::string_view>(metric->unit);
}

std::string plain_words(std::string_view name) {
  std::string words = in_lower_case(name);
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == '_' || c == '-'; }, ' ');
  return words;
}

/// The most prominent metric whose name or label holds the words of `name` ("idle", "step time"); empty without one.
std::string_view metric_with_words(std::string_view name) {
  const std::string words = plain_words(name);
  const models::MetricDescription* found = nullptr;
  for (const models::MetricDescription& metric : models::kMetricDescriptions) {
    const bool holds = plain_words(metric.name).find(words) != std::string::npos ||
                       plain_words(metric.label).find(words) != std::string::npos;
    if (holds && (found == nullptr || metric.prominence < found->prominence)) found = &metric;
  }
  return found == nullptr || words.empty() ? std::string_view() : found->name;
}

UnitError unknown_metric(std::string_view metric, std::string_view name) {
  const std::vector<std::string> all = threshold_metrics();
  const std::vector<std::string_view> views(all.begin(), all.end());
  std::string_view near = nearest(name, views);
  if (near.empty()) near = metric_with_words(name);
  return {"E0218", fmt::format("there is no metric '{}'", metric),
          near.empty() ? "headrace explain --reference metrics lists them"
                       : fmt::format("did you mean '{}{}'?", metric.substr(0, metric.size() - name.size()), near)};
}

/// Unit of the full name, or what is wrong with it.
tl::expected<std::string_view, UnitError> unit_of_metric(std::string_view metric,
                                                         const std::vector<std::string>* jobs) {
  std::string_view name = metric;
  if (metric.starts_with(kJobs)) {
    const std::size_t slash = metric.rfind('/');
    if (slash < kJobs.size()) return tl::unexpected(unknown_metric(metric, ""));
    const std::string_view job = metric.substr(kJobs.size(), slash - kJobs.size());
    if (jobs != nullptr && std::find(jobs->begin(), jobs->end(), job) == jobs->end()) {
      const std::vector<std::string_view> names(jobs->begin(), jobs->end());
      return tl::unexpected(UnitError{"E0218", fmt::format("there is no job '{}'", job), suggest(job, names)});
    }
    name = metric.substr(slash + 1);
  }
  const auto unit = unit_behind(name);
  if (!unit) return tl::unexpected(unknown_metric(metric, name));
  return *unit;
}

tl::expected<double, UnitError> parse_limit(std::string_view text, std::string_view unit) {
  const Unit written = unit_of(unit);
  auto limit = parse_quantity(text, written);
  // "5" is meant as percent: nobody asks for 500 %.
  if (limit && written == Unit::fraction && std::abs(*limit) > 1.0 && !text.ends_with('%'))
    return tl::unexpected(UnitError{"E0205", fmt::format("'{}' of a share is {:.6g} %", text, 100.0 * *limit),
                                    fmt::format("write \"{} %\", or {:.6g}", text, *limit / 100.0)});
  if (limit && unit == "%") return 100.0 * *limit;
  return limit;
}

}  // namespace

UnitError no_such_metric(std::string_view name) { return unknown_metric(name, name); }

std::vector<std::string> threshold_metrics() {
  std::vector<std::string> names;
  for (const models::MetricDescription& metric : models::kMetricDescriptions) names.emplace_back(metric.name);
  for (const std::string_view quantile : kQuantiles) names.push_back(fmt::format("batch_load_time_s{}", quantile));
  for (const std::string_view stage : models::kStageNames) names.push_back(fmt::format("blame/{}", stage));
  return names;
}

tl::expected<models::Threshold, UnitError> parse_threshold(std::string_view metric, std::string_view condition,
                                                           const std::vector<std::string>& jobs) {
  const auto unit = unit_of_metric(metric, &jobs);
  if (!unit) return tl::unexpected(unit.error());
  std::string_view rest = condition;
  const std::optional<Relation> relation = take_relation(rest);
  if (!relation || rest.empty()) return tl::unexpected(not_a_condition(condition));
  const auto limit = parse_limit(rest, *unit);
  if (!limit) return tl::unexpected(limit.error());
  models::Threshold threshold;
  threshold.metric = metric;
  threshold.relation = *relation;
  threshold.limit = *limit;
  threshold.condition = fmt::format("{} {}", models::kRelationNames[static_cast<std::size_t>(*relation)], rest);
  return threshold;
}

tl::expected<std::vector<models::Threshold>, Diagnostics> thresholds_of(const models::Scenario& scenario,
                                                                        const Composition& composition) {
  std::vector<std::string> jobs;
  for (const models::Job& job : scenario.jobs) jobs.push_back(job.name);
  std::vector<models::Threshold> thresholds;
  Diagnostics diagnostics;
  for (const models::NamedText& slo : scenario.slo) {
    const std::string pointer = join_pointer("/slo", slo.name);
    auto threshold = parse_threshold(slo.name, slo.text, jobs);
    if (threshold) {
      threshold->pointer = pointer;
      thresholds.push_back(std::move(*threshold));
      continue;
    }
    Diagnostic d;
    d.code = std::string(threshold.error().code);
    d.message = threshold.error().message;
    d.pointer = pointer;
    d.help = threshold.error().help;
    const Node* object = find_at(composition.inlined, "/slo");
    const Member* member = object == nullptr ? nullptr : object->find_member(slo.name);
    if (member != nullptr)
      d.where = excerpt_at(*composition.sources,
                           d.code == "E0218" && member->key_place.known() ? member->key_place : member->value.place);
    diagnostics.add(std::move(d));
  }
  if (!diagnostics.empty()) return tl::unexpected(std::move(diagnostics));
  return thresholds;
}

void set_threshold(Node& root, std::string_view text, Sources& sources, Diagnostics& diagnostics) {
  const std::uint32_t source = sources.add({SourceKind::override_argument, "--slo", std::string(text), 0});
  const std::size_t at = text.find_first_of("<>");
  const std::string_view metric = trimmed(text.substr(0, at));
  if (at != std::string_view::npos && !metric.empty()) {
    const std::size_t begin = text.find(metric);
    const Place name{source, begin, begin + metric.size()};
    const Node* before = find_at(root, join_pointer("/slo", metric));
    if (before != nullptr && before->place.source < sources.size() && sources[before->place.source].name == "--slo") {
      Diagnostic twice;  // the first one would go without a word
      twice.code = "E0217";
      twice.message = fmt::format("'{}' has two thresholds on the command line", metric);
      twice.where = excerpt_at(sources, {source, 0, text.size()});
      twice.help = "keep the one that matters; of two upper limits the lower one holds both";
      diagnostics.add(std::move(twice));
      return;
    }
    const auto set = set_node(root, join_pointer("/slo", metric), name,
                              make_string(std::string(trimmed(text.substr(at))), {source, at, text.size()}));
    if (set) return;
  }
  Diagnostic d;
  d.code = "E0217";
  d.message = fmt::format("'{}' is not a threshold", text);
  d.where = excerpt_at(sources, {source, 0, text.size()});
  d.help = "write a metric, a relation and a limit: --slo \"gpu_idle_fraction < 5 %\"";
  diagnostics.add(std::move(d));
}

bool FailIf::holds(double change) const {
  models::Threshold threshold;
  threshold.relation = relation;
  threshold.limit = limit;
  return threshold.holds(change);
}

tl::expected<FailIf, UnitError> parse_fail_if(std::string_view text) {
  const std::size_t at = text.find_first_of("<>");
  if (at == std::string_view::npos) return tl::unexpected(not_a_condition(text));
  FailIf result;
  result.text = std::string(trimmed(text));
  result.metric = std::string(trimmed(text.substr(0, at)));
  const auto unit = unit_of_metric(result.metric, nullptr);
  if (!unit) return tl::unexpected(unit.error());
  std::string_view rest = text.substr(at);
  const std::optional<Relation> relation = take_relation(rest);
  if (!relation || rest.empty()) return tl::unexpected(not_a_condition(text));
  result.relation = *relation;
  constexpr std::string_view kPoints = "points";
  const bool points = rest.ends_with(kPoints);
  result.relative = rest.ends_with("%");
  if (points && *unit != "1" && *unit != "%")
    return tl::unexpected(UnitError{"E0205",
                                    fmt::format("'{}' is not a share, so its change has no points", result.metric),
                                    "write the change in percent, or in the unit of the metric"});
  if (!points && !result.relative) {
    const auto limit = parse_limit(rest, *unit);
    if (!limit) return tl::unexpected(limit.error());
    result.limit = *limit;
    return result;
  }
  rest = trimmed(rest.substr(0, rest.size() - (points ? kPoints.size() : 1)));
  const auto number = parse_quantity(rest, Unit::one);
  if (!number) return tl::unexpected(number.error());
  result.limit = points && *unit == "%" ? *number : *number / 100.0;
  return result;
}

}  // namespace headrace::scenarios
