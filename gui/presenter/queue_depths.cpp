#include "gui/presenter/queue_depths.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "reports/humane.hpp"

namespace headrace::gui {
namespace {

constexpr double kNsPerSecond = 1e9;

/// Time that something stood in each piece.
class Pieces {
 public:
  Pieces(int count, double length_ns) : held_(static_cast<std::size_t>(count), 0.0), length_ns_(length_ns) {}

  void add(sim::TimeNs begin_ns, sim::TimeNs end_ns) {
    const auto begin = static_cast<double>(begin_ns);
    const auto end = std::min(static_cast<double>(end_ns), length_ns_ * static_cast<double>(held_.size()));
    if (!(end > begin)) return;
    for (auto piece = static_cast<std::size_t>(begin / length_ns_); piece < held_.size(); ++piece) {
      const double from = std::max(begin, static_cast<double>(piece) * length_ns_);
      const double to = std::min(end, static_cast<double>(piece + 1) * length_ns_);
      if (!(to > from)) break;
      held_[piece] += to - from;
    }
  }

  std::vector<double> depth(double loaders) const {
    std::vector<double> mean = held_;
    for (double& value : mean) value /= length_ns_ * loaders;
    return mean;
  }
  double total() const { return std::accumulate(held_.begin(), held_.end(), 0.0); }

 private:
  std::vector<double> held_;
  double length_ns_;
};

/// Until a loader begins the last batch of the recording: from then on its queue runs empty, which no epoch's does.
double full_until_ns(const models::JobTimeline& job) {
  std::uint64_t last = 0;
  for (const models::TimelineBatch& batch : job.batches) last = std::max(last, batch.step);
  sim::TimeNs until_ns = job.steps.records.back().start_ns;
  for (const models::TimelineBatch& batch : job.batches)
    if (batch.step == last && batch.assigned_ns > 0) until_ns = std::min(until_ns, batch.assigned_ns);
  return static_cast<double>(until_ns);
}

}  // namespace

models::TimelineOptions short_recording(const models::Scenario& scenario, std::size_t window) {
  constexpr double kMostBatches = 40000.0;
  constexpr double kFewest = 12.0;
  constexpr double kMost = 200.0;
  double loaders = 0.0;
  for (const models::Pool& pool : scenario.cluster.pools)
    loaders += static_cast<double>(pool.nodes) * static_cast<double>(pool.gpus_per_node);
  models::TimelineOptions options;
  options.window = static_cast<std::uint32_t>(window);
  options.steps = static_cast<std::uint64_t>(std::clamp(kMostBatches / std::max(1.0, loaders), kFewest, kMost));
  return options;
}

QueueDepths queue_depths(const models::Timeline& timeline, int pieces, std::size_t stages) {
  QueueDepths depths;
  if (timeline.jobs.empty() || pieces < 1) return depths;
  const models::JobTimeline& job = timeline.jobs.front();
  if (job.steps.records.empty() || job.watched == 0 || job.batches.empty()) return depths;
  // From the start: the queue that fills, and the one that it becomes.
  const double end_ns = full_until_ns(job);
  if (!(end_ns > 0.0)) return depths;
  const double length_ns = end_ns / pieces;
  Pieces ready(pieces, length_ns);
  std::vector<Pieces> held(models::kStageCount, Pieces(pieces, length_ns));
  for (const models::TimelineBatch& batch : job.batches) {
    ready.add(batch.ready_ns, batch.taken_ns);
    for (const models::TimelineVisit& visit : batch.visits) {
      if (models::index(visit.stage) < held.size()) held[models::index(visit.stage)].add(visit.begin_ns, visit.end_ns);
    }
  }
  for (int i = 0; i < pieces; ++i) depths.time_s.push_back((i + 0.5) * length_ns / kNsPerSecond);
  const double loaders = job.watched;
  depths.series.push_back({"ready", ready.depth(loaders)});
  std::vector<std::size_t> order(held.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return held[a].total() > held[b].total(); });
  for (std::size_t i = 0; i < std::min(stages, order.size()); ++i)
    if (held[order[i]].total() > 0.0)
      depths.series.push_back({reports::words(models::kStageNames[order[i]]), held[order[i]].depth(loaders)});
  return depths;
}

}  // namespace headrace::gui
