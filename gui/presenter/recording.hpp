// A recording of the steps of one window of the epoch, as `headrace simulate --timeline` makes it of the first one.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/presenter/batch_lanes.hpp"
#include "gui/presenter/scenario_document.hpp"
#include "models/cluster/timeline.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

struct Recording {
  BatchLanes lanes;
  std::size_t stretch = 1;  ///< pieces that are looked at together: some steps
  std::string words;        ///< "500 steps of train, 2 nodes of it watched"
};

/// The same as batches and steps: of `steps` steps, 0: as many as the model chooses.
models::Timeline recorded_timeline(const ScenarioDocument& document, std::size_t window, std::uint64_t steps,
                                   const std::stop_token& stop);

Recording record_window(const ScenarioDocument& document, std::size_t window, const std::stop_token& stop);

/// Windows of the epoch of the first job.
const std::vector<models::WindowReport>& windows_of(const models::Outcome& outcome);
/// The one with the longest step; 0 without any.
std::size_t worst_window(const std::vector<models::WindowReport>& windows);

}  // namespace headrace::gui
