#include "models/study/job_study.hpp"

#include <algorithm>
#include <utility>

#include "models/cluster/cluster_run.hpp"
#include "models/engine/epoch_refill.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

/// Takes what is too rare to wait for out of the laws of a job that is alone.
JobStudy study_of(const Scenario& scenario, JobPlace& place, bool alone, std::uint64_t seed) {
  JobStudy job;
  job.job = place.job;
  RareStalls rare = without_rare_stalls(place.path);
  if (alone) {
    place.path = std::move(rare.usual);
    job.left_out = std::move(rare.taken);
    job.seldom = std::move(rare.left);
  } else {
    job.seldom = std::move(rare.taken);
    job.seldom.insert(job.seldom.end(), rare.left.begin(), rare.left.end());
  }
  job.windows = epoch_windows(scenario, place.job, seed);
  return job;
}

/// As many windows as `count`: the job's own in turn, each with an equal part of its weight; and each once for every
/// state.
void share_out(std::vector<EpochWindow>& windows, std::size_t count, const std::vector<LoadState>& states) {
  const std::vector<EpochWindow> own = windows;
  windows.clear();
  for (std::size_t w = 0; w < count; ++w) {
    EpochWindow window = own[w % own.size()];
    const std::size_t times = count / own.size() + (w % own.size() < count % own.size() ? 1 : 0);
    if (times > 1) window.weight /= static_cast<double>(times);
    for (const LoadState& state : states) {
      windows.push_back(window);
      windows.back().weight *= state.share;
    }
  }
}

/// States hold shares of time, windows shares of steps: where steps take longer there are fewer of them.
std::vector<double> weights_by_time(const JobStudy& job, const std::vector<WindowMeans>& means,
                                    const std::vector<LoadState>& states) {
  std::vector<double> weights;
  for (const EpochWindow& window : job.windows) weights.push_back(window.weight);
  if (states.size() < 2) return weights;
  for (std::size_t first = 0; first < weights.size(); first += states.size()) {
    double weight = 0.0;
    double steps = 0.0;
    for (std::size_t s = 0; s < states.size(); ++s) {
      weight += weights[first + s];
      steps += states[s].share / means[first + s].step_time_s.mean;
    }
    for (std::size_t s = 0; s < states.size(); ++s)
      weights[first + s] = weight * states[s].share / means[first + s].step_time_s.mean / steps;
  }
  return weights;
}

/// Over the replications of a window.
double mean_refill_s(const WindowStudy& study) {
  constexpr std::size_t kTransient = 4;  // times the batches that fill the queues
  double sum_s = 0.0;
  for (std::uint32_t r = 0; r < study.replications(); ++r)
    sum_s += refill_s(study.log(r), kTransient * study.path().outstanding, study.path().workers);
  return sum_s / study.replications();
}

EpochMeans epoch_means(const JobStudy& job, const JobMeans& of_job) {
  EpochMeans epoch;
  epoch.kind = AnswerKind::simulated;
  WeightedSum step;
  for (std::size_t i = 0; i < of_job.windows.size(); ++i) step.add(of_job.weights[i], of_job.windows[i].step_time_s);
  epoch.step_time_s = step.value();
  // A share of the epoch weighs each window by its time, not by its steps.
  WeightedSum idle;
  WeightedSum busy;
  for (std::size_t i = 0; i < of_job.windows.size(); ++i) {
    const WindowMeans& window = of_job.windows[i];
    const double weight = of_job.weights[i] * window.step_time_s.mean / epoch.step_time_s.mean;
    idle.add(weight, window.idle_fraction);
    busy.add(weight, window.utilization);
    for (std::size_t s = 0; s < kGpuStateCount; ++s) epoch.state_s[s] += of_job.weights[i] * window.state_s[s];
  }
  epoch.idle_fraction = idle.value();
  epoch.utilization = busy.value();
  if (!job.leaves_out_first)
    epoch.first_epoch_step_time_s = job.cold ? job.cold->means().step_time_s : epoch.step_time_s;
  return epoch;
}

}  // namespace

bool JobStudy::meets_enough_stalls(std::size_t window, std::uint64_t steps) const {
  constexpr double kEnough = 50.0;
  const IngestPath& path = studies[window]->path();
  return std::all_of(seldom.begin(), seldom.end(), [&](const RareStall& stall) {
    const double share = stalled_step_share(path, stall);
    return !(share > 0.0) || share * static_cast<double>(steps) >= kEnough;
  });
}

std::size_t JobStudy::longest() const {
  const auto most = std::max_element(windows.begin(), windows.end(),
                                     [](const EpochWindow& a, const EpochWindow& b) { return a.weight < b.weight; });
  return static_cast<std::size_t>(most - windows.begin());
}

StudyJobs::StudyJobs(const Scenario& scenario, Granularity granularity, const SamplerOptions& options)
    : sampler(options) {
  ClusterPlan plan = plan_cluster(scenario, granularity);
  const bool alone = plan.jobs.size() == 1 && plan.background.empty();
  std::size_t count = 0;
  for (JobPlace& place : plan.jobs) {
    jobs.push_back(study_of(scenario, place, alone, options.seed));
    count = std::max(count, jobs.back().windows.size());
  }
  states = take_slow_states(plan, scenario.background.size());
  if (options.sampled > 0) choose_nodes(scenario, plan, options);
  add_windows(plan, count);
  add_first_epoch(scenario, plan, options.first_epoch);
}

/// Nodes are sampled in all windows or in none.
void StudyJobs::choose_nodes(const Scenario& scenario, ClusterPlan plan, const SamplerOptions& options) {
  const JobStudy& job = jobs.front();
  std::vector<EpochWindow> windows = job.windows;
  if (const std::optional<EpochWindow> first = first_epoch_window(scenario, job.job)) windows.push_back(*first);
  if (!options.contention) unlike = "nothing is shared";
  if (!job.left_out.empty() || !job.seldom.empty()) unlike = "rare stalls of any node stop all of them";
  for (std::size_t w = 0; w < windows.size() && unlike.empty(); ++w) {
    enter_window(plan, 0, windows[w]);
    unlike = unlike_reason(plan, options.sampled);
  }
  if (unlike.empty()) sample = node_sample(plan.jobs.front().path, options.sampled);
}

const WindowRuns& StudyJobs::add_runs(const ClusterPlan& plan) {
  return sampler.add(sample ? sample_nodes(plan, *sample) : plan);
}

void StudyJobs::add_windows(ClusterPlan& plan, std::size_t count) {
  for (JobStudy& job : jobs) share_out(job.windows, count, states);
  for (std::size_t w = 0; w < count * states.size(); ++w) {
    for (std::size_t i = 0; i < jobs.size(); ++i) enter_window(plan, i, jobs[i].windows[w]);
    const WindowRuns& runs = add_runs(in_state(plan, states[w % states.size()]));
    for (std::size_t i = 0; i < jobs.size(); ++i)
      jobs[i].studies.push_back(std::make_unique<WindowStudy>(runs, i, jobs[i].windows[w].weight));
  }
}

/// The first epoch finds other caches: a window of its own that no epoch mean counts, in the likeliest state.
void StudyJobs::add_first_epoch(const Scenario& scenario, ClusterPlan& plan, bool asked) {
  std::vector<EpochWindow> first;
  bool warm = false;
  bool differs = false;
  for (const JobStudy& job : jobs) {
    for (const EpochWindow& window : job.windows) warm = warm || window.hit_ratio + window.tiers.read() > 0.0;
    const std::optional<EpochWindow> own = first_epoch_window(scenario, job.job);
    differs = differs || own.has_value();
    first.push_back(own.value_or(mean_window(job.windows)));
  }
  if (!warm || !differs) return;
  if (!asked) {
    for (JobStudy& job : jobs) job.leaves_out_first = true;
    return;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) enter_window(plan, i, first[i]);
  const auto likeliest = std::max_element(states.begin(), states.end(),
                                          [](const LoadState& a, const LoadState& b) { return a.share < b.share; });
  const WindowRuns& runs = add_runs(in_state(plan, *likeliest));
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].cold = std::make_unique<WindowStudy>(runs, i, 0.0);
}

std::vector<WindowStudy*> StudyJobs::all_windows() const {
  std::vector<WindowStudy*> all;
  for (const JobStudy& job : jobs) {
    for (const auto& study : job.studies) all.push_back(study.get());
    if (job.cold) all.push_back(job.cold.get());
  }
  return all;
}

JobMeans StudyJobs::measure(const Scenario& scenario, const JobStudy& job) const {
  JobMeans means;
  for (const auto& study : job.studies) means.windows.push_back(study->means());
  means.weights = weights_by_time(job, means.windows, states);
  for (std::size_t i = 0; i < job.studies.size(); ++i) job.studies[i]->set_weight(means.weights[i]);
  means.epoch = epoch_means(job, means);
  if (job.studies.front()->path().epochs_start_anew()) means.epoch.refill_s = mean_refill_s(*job.studies.front());
  if (!job.leaves_out_first)
    means.epoch.time_to_first_step_s =
        staging_time_s(scenario, job.job) + sim::seconds(job.first_window().first_start_ns());
  return means;
}

std::vector<LoadReport> StudyJobs::background_loads(const Scenario& scenario) const {
  std::vector<LoadReport> loads = loads_asked(scenario);
  const std::size_t windows = jobs.front().studies.size();
  if (!sampler.window(0).options().contention) return loads;
  for (LoadReport& load : loads) load.served_bytes_per_s = 0.0;
  for (std::size_t w = 0; w < windows; ++w) {
    const WindowRuns& runs = sampler.window(w);
    const double share = states[w % states.size()].share * static_cast<double>(states.size()) /
                         static_cast<double>(windows * runs.replications());
    for (std::uint32_t r = 0; r < runs.replications(); ++r)
      for (const auto& run : runs.run(r).background())
        *loads[run->plan().load].served_bytes_per_s += share * run->bytes_per_s();
  }
  return loads;
}

}  // namespace headrace::models
