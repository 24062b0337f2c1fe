#include "models/outcome/cluster_outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "models/hops/resource_floors.hpp"
#include "models/outcome/bottleneck.hpp"
#include "models/outcome/evidence.hpp"
#include "models/outcome/job_weights.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A weighted sum whose half-widths add up linearly.
class LinearSum {
 public:
  void add(double weight, double mean, const std::optional<Interval>& ci95) {
    mean_ += weight * mean;
    complete_ = complete_ && ci95.has_value();
    if (!ci95) return;
    low_ += weight * ci95->low;
    high_ += weight * ci95->high;
  }
  double mean() const { return mean_; }
  std::optional<Interval> ci95() const {
    return complete_ ? std::optional<Interval>(Interval{low_, high_}) : std::nullopt;
  }

 private:
  double mean_ = 0.0;
  double low_ = 0.0;
  double high_ = 0.0;
  bool complete_ = true;
};

/// One job with the weight of its GPUs and how many copies it stands for.
struct ClusterPart {
  const JobReport* job;
  double weight;
};

std::vector<StageShare> weighted(const std::vector<ClusterPart>& parts, std::vector<StageShare> JobReport::*shares) {
  std::vector<StageShare> result;
  for (std::size_t s = 0; s < kStageNames.size(); ++s) {
    StageShare share;
    share.stage = static_cast<Stage>(s);
    LinearSum sum;
    bool any = false;
    for (const ClusterPart& part : parts) {
      const auto& of_job = part.job->*shares;
      const auto found =
          std::find_if(of_job.begin(), of_job.end(), [&](const StageShare& own) { return own.stage == share.stage; });
      if (found == of_job.end()) continue;
      any = true;
      sum.add(part.weight, found->mean, found->ci95);
      share.queueing += part.weight * found->queueing;
    }
    share.mean = sum.mean();
    share.ci95 = sum.ci95();
    if (any) result.push_back(share);
  }
  return result;
}

std::vector<GpuStateShare> weighted_states(const std::vector<ClusterPart>& parts) {
  std::vector<GpuStateShare> result;
  for (std::size_t s = 0; s < kGpuStateCount; ++s) {
    GpuStateShare share{static_cast<GpuState>(s), 0.0};
    for (const ClusterPart& part : parts)
      if (s < part.job->gpu_states.size()) share.share += part.weight * part.job->gpu_states[s].share;
    result.push_back(share);
  }
  return result;
}

/// What each part counts in a metric: copies of one job count alike.
std::vector<double> weights_in(const std::vector<ClusterPart>& parts, std::string_view metric, bool over_copies) {
  if (over_copies) return std::vector<double>(parts.size(), 1.0 / static_cast<double>(parts.size()));
  std::vector<WeighedJob> jobs;
  for (const ClusterPart& part : parts)
    jobs.push_back({&part.job->metrics, static_cast<double>(part.job->gpus), static_cast<double>(part.job->copies)});
  return job_weights(jobs, metric);
}

/// A metric over all parts by its rule; nothing unless all have it.
std::optional<Metric> merged_metric(const std::vector<ClusterPart>& parts, const Metric& first, bool over_copies) {
  for (const ClusterPart& part : parts)
    if (find_in(part.job->metrics, first.name) == nullptr) return std::nullopt;
  const std::vector<double> weights = weights_in(parts, first.name, over_copies);
  Metric result = first;
  LinearSum sum;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Metric& metric = *find_in(parts[i].job->metrics, first.name);
    if (weights[i] > 0.0) sum.add(weights[i], metric.mean, metric.ci95);
  }
  result.mean = sum.mean();
  result.ci95 = sum.ci95();
  return result;
}

std::vector<Metric> merged_metrics(const std::vector<ClusterPart>& parts, bool over_copies) {
  std::vector<Metric> metrics;
  for (const Metric& first : parts.front().job->metrics)
    if (const auto metric = merged_metric(parts, first, over_copies)) metrics.push_back(*metric);
  return metrics;
}

std::optional<LoadTimeQuantiles> merged_quantiles(const std::vector<ClusterPart>& parts) {
  LoadTimeQuantiles sum;
  for (const ClusterPart& part : parts) {
    if (!part.job->batch_load_time) return std::nullopt;
    sum.p50_s += part.weight * part.job->batch_load_time->p50_s;
    sum.p90_s += part.weight * part.job->batch_load_time->p90_s;
    sum.p99_s += part.weight * part.job->batch_load_time->p99_s;
    sum.p999_s += part.weight * part.job->batch_load_time->p999_s;
  }
  return sum;
}

JobReport report_of(const Outcome& outcome) {
  JobReport report = outcome.jobs.front();
  report.metrics = outcome.metrics;
  report.verdict = outcome.verdict;
  report.binding = outcome.binding;
  report.batch_load_time = outcome.batch_load_time;
  report.gpu_states = outcome.gpu_states;
  report.blame = outcome.blame;
  report.relief = outcome.relief;
  report.windows = outcome.windows;
  return report;
}

/// The first that stands highest in this order: a cluster is what its worst job is.
Verdict worst(Verdict a, Verdict b) {
  constexpr std::array<Verdict, 6> kOrder = {Verdict::infeasible,       Verdict::inconclusive,
                                             Verdict::ingest_bound,     Verdict::checkpoint_bound,
                                             Verdict::collective_bound, Verdict::fed};
  for (const Verdict verdict : kOrder)
    if (a == verdict || b == verdict) return verdict;
  return a;
}

std::uint64_t count_inconclusive(const std::vector<const Outcome*>& copies) {
  return static_cast<std::uint64_t>(std::count_if(
      copies.begin(), copies.end(), [](const Outcome* copy) { return copy->verdict == Verdict::inconclusive; }));
}

bool is_forgiven(const Outcome& copy, std::uint64_t inconclusive, std::uint64_t copies) {
  return copy.verdict == Verdict::inconclusive && inconclusive <= copies / kForgivenShare;
}

/// Means over copies.
JobReport average(const std::vector<const Outcome*>& copies) {
  std::vector<JobReport> reports;
  std::vector<ClusterPart> parts;
  for (const Outcome* copy : copies) reports.push_back(report_of(*copy));
  for (const JobReport& report : reports) parts.push_back({&report, 1.0 / static_cast<double>(reports.size())});
  JobReport job = reports.front();
  if (reports.size() == 1) return job;
  job.metrics = merged_metrics(parts, true);
  job.batch_load_time = merged_quantiles(parts);
  job.gpu_states = weighted_states(parts);
  job.blame = weighted(parts, &JobReport::blame);
  job.relief = weighted(parts, &JobReport::relief);
  job.binding = job.relief.empty() ? std::nullopt : binding_stage(job.relief, job.blame);
  const std::uint64_t inconclusive = count_inconclusive(copies);
  job.verdict = Verdict::fed;
  for (std::size_t i = 0; i < copies.size(); ++i)
    if (!is_forgiven(*copies[i], inconclusive, copies.size())) job.verdict = worst(job.verdict, reports[i].verdict);
  return job;
}

/// Whose a resource is: names what jobs share by store or by pool, and what each has for itself by job.
Owner owner_of(const Scenario& scenario, const Job& job, Resource resource) {
  const bool local = !store_of(scenario, dataset_of(scenario, job)).is_shared();
  return local && resource == Resource::store_requests ? Owner::job : traits(resource).owner;
}

/// Throughputs of what is shared add up, those of a job's own resources are means over its copies. An estimate answers
/// each job with what others leave it: `whole` is what there is for all.
void add_stations(const Scenario& scenario, const Job& job, double copies, const std::vector<ResourceFloor>& whole,
                  const std::vector<StationReport>& own, std::vector<StationReport>& all) {
  for (const StationReport& station : own) {
    const Owner kind = owner_of(scenario, job, station.resource);
    const bool of_job = kind == Owner::job;
    const std::string& owner = of_job ? job.name : kind == Owner::pool ? job.pool : dataset_of(scenario, job).store;
    auto found = std::find_if(all.begin(), all.end(), [&](const StationReport& other) {
      return other.resource == station.resource && other.owner == owner;
    });
    if (found == all.end()) {
      StationReport first = station;
      first.owner = owner;
      first.name = station.name + (of_job ? " (job " : " (") + owner + ")";
      first.throughput = 0.0;
      first.queue_time_mean_s = 0.0;
      for (const ResourceFloor& floor : whole)
        if (!of_job && floor.resource == station.resource) first.capacity = floor.capacity_per_s;
      found = all.insert(all.end(), first);
    }
    found->carry(found->throughput + station.throughput / (of_job ? copies : 1.0));
    found->queue_time_mean_s = std::max(found->queue_time_mean_s, station.queue_time_mean_s);
    found->floor_step_time_s = std::max(found->floor_step_time_s, station.floor_step_time_s);
  }
}

/// Background load takes bandwidth and requests of its store, too.
void add_background(const Scenario& scenario, const std::vector<LoadReport>& loads, std::vector<StationReport>& all) {
  for (std::size_t b = 0; b < loads.size(); ++b) {
    const Background& load = scenario.background[b];
    const double served_bytes_per_s = loads[b].served_bytes_per_s.value_or(loads[b].asked_bytes_per_s);
    for (StationReport& station : all) {
      if (traits(station.resource).owner != Owner::store || station.owner != load.store) continue;
      if (station.stage == Stage::transfer)
        station.carry(station.throughput + served_bytes_per_s);
      else if (station.stage != Stage::metadata)
        station.carry(station.throughput + served_bytes_per_s / load.request_bytes);
    }
  }
}

void add_ledger(const std::vector<LedgerLine>& own, std::vector<LedgerLine>& all) {
  for (const LedgerLine& line : own) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const LedgerLine& other) {
      return other.item == line.item && other.unit == line.unit;
    });
    if (found == all.end()) {
      all.push_back(line);
      continue;
    }
    found->quantity += line.quantity;
    found->usd += line.usd;
  }
}

void keep_least_precise(const std::optional<PrecisionReport>& own, std::optional<PrecisionReport>& all) {
  if (!own) return;
  const auto distance = [](const PrecisionReport& report) {
    return report.reached ? *report.reached / report.asked : 1e300;
  };
  const bool enough_data = own->enough_data && (!all || all->enough_data);
  if (!all || (all->met && !own->met) || (all->met == own->met && distance(*own) > distance(*all))) all = own;
  all->enough_data = enough_data;
}

/// What every copy says, once per job.
void add_texts(const Scenario& scenario, const JobOutcome& of_job, bool forgiven, Outcome& cluster) {
  const std::string& name = scenario.jobs[of_job.job].name;
  for (const Warning& warning : of_job.outcome.warnings) {
    if (forgiven) break;
    Warning named = warning;
    named.seen = "job " + name + ": " + warning.seen;
    const bool known = std::any_of(cluster.warnings.begin(), cluster.warnings.end(),
                                   [&](const Warning& other) { return other.seen == named.seen; });
    if (!known) cluster.warnings.push_back(std::move(named));
  }
  for (ReplicationReport report : of_job.outcome.replications) {
    report.job = name;
    cluster.replications.push_back(std::move(report));
  }
}

}  // namespace

namespace {

/// A load that gets much less than it asks for never ends what it is for, a backup say.
void warn_of_starved_loads(const Scenario& scenario, Outcome& cluster) {
  constexpr double kStarved = 0.5;  // of what it asks for
  for (std::size_t i = 0; i < cluster.background.size(); ++i) {
    const LoadReport& load = cluster.background[i];
    if (!load.served_bytes_per_s || !(*load.served_bytes_per_s < kStarved * load.asked_bytes_per_s)) continue;
    const Background& asked = scenario.background[i];
    cluster.warnings.emplace_back(
        fmt::format(
            "background load {} gets {:.2g} % of what it asks for{}", load.name,
            100.0 * *load.served_bytes_per_s / load.asked_bytes_per_s,
            asked.bursts ? fmt::format(" in bursts, {:.2g} % of the time", 100.0 * asked.bursts->active_share()) : ""),
        "jobs that go first or have larger shares leave no more of what it uses",
        asked.bursts ? "spread it over more time, or give it a larger share (/background)"
                     : "give it a larger share (/background), or more bandwidth to what is full");
  }
}

}  // namespace

std::vector<LoadReport> loads_asked(const Scenario& scenario) {
  std::vector<LoadReport> loads;
  for (const Background& load : scenario.background)
    loads.push_back({load.name, load.mean_bytes_per_s(), std::nullopt});
  return loads;
}

void sum_up_jobs(Outcome& cluster) {
  double gpus = 0.0;
  for (const JobReport& job : cluster.jobs) gpus += static_cast<double>(job.gpus);
  std::vector<ClusterPart> parts;
  for (const JobReport& job : cluster.jobs) parts.push_back({&job, static_cast<double>(job.gpus) / gpus});
  cluster.metrics = merged_metrics(parts, false);
  cluster.batch_load_time = merged_quantiles(parts);
  cluster.gpu_states = weighted_states(parts);
  const double interrupted = interrupted_share(cluster.gpu_states);
  cluster.verdict = Verdict::fed;
  for (const JobReport& job : cluster.jobs)  // checkpoints of a small job do not decide for all
    if (job.verdict != Verdict::checkpoint_bound || interrupted > kFedIdleFraction)
      cluster.verdict = worst(cluster.verdict, job.verdict);
  cluster.blame = weighted(parts, &JobReport::blame);
  cluster.relief = weighted(parts, &JobReport::relief);
  if (!cluster.relief.empty()) cluster.binding = binding_stage(cluster.relief, cluster.blame);
}

Outcome merge_jobs(const Scenario& scenario, const std::vector<LoadReport>& background,
                   std::vector<JobOutcome> outcomes) {
  Outcome cluster;
  const Outcome& first = outcomes.front().outcome;
  cluster.seed = first.seed;
  cluster.stopped_by = first.stopped_by;
  cluster.estimate = first.estimate;
  for (std::size_t begin = 0; begin < outcomes.size();) {
    const std::size_t job = outcomes[begin].job;
    std::size_t end = begin;
    std::vector<const Outcome*> copies;
    for (; end < outcomes.size() && outcomes[end].job == job; ++end) copies.push_back(&outcomes[end].outcome);
    const std::uint64_t inconclusive = count_inconclusive(copies);
    for (; begin < end; ++begin) {
      const Outcome& own = outcomes[begin].outcome;
      const bool forgiven = is_forgiven(own, inconclusive, copies.size());
      cluster.steps = std::max(cluster.steps, own.steps);
      if (!forgiven && own.stopped_by != "precision" && cluster.stopped_by == "precision")
        cluster.stopped_by = own.stopped_by;
      if (own.estimate && !own.estimate->certified_error) cluster.estimate = own.estimate;
      if (!forgiven) keep_least_precise(own.precision, cluster.precision);
      add_evidence(own.evidence, cluster.evidence);
      add_ledger(own.ledger, cluster.ledger);
      add_texts(scenario, outcomes[begin], forgiven, cluster);
    }
    const IngestPath path = resolve_path(scenario, job, {});
    for (const Outcome* copy : copies)
      add_stations(scenario, scenario.jobs[job], static_cast<double>(copies.size()), resource_floors(path),
                   copy->stations, cluster.stations);
    JobReport report = average(copies);
    report.copies = copies.size();
    report.nodes = path.nodes * report.copies;
    report.gpus = path.gpus * report.copies;
    cluster.jobs.push_back(std::move(report));
  }
  cluster.evidence.not_validated.emplace_back(kSharingNotValidated);
  sum_up_jobs(cluster);
  cluster.background = background;
  warn_of_starved_loads(scenario, cluster);
  add_background(scenario, background, cluster.stations);
  return cluster;
}

}  // namespace headrace::models
