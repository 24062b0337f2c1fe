#include "gui/presenter/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/base/abandoned.hpp"
#include "models/cluster/timeline.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/warm_up_at_least.hpp"
#include "models/study/study.hpp"
#include "reports/humane.hpp"
#include "reports/timeline_json.hpp"

namespace headrace::gui {
namespace {

constexpr std::size_t kPieces = 120;
constexpr std::size_t kMostGpus = 4;
constexpr double kStepsSeen = 8.0;

/// When the queues have filled, which figures leave out; half of a recording at most.
double warm_from_s(const models::JobTimeline& job, const models::IngestPath& path) {
  const auto& steps = job.steps.records;
  if (steps.empty()) return 0.0;
  const std::uint64_t at_least = models::warm_up_at_least_steps(path);
  const std::size_t warm = std::min<std::size_t>(at_least, steps.size() / 2);
  return static_cast<double>(steps[warm].start_ns) * 1e-9;
}

}  // namespace

models::Timeline recorded_timeline(const ScenarioDocument& document, std::size_t window, std::uint64_t steps,
                                   const std::stop_token& stop) {
  models::StudyOptions study;
  study.abandon = stop;
  models::TimelineOptions options;
  options.granularity = models::chosen_granularity(study, document.scenario()).value_or(models::Granularity{});
  options.window = static_cast<std::uint32_t>(window);
  options.steps = steps;
  models::end_if_abandoned(stop);
  models::Timeline timeline = models::record_timeline(document.scenario(), options);
  models::end_if_abandoned(stop);
  return timeline;
}

Recording record_window(const ScenarioDocument& document, std::size_t window, const std::stop_token& stop) {
  const models::Timeline timeline = recorded_timeline(document, window, 0, stop);
  Recording recording;
  recording.lanes = batch_lanes(reports::timeline_json(timeline), kMostGpus, kPieces);
  if (timeline.jobs.empty()) return recording;
  const models::JobTimeline& job = timeline.jobs.front();
  const models::IngestPath path = models::resolve_path(document.scenario(), 0, {});
  const std::size_t whole = job.steps.records.size() - 1;  // of the last there is the start alone
  const auto steps = static_cast<double>(whole);
  if (recording.lanes.piece_s() > 0.0)
    recording.lanes.first = std::max(recording.lanes.first,
                                     static_cast<std::size_t>(warm_from_s(job, path) / recording.lanes.piece_s()) + 1);
  recording.stretch = static_cast<std::size_t>(std::clamp(
      std::ceil(kStepsSeen * static_cast<double>(kPieces) / std::max(1.0, steps)), 2.0, static_cast<double>(kPieces)));
  recording.words = fmt::format(
      "{} of {} recorded{}, {} of {} loaders watched", reports::counted(whole, "step"), job.name,
      steps > path.steps_per_epoch() ? fmt::format(", as if its epoch of {:.0f} went on", path.steps_per_epoch()) : "",
      job.watched, job.loaders);
  return recording;
}

const std::vector<models::WindowReport>& windows_of(const models::Outcome& outcome) {
  return outcome.windows.empty() && !outcome.jobs.empty() ? outcome.jobs.front().windows : outcome.windows;
}

std::size_t worst_window(const std::vector<models::WindowReport>& windows) {
  const auto worst = std::max_element(windows.begin(), windows.end(),
                                      [](const auto& a, const auto& b) { return a.step_time_s < b.step_time_s; });
  return static_cast<std::size_t>(worst - windows.begin());
}

}  // namespace headrace::gui
