// The recorded steps of a few GPUs as lanes to look at: what each GPU does, and the batches of its workers. Made from
// the trace that `headrace simulate --timeline` writes.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace headrace::gui {

struct LaneBar {
  double begin_s = 0.0;
  double end_s = 0.0;
  std::size_t look = 0;  ///< index among the looks
  std::string text;      ///< "batch 12, step 3"
};

struct Lane {
  std::string name;  ///< "train, node 0: GPU 0, worker 1"
  bool gpu = false;
  std::vector<LaneBar> bars;  ///< by begin
};

struct BatchLanes {
  std::vector<Lane> lanes;         ///< each GPU with its workers behind it
  std::vector<std::string> looks;  ///< what a GPU does, then the stages of batches: "compute", "decode"
  double end_s = 0.0;
  std::vector<double> waiting;  ///< share of the GPU lanes that wait for data, in equal pieces of the time
  std::size_t first = 0;        ///< piece from which the worst is sought: before it GPUs start up, and queues fill

  double piece_s() const { return waiting.empty() ? 0.0 : end_s / static_cast<double>(waiting.size()); }
};

/// The waits of GPUs for data are the first looks.
inline constexpr std::size_t kWaitLooks = 2;

BatchLanes batch_lanes(const nlohmann::ordered_json& trace, std::size_t most_gpus, std::size_t pieces);

/// The begin of the stretch of `length` pieces in which GPUs wait most; a start-up is none of its own choice.
std::size_t worst_stretch(const BatchLanes& lanes, std::size_t length);

}  // namespace headrace::gui
