#include "models/timeline.hpp"

#include <algorithm>

#include "models/cluster_plan.hpp"
#include "models/cluster_run.hpp"
#include "models/hit_profile.hpp"

namespace headrace::models {

namespace {

/// Writes down what a job's loaders hand over.
class Recorder : public BatchWatcher {
 public:
  explicit Recorder(JobTimeline& timeline) : timeline_(timeline) {}

  void taken(const Shipment& shipment, std::uint64_t step, sim::TimeNs now_ns) override {
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
      batch.visits.push_back(
          {visit.stage(), begin_ns, visit.end_ns, std::min(visit.service_ns(), visit.end_ns - begin_ns)});
      begin_ns = visit.end_ns;
    }
    timeline_.batches.push_back(std::move(batch));
  }

 private:
  JobTimeline& timeline_;
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
  const std::uint64_t kept = std::max<std::uint64_t>(2, options.most_batches / std::max<std::uint64_t>(1, watched));
  const std::uint64_t usual =
      std::clamp<std::uint64_t>(kMostSimulated / std::max<std::uint64_t>(1, loaders), 20, kMostSteps);
  return std::min(options.steps > 0 ? options.steps : usual, kept);
}

}  // namespace

Timeline record_timeline(const Scenario& scenario, const TimelineOptions& options) {
  ClusterPlan plan = plan_cluster(scenario, options.granularity);
  Timeline timeline;
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    const JobPlace& place = plan.jobs[i];
    const EpochWindow window = epoch_windows(scenario, place.job, options.seed).front();
    enter_window(plan, i, window);
    JobTimeline job;
    job.name = scenario.jobs[place.job].name;
    job.loaders = place.path.loaders;
    job.watched = loaders_on(place.path, options.nodes);
    job.batch_samples = place.path.batch_samples;
    job.hit_ratio = window.hit_ratio;
    timeline.jobs.push_back(std::move(job));
  }
  const std::uint64_t steps = steps_within(timeline, options);
  RunSwitches switches;
  switches.contention = options.contention;
  ClusterRun run(plan, options.seed, options.replication, switches);
  std::vector<Recorder> recorders;
  recorders.reserve(timeline.jobs.size());
  for (std::size_t i = 0; i < timeline.jobs.size(); ++i) {
    recorders.emplace_back(timeline.jobs[i]);
    run.watch(i, recorders.back(), timeline.jobs[i].watched);
  }
  run.run_to(steps);
  for (std::size_t i = 0; i < timeline.jobs.size(); ++i) timeline.jobs[i].steps = run.job(i).log();
  return timeline;
}

}  // namespace headrace::models
