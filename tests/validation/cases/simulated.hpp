// The simulated predictors, one file each.
#pragma once

#include "tests/validation/cases/reference_case.hpp"

namespace headrace::cases {

std::optional<Prediction> simulate_loaders(const ReferenceCase& reference);     // prefetch_sim, barrier_sim
std::optional<Prediction> simulate_contention(const ReferenceCase& reference);  // contention_sim
std::optional<Prediction> compare_engines(const ReferenceCase& reference);      // event-driven against max-plus
std::optional<Prediction> simulate_fifo_cache(const ReferenceCase& reference);  // cache
std::optional<Prediction> simulate_checkpoints(const ReferenceCase& reference);
std::optional<Prediction> simulate_hot_spots(const ReferenceCase& reference);

}  // namespace headrace::cases
