#include "scenarios/requirements/most_fed.hpp"

#include <algorithm>
#include <cmath>

#include "models/outcome/workers_load.hpp"
#include "models/path/ingest_path.hpp"
#include "scenarios/requirements/critical.hpp"

namespace headrace::scenarios {

using models::Job;
using models::Pool;
using models::Ruling;
using models::Scenario;

namespace {

constexpr double kFarthest = 256.0;  ///< times today's
constexpr double kLeastGrowth = 1e-3;
constexpr double kStepOfAnswer = 0.05;
constexpr int kTriesOfMost = 8;

/// How a scenario of a size is made, and how large it is today.
struct Dial {
  double today = 1.0;
  double least = 1.0;
  bool whole = true;
  std::function<Scenario(double size)> at;

  double step(double size) const {
    return whole ? std::max(1.0, std::round(kStepOfAnswer * size)) : kStepOfAnswer * size;
  }
  double placed(double size) const { return whole ? std::max(least, std::floor(size + 1e-9)) : size; }
};

Pool& pool_of_first(Scenario& scenario) {
  const auto found = std::find_if(scenario.cluster.pools.begin(), scenario.cluster.pools.end(),
                                  [&](const Pool& pool) { return pool.name == scenario.jobs.front().pool; });
  return *found;
}

std::uint64_t nodes_of_copy(const Scenario& scenario) {
  const Job& job = scenario.jobs.front();
  return job.nodes > 0 ? job.nodes : pool_of(scenario, job).nodes / std::max<std::uint64_t>(1, job.copies);
}

/// The first job on so many nodes in so many copies; the pool grows or shrinks by as much as the job does.
Scenario with_first_job(const Scenario& scenario, std::uint64_t nodes, std::uint64_t copies) {
  Scenario other = scenario;
  Job& job = other.jobs.front();
  Pool& pool = pool_of_first(other);
  const std::uint64_t before = nodes_of_copy(scenario) * job.copies;
  pool.nodes = pool.nodes - std::min(pool.nodes, before) + nodes * copies;
  job.nodes = nodes;
  job.copies = copies;
  job.parallelism.dp = 0;  // what the GPUs allow
  return other;
}

/// Everybody asks `factor` times as much per second: GPUs and the CPU work of loaders are so many times as fast.
Scenario grown(const Scenario& scenario, double factor) {
  Scenario other = scenario;
  for (Job& job : other.jobs) {
    models::TrainingStep& step = job.step;
    if (step.arithmetic)
      throw models::UnusableRequest("growth divides the time of a step, which here follows from arithmetic",
                                    "state step_time, or ask for --max gpus or --max jobs");
    step.step_time_s = scaled(step.step_time_s, 1.0 / factor);
    step.overhead_s = scaled(step.overhead_s, 1.0 / factor);
    job.loader.cpu_s_per_sample = scaled(job.loader.cpu_s_per_sample, 1.0 / factor);
  }
  return other;
}

Dial dial_of(const Scenario& scenario, Most what) {
  const Job& job = scenario.jobs.front();
  const std::uint64_t nodes = nodes_of_copy(scenario);
  Dial dial;
  if (what == Most::gpus) {
    dial.today = static_cast<double>(nodes);
    dial.at = [&scenario, copies = job.copies](double size) {
      return with_first_job(scenario, static_cast<std::uint64_t>(size), copies);
    };
  } else if (what == Most::jobs) {
    dial.today = static_cast<double>(job.copies);
    dial.at = [&scenario, nodes](double size) {
      return with_first_job(scenario, nodes, static_cast<std::uint64_t>(size));
    };
  } else {
    dial.least = kLeastGrowth;
    dial.whole = false;
    dial.at = [&scenario](double size) { return grown(scenario, size); };
  }
  return dial;
}

/// Of what is waited for, the busiest resource; of all, where none of that stage is known.
/// Workers that are full stop it where no shared resource is.
void find_stop(const models::Scenario& scenario, const models::Outcome& outcome, MostFed& found) {
  if (outcome.binding) found.stage = models::name(*outcome.binding);
  const auto busiest = [&](bool of_stage) {
    const models::StationReport* best = nullptr;
    for (const models::StationReport& station : outcome.stations) {
      if (of_stage && (!outcome.binding || station.stage != *outcome.binding)) continue;
      if (best == nullptr || station.utilization > best->utilization) best = &station;
    }
    return best;
  };
  const models::StationReport* station = busiest(true);
  if (station == nullptr) station = busiest(false);
  constexpr double kFull = 0.9;
  if (station == nullptr || station->utilization < kFull) {
    for (const std::optional<double>& load : models::workers_loads(scenario, outcome))
      if (load && *load >= std::max(kFull, found.utilization)) {
        found.resource = "workers";
        found.utilization = *load;
      }
    if (!found.resource.empty()) return;
  }
  if (station == nullptr) return;
  found.resource = station->name;
  found.utilization = station->utilization;
}

/// Moves the answer until intervals decide it and one step above.
void settle_most(Probe& probe, const Dial& dial, double critical, MostFed& found) {
  double size = dial.placed(dial.whole ? critical : critical * (1.0 - 0.4 * kStepOfAnswer));
  for (int i = 0; i < kTriesOfMost; ++i) {
    const double step = dial.step(size);
    found.most = size;
    found.above = size + step;
    found.at_most = probe.decide(dial.at(found.most));
    found.at_above = probe.decide(dial.at(found.above));
    if (found.sure()) return;
    const double stride = dial.whole ? std::max(1.0, std::round(0.4 * step)) : 0.2 * step;
    const double next = found.at_most.decision != Ruling::pass ? size - stride : size + stride;
    if (next < dial.least) return;
    size = next;
  }
}

}  // namespace

bool MostFed::sure() const {
  return !none && at_most.decision == Ruling::pass && (open || at_above.decision == Ruling::fail);
}

tl::expected<MostFed, Diagnostics> most_fed(const LoadedScenario& loaded, const MostOptions& options) {
  const Scenario& scenario = loaded.value;
  auto limits = limits_of(loaded);
  if (!limits) return tl::unexpected(limits.error());
  MostFed found;
  found.what = options.what;
  found.seed = options.probe.seed;
  found.job = scenario.jobs.front().name;
  found.limits = *limits;
  for (const JobLimit& limit : found.limits) found.limit_texts.push_back(limit.text(scenario));
  const Dial dial = dial_of(scenario, options.what);
  const models::IngestPath path = resolve_path(scenario, 0, {});
  const double gpus = static_cast<double>(path.gpus);
  if (options.what == Most::gpus)
    found.gpus_of_one = gpus / static_cast<double>(path.nodes) * static_cast<double>(scenario.jobs.front().copies);
  if (options.what == Most::jobs) found.gpus_of_one = gpus;
  found.today = dial.today;
  found.tried = kFarthest * dial.today;

  Probe probe(*limits, options.probe);
  probe.phase(std::string(kMostNames[static_cast<std::size_t>(options.what)]));
  const AtStrength at = [&](double strength) { return dial.at(dial.placed(1.0 / strength)); };
  SearchRange range{1.0 / found.tried, 1.0 / dial.least};
  const Standing far = probe.estimate(dial.at(found.tried));  // whose simulation would take long
  range.low_fails = far.known && !far.holds();
  found.none = !probe.simulate(dial.at(dial.least)).holds();
  if (found.none) {
    found.at_above = probe.decide(dial.at(dial.least));
    found.above = dial.least;
    find_stop(dial.at(dial.least), probe.outcome(dial.at(dial.least), true), found);
  } else if (const auto critical = critical_strength(probe, at, range)) {
    settle_most(probe, dial, 1.0 / *critical, found);
    find_stop(dial.at(found.above), probe.outcome(dial.at(found.above), true), found);
  } else {
    found.open = true;
    found.most = found.tried;
    found.at_most = probe.decide(dial.at(found.most));
  }
  if (!found.open) found.limit = found.at_above.tightest();
  found.runs = probe.runs();
  found.estimates = probe.estimates();
  return found;
}

}  // namespace headrace::scenarios
