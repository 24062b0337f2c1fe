// One stage of one piece of a batch: what the itinerary asks for, and when the engine was done with it.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "models/stage.hpp"
#include "sim/time.hpp"

namespace headrace::models {

struct StageVisit {
  sim::TimeNs end_ns = 0;      ///< set by the engine; the visit begins where the one before it ended
  sim::TimeNs service_ns = 0;  ///< duration when nobody else is there; what it takes beyond that is queueing
  double work = 0.0;           ///< at a station: server-seconds, requests, bytes or core-seconds; bytes of a flow
  std::uint32_t piece = 0;     ///< of the batch
  Stage stage = Stage::cache;
  bool contended = false;  ///< executed at a station or as a flow; otherwise a plain delay
  bool shared = false;     ///< queueing and service run side by side (processor sharing, flows), else queueing first
};

/// The visits of one batch, in order; inline for a batch in one piece, since a run touches them at every event.
using Itinerary = boost::container::small_vector<StageVisit, 8>;

}  // namespace headrace::models
