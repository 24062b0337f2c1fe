#include "reports/first_remedy.hpp"

#include "scenarios/planner/remedy.hpp"

namespace headrace::reports {

void add_first_remedy(models::Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  // Where starts lie on both sides of the limit, the mean over them is what a remedy takes away.
  const bool waits = outcome.verdict == models::Verdict::ingest_bound ||
                     (outcome.verdict == models::Verdict::inconclusive && outcome.stopped_by == "other_starts");
  if (!waits || idle == nullptr) return;
  outcome.remedy = scenarios::first_remedy(loaded.value, idle->mean, models::simulated_seed(outcome));
}

}  // namespace headrace::reports
