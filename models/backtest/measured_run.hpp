// One configuration of a storage benchmark as its owner published or wrote it down: what ran, where, and what was
// measured. The backtest calibrates on some of these and predicts the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headrace::models {

/// The constants of the predictor: all that was ever fitted to published rows (docs/validation.md). docs/accuracy.md
/// has them chosen again with each submitter left out.
struct LoopConstants {
  double loop_s = 0.75e-3;              ///< a step's fixed cost outside load and compute
  double handover_bytes_per_s = 150e9;  ///< rate at which a finished batch passes to the training process
  double barrier_s = 0.15e-3;           ///< growth of a step per unit of ln(accelerators)
  double start_up_s = 0.4;              ///< first step beside its load and compute
  double delay_cv = 2.0;                ///< of one rank's delays in a step, where a system grew with its job
};
inline constexpr LoopConstants kLoop{};

/// What one accelerator does with its data, from the benchmark's workload files.
struct WorkloadFigures {
  std::string workload;     ///< "unet3d"
  std::string accelerator;  ///< "h100", lower case
  double computation_time_s = 0.0;
  std::uint64_t batch_size = 0;
  double record_bytes = 0.0;
  double record_stdev_bytes = 0.0;
  std::uint64_t samples_per_file = 1;
  std::uint64_t read_threads = 4;
  std::uint64_t prefetch_size = 2;
  /// PyTorch: each of read_threads workers reads a whole batch and holds it. Otherwise (tf.data) threads share the
  /// batches in work, and prefetch_size finished ones wait.
  bool workers_hold_batches = true;
  double au_threshold = 0.0;  ///< share of 1; 0: the benchmark states none

  double batch_bytes() const { return static_cast<double>(batch_size) * record_bytes; }
};

/// One row. Zero means "not stated" where zero is no possible value.
struct MeasuredRun {
  std::string submitter;
  std::string system;
  std::string kind;     ///< equal for systems that differ in size only; empty: not known
  std::string storage;  ///< product and size as described; empty: not known
  WorkloadFigures figures;
  std::uint64_t hosts = 1;
  std::uint64_t accelerators = 0;
  std::uint64_t read_threads = 0;       ///< of each accelerator's loader
  std::uint64_t steps = 0;              ///< of one epoch and accelerator
  double client_nic_bytes_per_s = 0.0;  ///< of all hosts together
  double storage_bytes_per_s = 0.0;     ///< declared rate of drives in the client, or of the storage
  double page_cache_hits = 0.0;         ///< share of the bytes that the clients' memory gives back
  bool hands_over = true;               ///< its loop copies finished batches (MLPerf Storage before v3.0)
  bool published = false;               ///< a benchmark's result: it met the threshold, so it exists
  bool calibrates = false;
  LoopConstants loop;  ///< of the benchmark's loop
  std::optional<double> au_percent;
  std::optional<double> samples_per_s;
  std::string missing;   ///< the fact without which the row predicts nothing; empty: all there
  std::size_t line = 0;  ///< in the table, 0: unknown
};

}  // namespace headrace::models
