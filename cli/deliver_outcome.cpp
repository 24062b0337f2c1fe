#include "cli/deliver_outcome.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/answer_forms.hpp"
#include "cli/exit_code.hpp"
#include "cli/unpriced_egress.hpp"
#include "models/outcome/workers_load.hpp"
#include "reports/completed_outcome.hpp"
#include "reports/figure_table.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/open_ranges.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_text.hpp"
#include "reports/sizing_text.hpp"
#include "reports/timeline_json.hpp"
#include "scenarios/document/calendar.hpp"
#include "scenarios/document/thresholds.hpp"

namespace headrace::cli {
namespace {

/// Old prices are told on standard error, whatever the form of the document. With --as-of their age is part of it too;
/// without, it depends on the day and stays out of it.
void tell_old_prices(models::Outcome& outcome, const LoadedScenario& loaded, const std::string& as_of,
                     Console& console) {
  const bool asked = !as_of.empty();
  for (models::Warning& warning : old_price_warnings(loaded, asked ? as_of : scenarios::today())) {
    console.warn(warning.seen + "; " + warning.fix);
    if (asked) outcome.warnings.push_back(std::move(warning));
  }
}

/// What the outcome says of the scenario's thresholds: a bound by what it proves, a simulation by one look.
std::vector<models::Judgement> judgements_of(const models::Outcome& outcome, const LoadedScenario& loaded) {
  std::vector<models::Judgement> judgements;
  const models::Metric* step = outcome.find("step_time_s");
  const bool bound = step != nullptr && step->kind == models::AnswerKind::bound;
  const auto thresholds = scenarios::thresholds_of(loaded.value, loaded.composition);
  for (const models::Threshold& threshold : thresholds.value())  // loading has read them
    judgements.push_back(bound ? models::judge_bound(threshold, outcome) : models::judge(threshold, outcome));
  return judgements;
}

}  // namespace

int deliver_outcome(models::Outcome outcome, const LoadedScenario& loaded, const ScenarioOptions& scenario,
                    const OutputOptions& output, const OutcomeDelivery& delivery, Console& console) {
  tell_old_prices(outcome, loaded, scenario.as_of, console);
  const models::Confidence confidence = reports::complete_outcome(outcome, loaded);
  const bool missed = delivery.precision_asked && outcome.precision && !outcome.precision->met;
  const std::string title = title_of(loaded, scenario);
  const std::string trust =
      confidence.grade >= models::ConfidenceGrade::extrapolated ? command_on("evidence", scenario) : "";
  const auto json = [&] { return reports::completed_outcome_json(outcome, loaded, confidence); };
  std::optional<std::string> said;  // by text and page alike
  const auto open_wait = [&] {
    if (!said) said = reports::open_wait(outcome, loaded);
    return *said;
  };
  const auto text = [&] {
    if (delivery.sizing) return reports::sizing_text(outcome, title, console.out_style());
    reports::SummaryFacts facts{title, judgements_of(outcome, loaded), confidence, trust};
    if (reports::notable_egress(outcome.ledger) != nullptr) facts.unpriced = unpriced_egress(loaded);
    facts.open_wait = open_wait();
    facts.workers_load = models::busiest_workers(loaded.value, outcome);
    return output.verbose ? reports::outcome_text(outcome, facts, console.out_style())
                          : reports::outcome_summary(outcome, facts, console.out_style());
  };
  const auto page = [&] {
    reports::OutcomePageFacts facts{title, output.program};
    facts.origin_of = origins_of(loaded);
    facts.timeline = delivery.timeline;
    facts.live = output.live;
    facts.open_wait = open_wait();
    return page_of(json(), facts);
  };
  const auto document = [&]() -> std::string {
    if (output.wants_json()) return reports::json_text(json());
    if (delivery.sizing) return text();
    if (output.wants_page()) return page();
    return output.wants_markdown() ? markdown_of(json()).value_or(text()) : text();
  };
  const bool delivered = console.deliver(document(), output.file);
  const bool drawn = output.report.empty() || console.deliver(page(), output.report);
  const bool traced = delivery.timeline_file.empty() || delivery.timeline == nullptr ||
                      console.deliver(reports::timeline_json(*delivery.timeline).dump() + "\n", delivery.timeline_file);
  if (!delivered || !drawn || !traced) return kBadInput;
  if (outcome.stopped_by == "interrupted") return kInterrupted;
  if (outcome.verdict == models::Verdict::infeasible && !delivery.sizing) return kFailed;
  return missed || outcome.verdict == models::Verdict::inconclusive ? kInconclusive : kOk;
}

}  // namespace headrace::cli
