// A sweep whose shards are tasks of a Slurm job array: submitted, followed, and joined by a job that waits for them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "scenarios/results/slurm_array.hpp"

namespace headrace::cli {

struct SlurmRun {
  scenarios::SlurmSweep sweep;
  std::vector<std::string> sbatch_options;  ///< of the user, for the array: --partition=cpu
  std::size_t points = 0;                   ///< of the space
  /// Points of a shard that its store answers; 0 where there is no store.
  std::function<std::size_t(const std::string& store, unsigned shard)> points_done;
};

/// The words of a call as a line of the shell, without the flags that say where results go and what is shown.
std::string call_of_a_shard(const std::vector<std::string>& words);

/// Submits the shards that are not complete, or follows those that are in the queue already, until the joined store is
/// there. Returns the exit status: kOk, kInconclusive when shards ended without all their points, kInterrupted when the
/// user stopped following (the jobs go on, and the same call follows them again), kBadInput where Slurm refuses.
int sweep_on_slurm(const SlurmRun& run, Console& console);

}  // namespace headrace::cli
