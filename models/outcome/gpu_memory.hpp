// What one GPU must hold: the model's states, activations, and the batches that wait for it.
//
// Sources: S. Rajbhandari et al., ZeRO, SC 2020, figure 1 (states by stage); V. Korthikanti et al., 2022 (activations).
// Deviations: fragmentation, the framework's own buffers and the peak of a layer that is gathered are left out.
#pragma once

#include "models/outcome/feasibility.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Needs are empty where neither a model nor batches on the GPU are stated.
Requirement gpu_memory_of(const IngestPath& path, const Pool& pool, const Job& job);
/// Host memory of one node for offloaded optimizer states.
Requirement offloaded_states_of(const IngestPath& path, const Pool& pool, const Job& job);

/// Metrics of model and exchange, where the job states them, and the verdict where something does not fit.
void add_training_figures(const Scenario& scenario, const IngestPath& path, AnswerKind kind, double step_time_s,
                          Outcome& outcome);

}  // namespace headrace::models
