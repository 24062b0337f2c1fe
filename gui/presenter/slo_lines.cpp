#include "gui/presenter/slo_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/humane.hpp"
#include "reports/significant.hpp"
#include "scenarios/document/thresholds.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

std::string limit_text(double limit, std::string_view unit) {
  using models::Unit;
  constexpr std::pair<std::string_view, Unit> kUnits[] = {{"s", Unit::seconds}, {"B/s", Unit::bytes_per_second},
                                                          {"B", Unit::bytes},   {"1/s", Unit::per_second},
                                                          {"USD", Unit::usd},   {"requests", Unit::one}};
  for (const auto& [name, known] : kUnits)
    if (name == unit) return scenarios::print_quantity(reports::significant(limit, 2), known);
  const double percent = unit == "%" ? limit : 100.0 * limit;
  return scenarios::print_number(std::round(percent * 10.0) / 10.0) + " %";
}

}  // namespace

std::vector<models::Threshold> slo_of(const ScenarioDocument& document) {
  auto all = scenarios::thresholds_of(document.scenario(), document.loaded().composition);
  return all ? std::move(*all) : std::vector<models::Threshold>();
}

std::optional<models::Threshold> slo_on(const ScenarioDocument& document, const std::string& metric) {
  const auto all = slo_of(document);
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& slo) { return slo.metric == metric; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

Edit slo_edit(const ScenarioDocument& document, const std::string& metric, double limit) {
  const models::MetricDescription& traits = models::traits_of(metric);
  const auto present = slo_on(document, metric);
  const bool higher = traits.better == models::Better::higher;
  const models::Relation relation =
      present ? present->relation : (higher ? models::Relation::more : models::Relation::less);
  return {"/slo/" + metric, fmt::format("{} {}", models::kRelationNames[static_cast<std::size_t>(relation)],
                                        limit_text(limit, traits.unit))};
}

std::vector<SloRow> judged(const ScenarioDocument& document, const models::Outcome& outcome) {
  const bool simulated = !outcome.metrics.empty() && outcome.metrics.front().kind == models::AnswerKind::simulated;
  std::vector<SloRow> rows;
  for (const models::Threshold& slo : slo_of(document)) {
    const models::Judgement judgement = simulated ? models::judge(slo, outcome) : models::judge_bound(slo, outcome);
    rows.push_back(
        {fmt::format("{} {}", reports::spoken_name(slo.metric), slo.condition), judgement.decision,
         judgement.value ? reports::humane(*judgement.value, models::traits_of(slo.metric).unit) : std::string()});
  }
  return rows;
}

}  // namespace headrace::gui
