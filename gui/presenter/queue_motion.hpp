// Batches on their way, as they stand at each moment of a recording: what the picture of the data path moves by.
#pragma once

#include <array>
#include <vector>

#include "gui/presenter/station_facts.hpp"
#include "models/cluster/timeline.hpp"

namespace headrace::gui {

/// Mean batches of one loader at a moment.
struct QueueMoment {
  std::array<double, models::kStageCount> held{};  ///< by stage
  double ready = 0.0;                              ///< in front of the GPU
};

struct QueueMotion {
  double length_s = 0.0;             ///< of the recording that is shown; 0: nothing is known
  std::vector<QueueMoment> moments;  ///< evenly over the length

  /// At a time since the start, over and over.
  const QueueMoment& at(double time_s) const;
  /// What stands still where nothing may move.
  QueueMoment mean() const;
};

/// Of the first job, without the start of the loader. Empty where too little was recorded.
QueueMotion queue_motion(const models::Timeline& timeline);

/// Batches that stand at each of the stations, in their order: a stage counts at its busiest one, stages without a
/// station at the workers, what is ready at the GPUs.
std::vector<double> standing(const QueueMoment& moment, const std::vector<StationRef>& stations,
                             const std::vector<double>& utilization);

/// Options of a recording for a picture: some steps of a few loaders in one window of the epoch.
models::TimelineOptions picture_recording(const models::Scenario& scenario, std::size_t window = 0);

}  // namespace headrace::gui
