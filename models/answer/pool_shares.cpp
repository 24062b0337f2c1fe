#include "models/answer/pool_shares.hpp"

#include <algorithm>
#include <cstdint>

namespace headrace::models {
namespace {

std::uint64_t nodes_each(const Job& job, const Pool& pool) { return job.nodes > 0 ? job.nodes : pool.nodes; }

bool takes_all(const Job& job) { return job.nodes == 0 && job.copies == 1; }

/// Jobs of a pool that hold nodes of their own.
std::vector<Job*> jobs_in(const Pool& pool, Scenario& scenario) {
  std::vector<Job*> jobs;
  for (Job& job : scenario.jobs)
    if (job.pool == pool.name && !job.queue) jobs.push_back(&job);
  return jobs;
}

}  // namespace

std::vector<BusyShare> pool_shares(const Scenario& scenario) {
  std::vector<BusyShare> shares;
  for (const Pool& pool : scenario.cluster.pools) {
    std::uint64_t asked = 0;
    bool chosen = true;
    for (const Job& job : scenario.jobs) {
      if (job.pool != pool.name) continue;
      chosen = chosen && !job.queue && !takes_all(job);
      asked += job.copies * nodes_each(job, pool);
    }
    if (chosen && asked > 0)
      shares.push_back({Layer::gpus, std::nullopt, "nodes", pool.name,
                        static_cast<double>(asked) / static_cast<double>(pool.nodes)});
  }
  return shares;
}

void keep_what_fits(Scenario& scenario) {
  for (const Pool& pool : scenario.cluster.pools) {
    const std::vector<Job*> jobs = jobs_in(pool, scenario);
    std::uint64_t asked = 0;
    for (Job* job : jobs) {
      job->nodes = std::min(job->nodes, pool.nodes);
      asked += job->copies * nodes_each(*job, pool);
    }
    for (auto job = jobs.rbegin(); job != jobs.rend() && asked > pool.nodes; ++job) {
      const std::uint64_t each = nodes_each(**job, pool);
      const std::uint64_t over = (asked - pool.nodes + each - 1) / each;
      const std::uint64_t dropped = std::min(over, (*job)->copies - 1);
      (*job)->copies -= dropped;
      asked -= dropped * each;
    }
  }
}

}  // namespace headrace::models
