// How busy the workers of the jobs' loaders are: a station of the data path that no outcome lists, because it is
// no resource that batches share.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// The dimension of evidence: mean time of a batch over workers times step time.
inline constexpr std::string_view kWorkersLoad = "load of the workers";

/// Share of their time that the workers have a batch under way, at the step time of the outcome; nothing where the
/// loader has none. A bound leaves out the time in queues.
std::optional<double> workers_load(const Scenario& scenario, const Outcome& outcome, std::size_t job = 0);
/// Of every job.
std::vector<std::optional<double>> workers_loads(const Scenario& scenario, const Outcome& outcome);
/// Of the job whose workers are busiest.
std::optional<double> busiest_workers(const Scenario& scenario, const Outcome& outcome);

}  // namespace headrace::models
