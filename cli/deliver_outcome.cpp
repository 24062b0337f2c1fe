#include "cli/deliver_outcome.hpp"

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_text.hpp"

namespace headrace::cli {
namespace {

/// With --as-of the age of prices is part of the document; without, it depends on the day and stays out of it.
void tell_old_prices(models::Outcome& outcome, const LoadedScenario& loaded, const Invocation& call, Console& console) {
  const bool asked = !call.as_of.empty();
  for (models::Warning& warning : old_price_warnings(loaded, asked ? call.as_of : today()))
    if (asked)
      outcome.warnings.push_back(std::move(warning));
    else
      console.warn(warning.seen + "; " + warning.fix);
}

}  // namespace

int deliver_outcome(models::Outcome outcome, const LoadedScenario& loaded, const Invocation& call, Console& console) {
  outcome.scenario_sha256 = loaded.sha256;
  tell_old_prices(outcome, loaded, call, console);
  const bool missed = call.precision_given && outcome.precision && !outcome.precision->met;
  const std::string title = loaded.value.title.empty() ? call.inputs.back() : loaded.value.title;
  const std::string document =
      call.json
          ? reports::json_text(reports::outcome_json(outcome, {loaded.resolved, loaded.composition.catalogue_version}))
          : reports::outcome_text(outcome, title, console.out_style());
  if (!console.deliver(document, call.output)) return kBadInput;
  if (outcome.stopped_by == "interrupted") return kInterrupted;
  return missed || outcome.verdict == models::Verdict::inconclusive ? kInconclusive : kOk;
}

}  // namespace headrace::cli
