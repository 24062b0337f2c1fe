#include "reports/deploy/facts.hpp"

#include <algorithm>
#include <cmath>

#include "models/hops/resource_floors.hpp"
#include "models/outcome/host_memory.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::reports {
namespace {

template <class T>
std::size_t position_of(const std::vector<T>& list, const T& element) {
  return static_cast<std::size_t>(&element - list.data());
}

}  // namespace

std::uint64_t DeployFacts::cores_per_loader() const {
  if (job.loader.synchronous) return 1;
  return job.loader.workers + 1 + (job.loader.receive.pin_thread ? 1 : 0);
}

std::uint64_t DeployFacts::ready_batches() const {
  const std::uint64_t outstanding = job.loader.batches_outstanding();
  return outstanding > job.loader.workers ? outstanding - job.loader.workers : 1;
}

std::uint64_t DeployFacts::reads_per_node() const {
  const std::uint64_t workers = job.loader.synchronous ? 1 : job.loader.workers;
  return loaders_per_node * workers * std::max<std::uint64_t>(1, path.store_lanes);
}

DeployFacts deploy_facts(const models::Scenario& scenario, std::size_t number) {
  const models::Job& job = scenario.jobs.at(number);
  const models::Pool& pool = pool_of(scenario, job);
  const models::Dataset& dataset = dataset_of(scenario, job);
  DeployFacts facts{scenario,
                    number,
                    job,
                    pool,
                    position_of(scenario.cluster.pools, pool),
                    dataset,
                    position_of(scenario.datasets, dataset),
                    store_of(scenario, dataset),
                    resolve_path(scenario, number, {})};
  facts.corpus_bytes = corpus_of(scenario, job).bytes;
  for (const models::EpochWindow& window : models::closed_form_windows(scenario, number)) {
    facts.batch_s += window.weight * mean_batch_time_s(in_window(facts.path, window));
    facts.hit_ratio += window.weight * window.hit_ratio;
  }
  facts.step_s = facts.path.mean_fed_step_s();
  facts.loaders_per_node = (facts.path.loaders + facts.path.nodes - 1) / facts.path.nodes;
  facts.node_memory_bytes = host_memory(pool, job.loader, facts.path).needed_bytes();
  return facts;
}

}  // namespace headrace::reports
