// How far down each decision can go alone until the GPUs wait for data.
#pragma once

#include <string>
#include <vector>

#include "models/base/task_pool.hpp"
#include "scenarios/planner/scenario_field.hpp"

namespace headrace::scenarios {

/// Of every decision the least value with which the GPUs do not wait, as many as that of `best` or fewer, while all
/// others are those of `best`: "workers 3". At the values as stated, by runs of `steps` steps; that less waits more is
/// taken for granted. Decisions that are no numbers are left out, as are those whose smaller values take longer though
/// no GPU waits (fewer GPUs). Nothing where the GPUs wait with `best`.
std::vector<std::string> least_fed(const ScenarioField& field, Point best, std::uint64_t steps, models::TaskPool& pool);

}  // namespace headrace::scenarios
