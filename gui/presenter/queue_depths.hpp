// How many batches stand where over time: at each stage of the path, and ready in front of the GPUs.
#pragma once

#include <string>
#include <vector>

#include "models/cluster/timeline.hpp"

namespace headrace::gui {

struct DepthSeries {
  std::string name;           ///< "ready", "decode"
  std::vector<double> depth;  ///< mean batches per loader in each piece of time
};

struct QueueDepths {
  std::vector<double> time_s;  ///< middle of each piece
  std::vector<DepthSeries> series;
};

/// Of the first job of a timeline, in `pieces` equal pieces of its time: what is ready first, then the stages that hold
/// most, at most `stages` of them.
QueueDepths queue_depths(const models::Timeline& timeline, int pieces, std::size_t stages);

/// Options of a recording that people can wait for, of one window of the epoch: fewer steps of larger jobs.
models::TimelineOptions short_recording(const models::Scenario& scenario, std::size_t window = 0);

}  // namespace headrace::gui
