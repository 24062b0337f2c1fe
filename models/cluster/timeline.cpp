#include "models/cluster/timeline.hpp"

#include <algorithm>

#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/path/epoch_windows.hpp"

namespace headrace::models {

namespace {

/// Writes down what a job's loaders hand over in steps 0 to `last_step`, and what is ready or under way when the last
/// one starts.
class Recorder : public BatchWatcher {
 public:
  Recorder(JobTimeline& timeline, std::uint64_t last_step) : timeline_(timeline), last_step_(last_step) {}

  void taken(const Shipment& shipment, std::uint64_t step, sim::TimeNs now_ns) override {
    if (step <= last_step_) {
      end_ns_ = now_ns;
      timeline_.batches.push_back(batch_of(shipment, step, now_ns));
    } else if (shipment.delivered_ns() <= end_ns_) {
      timeline_.waiting.push_back(batch_of(shipment, step, now_ns));
    } else if (shipment.assigned_ns < end_ns_) {
      timeline_.loading.push_back(batch_of(shipment, step, now_ns));
    }
  }

 private:
  static TimelineBatch batch_of(const Shipment& shipment, std::uint64_t step, sim::TimeNs now_ns) {
    TimelineBatch batch;
    batch.loader = shipment.loader;
    batch.node = shipment.node;
    batch.worker = shipment.worker;
    batch.batch = shipment.batch;
    batch.step = step;
    batch.assigned_ns = shipment.assigned_ns;
    batch.ready_ns = shipment.ready_ns;
    batch.taken_ns = now_ns;
    sim::TimeNs begin_ns = shipment.assigned_ns;
    for (const StageVisit& visit : shipment.timeline().visits) {
      if (visit.waits_for_rank()) begin_ns = visit.end_ns - visit.service_ns();
      batch.visits.push_back(
          {visit.stage(), begin_ns, visit.end_ns, std::min(visit.service_ns(), visit.end_ns - begin_ns)});
      begin_ns = visit.end_ns;
    }
    return batch;
  }

  JobTimeline& timeline_;
  std::uint64_t last_step_;
  sim::TimeNs end_ns_ = 0;
};

std::uint32_t loaders_on(const IngestPath& path, std::uint32_t nodes) {
  std::uint32_t loaders = 0;
  while (loaders < path.loaders && path.node_of(loaders) < nodes) ++loaders;
  return loaders;
}

std::uint64_t steps_within(const Timeline& timeline, const TimelineOptions& options) {
  constexpr std::uint64_t kMostSteps = 500;
  constexpr std::uint64_t kMostSimulated = 2'000'000;  // batches of all loaders: a few seconds
  std::uint64_t watched = 0;
  std::uint64_t loaders = 0;
  for (const JobTimeline& job : timeline.jobs) {
    watched += job.watched;
    loaders += job.loaders;
  }
  // The last step is open and takes batches too.
  const std::uint64_t kept = std::max<std::uint64_t>(3, options.most_batches / std::max<std::uint64_t>(1, watched)) - 1;
  const std::uint64_t usual =
      std::clamp<std::uint64_t>(kMostSimulated / std::max<std::uint64_t>(1, loaders), 20, kMostSteps);
  return std::min(options.steps > 0 ? options.steps : usual, kept);
}

/// From empty queues to the first step.
TimelineSpan epoch_start_of(const JobTimeline& job, const IngestPath& path) {
  return {job.name + ", epoch",
          "start",
          "first batches, after the start of workers",
          TimelineBasis::simulated,
          0,
          job.steps.records.front().start_ns,
          {{"worker_start_s", path.worker_start_s}}};
}

/// The first `steps` steps, and the one behind them as it was when it started.
StepLog first_steps(const StepLog& log, std::uint64_t steps) {
  StepLog first = log;
  first.records.resize(steps + 1);
  StepRecord& open = first.records.back();
  open.wait_own_ns = open.wait_peer_ns = 0;
  open.blame = {};
  return first;
}

}  // namespace

Timeline record_timeline(const Scenario& scenario, const TimelineOptions& options) {
  ClusterPlan plan = plan_cluster(scenario, options.granularity);
  Timeline timeline;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    const JobPlace& place = plan.jobs[i];
    const std::vector<EpochWindow> windows = epoch_windows(scenario, place.job, options.seed);
    const EpochWindow& window = windows[std::min<std::size_t>(options.window, windows.size() - 1)];
    enter_window(plan, i, window);
    JobTimeline job;
    job.name = scenario.jobs[place.job].name;
    job.loaders = place.path.loaders;
    job.watched = loaders_on(place.path, options.nodes);
    job.batch_samples = place.path.batch_samples;
    job.hit_ratio = window.hit_ratio;
    job.window_share = window.weight;
    timeline.jobs.push_back(std::move(job));
  }
  const std::uint64_t steps = steps_within(timeline, options);
  // A batch that is ready or under way when a step starts is taken at most so many steps later.
  std::vector<std::uint64_t> goals;
  for (const JobPlace& place : plan.jobs) goals.push_back(steps + place.path.outstanding);
  RunSwitches switches;
  switches.contention = options.contention;
  ClusterRun run(plan, options.seed, options.replication, switches, options.abandon);
  std::vector<Recorder> recorders;
  recorders.reserve(timeline.jobs.size());
  for (std::size_t i = 0; i < timeline.jobs.size(); ++i) {
    recorders.emplace_back(timeline.jobs[i], steps);
    run.watch(i, recorders.back(), timeline.jobs[i].watched);
  }
  run.run_to(goals);
  for (std::size_t i = 0; i < timeline.jobs.size(); ++i) {
    timeline.jobs[i].steps = first_steps(run.job(i).log(), steps);
    if (plan.jobs[i].path.epochs_start_anew())
      timeline.spans.push_back(epoch_start_of(timeline.jobs[i], plan.jobs[i].path));
  }
  return timeline;
}

}  // namespace headrace::models
