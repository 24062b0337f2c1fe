#include "models/cluster/cluster_run.hpp"

#include <algorithm>

#include "models/path/ingest_path.hpp"
#include "sim/assert.hpp"

namespace headrace::models {

ClusterRun::ClusterRun(ClusterPlan plan, std::uint64_t seed, std::uint32_t replication, RunSwitches switches,
                       std::stop_token abandon)
    : plan_(std::move(plan)) {
  goal_.abandon = std::move(abandon);
  simulation_.look_now_and_then({&ClusterRun::look, this, 0});
  for (const StorePlan& store : plan_.stores)
    services_.push_back(std::make_unique<StoreServices>(simulation_, switches.contention ? store : StorePlan{}));
  for (const JobPlace& place : plan_.jobs)
    jobs_.push_back(std::make_unique<JobRun>(place.path, simulation_, *services_[place.store], goal_, seed, replication,
                                             switches, place.whole.get()));
  if (!switches.contention) return;
  for (const BackgroundPlan& load : plan_.background)
    background_.push_back(
        std::make_unique<BackgroundRun>(load, simulation_, *services_[load.store], seed, replication));
}

void ClusterRun::look(void* self, std::uint64_t) { end_if_abandoned(static_cast<ClusterRun*>(self)->goal_.abandon); }

void ClusterRun::run_to(const std::vector<std::uint64_t>& steps) {
  for (std::size_t i = 0; i < jobs_.size(); ++i) jobs_[i]->aim_at(steps[i]);
  if (goal_.jobs_left > 0) simulation_.run();
  if (goal_.jobs_left > 0)  // what is under way does not end before sim::kNever
    throw UnusableRequest("a step would take longer than the 146 years that simulated time lasts",
                          "look for a rate or a time in a wrong unit; headrace bound shows which resource is full");
}

std::uint64_t ClusterRun::common_steps() const {
  std::uint64_t steps = jobs_.front()->log().steps();
  for (const auto& job : jobs_) steps = std::min<std::uint64_t>(steps, job->log().steps());
  return steps;
}

void ClusterRun::reset_totals() {
  for (const auto& job : jobs_) job->reset_totals();
  for (const auto& load : background_) load->reset_totals();
}

std::uint64_t ClusterRun::active_flows() const {
  std::uint64_t flows = 0;
  for (const auto& services : services_) flows += services->network ? services->network->active_flows() : 0;
  return flows;
}

}  // namespace headrace::models
