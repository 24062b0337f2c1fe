#include "models/answer/shared_bound.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "models/hops/resource_floors.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

/// A copy of a job at a shared resource.
struct Sharer {
  const Outcome* outcome;
  double gpus;
  double demand;  ///< of the resource, at the pace of its own bound
};

/// The largest sum of the sharers' values, each at some part of its pace, within the capacity: those that gain most per
/// unit of the resource are served first (the fractional knapsack; Dantzig, Operations Research 5, 1957).
template <class Value>
double best_sum(const std::vector<Sharer>& sharers, double capacity, Value value) {
  std::vector<std::size_t> order(sharers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return value(sharers[a]) * sharers[b].demand > value(sharers[b]) * sharers[a].demand;
  });
  double sum = 0.0;
  for (const std::size_t i : order) {
    const Sharer& sharer = sharers[i];
    const double pace = sharer.demand > capacity ? capacity / sharer.demand : 1.0;
    sum += pace * value(sharer);
    capacity -= pace * sharer.demand;
  }
  return sum;
}

bool is_at(const Scenario& scenario, const Job& job, const StationReport& station) {
  const bool of_pool = traits(station.resource).owner == Owner::pool;
  return station.owner == (of_pool ? job.pool : store_of(scenario, dataset_of(scenario, job)).name);
}

/// `gpus`: of a copy of each job.
std::vector<Sharer> sharers_of(const Scenario& scenario, const std::vector<double>& gpus,
                               const std::vector<JobOutcome>& each, const StationReport& station) {
  std::vector<Sharer> sharers;
  for (const JobOutcome& one : each) {
    Sharer sharer{&one.outcome, gpus[one.job], 0.0};
    if (is_at(scenario, scenario.jobs[one.job], station))
      for (const StationReport& own : one.outcome.stations)
        if (own.resource == station.resource) sharer.demand = own.throughput;
    sharers.push_back(sharer);
  }
  return sharers;
}

/// Waits take the place of all else that the GPUs do.
void raise_waits(double from, double to, std::vector<GpuStateShare>& states) {
  const double rest = (1.0 - to) / (1.0 - from);
  for (GpuStateShare& state : states) state.share *= rest;
  for (GpuStateShare& state : states)
    if (state.state == GpuState::ingest_wait_own) state.share += to - from * rest;
}

}  // namespace

void hold_to_shared_resources(const Scenario& scenario, const std::vector<JobOutcome>& each, Outcome& all) {
  std::vector<double> gpus_of_one;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job)
    gpus_of_one.push_back(static_cast<double>(resolve_path(scenario, job, {}).gpus));
  for (const StationReport& station : all.stations) {
    if (traits(station.resource).owner == Owner::job) continue;
    const std::vector<Sharer> sharers = sharers_of(scenario, gpus_of_one, each, station);
    double demand = 0.0;
    double gpus = 0.0;
    for (const Sharer& sharer : sharers) {
      demand += sharer.demand;
      gpus += sharer.gpus;
    }
    constexpr double kRounding = 1e-9;
    if (demand <= station.capacity * (1.0 + kRounding)) continue;
    const auto mean_of = [](const Sharer& sharer, std::string_view name) {
      return mean_in(sharer.outcome->metrics, name);
    };
    for (Metric& metric : all.metrics) {
      const bool is_share = metric.name == "gpu_utilization" || metric.name == "goodput_fraction";
      if (is_share || metric.name == "samples_per_s" || metric.name == "ingest_bytes_per_s" ||
          metric.name == "store_bytes_per_s") {
        const double best = best_sum(sharers, station.capacity, [&](const Sharer& sharer) {
          return mean_of(sharer, metric.name) * (is_share ? sharer.gpus / gpus : 1.0);
        });
        metric.mean = std::min(metric.mean, best);
      }
      if (metric.name != "gpu_idle_fraction") continue;
      const double idle = 1.0 - best_sum(sharers, station.capacity, [&](const Sharer& sharer) {
                            return (1.0 - mean_of(sharer, metric.name)) * sharer.gpus / gpus;
                          });
      if (idle <= metric.mean) continue;
      raise_waits(metric.mean, idle, all.gpu_states);
      metric.mean = idle;
      if (idle <= kFedIdleFraction || all.verdict == Verdict::infeasible) continue;
      all.verdict = Verdict::ingest_bound;
      all.binding = station.stage;
    }
  }
}

}  // namespace headrace::models
