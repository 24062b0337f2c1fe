#include "gui/presenter/queue_motion.hpp"

#include <algorithm>
#include <cmath>

#include "gui/presenter/queue_depths.hpp"

namespace headrace::gui {
namespace {

/// Something stands from one time to another; counted at each moment.
class Moments {
 public:
  Moments(QueueMotion& motion, double from_ns, double loaders)
      : motion_(motion), from_ns_(from_ns), share_(1.0 / loaders) {}

  template <class Count>
  void add(sim::TimeNs begin_ns, sim::TimeNs end_ns, const Count& count) {
    const double each_ns = motion_.length_s * 1e9 / static_cast<double>(motion_.moments.size());
    const double first = std::ceil(std::max(0.0, (static_cast<double>(begin_ns) - from_ns_) / each_ns));
    const double end = (static_cast<double>(end_ns) - from_ns_) / each_ns;
    for (auto i = static_cast<std::size_t>(first); i < motion_.moments.size() && static_cast<double>(i) < end; ++i)
      count(motion_.moments[i]) += share_;
  }

 private:
  QueueMotion& motion_;
  double from_ns_;
  double share_;
};

}  // namespace

const QueueMoment& QueueMotion::at(double time_s) const {
  const double turn = std::fmod(std::max(0.0, time_s), length_s) / length_s;
  return moments[std::min(moments.size() - 1, static_cast<std::size_t>(turn * static_cast<double>(moments.size())))];
}

QueueMoment QueueMotion::mean() const {
  QueueMoment mean;
  const auto count = static_cast<double>(std::max<std::size_t>(1, moments.size()));
  for (const QueueMoment& moment : moments) {
    mean.ready += moment.ready / count;
    for (std::size_t i = 0; i < mean.held.size(); ++i) mean.held[i] += moment.held[i] / count;
  }
  return mean;
}

QueueMotion queue_motion(const models::Timeline& timeline) {
  constexpr double kFrame_s = 0.05;
  constexpr double kFewest = 60.0;
  constexpr double kMost = 2000.0;
  QueueMotion motion;
  if (timeline.jobs.empty()) return motion;
  const models::JobTimeline& job = timeline.jobs.front();
  if (job.steps.records.size() < 4 || job.watched == 0) return motion;
  const std::size_t first = job.steps.records.size() / 4;
  const auto from_ns = static_cast<double>(job.steps.records[first].start_ns);
  motion.length_s = (static_cast<double>(job.steps.records.back().start_ns) - from_ns) * 1e-9;
  if (!(motion.length_s > 0.0)) return {};
  motion.moments.resize(static_cast<std::size_t>(std::clamp(motion.length_s / kFrame_s, kFewest, kMost)));
  Moments moments(motion, from_ns, job.watched);
  for (const auto* batches : {&job.batches, &job.waiting, &job.loading})
    for (const models::TimelineBatch& batch : *batches) {
      for (const models::TimelineVisit& visit : batch.visits)
        moments.add(visit.begin_ns, visit.end_ns,
                    [&](QueueMoment& moment) -> double& { return moment.held[models::index(visit.stage)]; });
      if (batches == &job.loading) continue;
      const sim::TimeNs taken_ns = batches == &job.waiting ? job.steps.records.back().start_ns : batch.taken_ns;
      moments.add(batch.ready_ns, taken_ns, [](QueueMoment& moment) -> double& { return moment.ready; });
    }
  return motion;
}

std::vector<double> standing(const QueueMoment& moment, const std::vector<StationRef>& stations,
                             const std::vector<double>& utilization) {
  std::vector<double> batches(stations.size(), 0.0);
  std::optional<std::size_t> workers;
  for (std::size_t i = 0; i < stations.size(); ++i) {
    if (stations[i].what == StationRef::What::workers) workers = i;
    if (stations[i].what == StationRef::What::gpus) batches[i] += moment.ready;
  }
  for (std::size_t stage = 0; stage < moment.held.size(); ++stage) {
    std::optional<std::size_t> place;
    for (std::size_t i = 0; i < stations.size(); ++i) {
      if (stations[i].what != StationRef::What::resource) continue;
      const std::optional<models::Stage> limited = models::traits(stations[i].resource).stage;
      if (limited && models::index(*limited) == stage && (!place || utilization[i] > utilization[*place])) place = i;
    }
    if (!place) place = workers;
    if (place) batches[*place] += moment.held[stage];
  }
  return batches;
}

models::TimelineOptions picture_recording(const models::Scenario& scenario, std::size_t window) {
  models::TimelineOptions options = short_recording(scenario, window);
  constexpr std::uint64_t kMostSteps = 48;
  options.steps = std::min(options.steps, kMostSteps);
  return options;
}

}  // namespace headrace::gui
