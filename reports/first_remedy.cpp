#include "reports/first_remedy.hpp"

#include "scenarios/planner/remedy.hpp"

namespace headrace::reports {

bool has_waits_to_remedy(const models::Outcome& outcome) {
  if (outcome.find("gpu_idle_fraction") == nullptr) return false;
  return outcome.verdict == models::Verdict::ingest_bound ||
         (outcome.verdict == models::Verdict::inconclusive && outcome.stopped_by == "other_starts");
}

void add_first_remedy(models::Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  if (!has_waits_to_remedy(outcome)) return;
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  outcome.remedy = scenarios::first_remedy(loaded.value, idle->mean, models::simulated_seed(outcome));
}

}  // namespace headrace::reports
