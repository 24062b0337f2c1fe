// How busy the workers of the jobs' loaders are: a station of the data path that no outcome lists, because it is
// no resource that batches share.
#pragma once

#include <optional>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

/// Share of their time that the workers have a batch under way, at the step time of the outcome; nothing where the
/// loader has none. A bound leaves out the time in queues.
std::optional<double> workers_load(const ScenarioDocument& document, const models::Outcome& outcome,
                                   std::size_t job = 0);
/// Of every job.
std::vector<std::optional<double>> workers_loads(const ScenarioDocument& document, const models::Outcome& outcome);

}  // namespace headrace::gui
