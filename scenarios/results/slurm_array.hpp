// A sweep as a Slurm job array: one task for each shard of the points, and a job that joins their stores when all tasks
// have ended. Texts and names only; nothing here talks to Slurm.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace headrace::scenarios {

struct SlurmSweep {
  std::string program;  ///< absolute path of headrace, as the nodes see it
  std::string call;     ///< the sweep as a line of the shell, without store and shard: "sweep space.json --seed 7"
  std::string id;       ///< of what is computed: another space, option or model version has another
  std::string folder;   ///< absolute; scripts, logs and stores of the shards
  std::string results;  ///< absolute; the joined store
  unsigned shards = 1;
  bool ranked = false;  ///< the joined store is ranked as a whole by the same call
};

/// Jobs that were submitted for a sweep; empty ids: none.
struct SlurmJobs {
  std::string array_id;
  std::string merge_id;
};

/// Store of a shard, 1 to shards.
std::string shard_store(const SlurmSweep& sweep, unsigned shard);
std::string shard_log(const SlurmSweep& sweep, unsigned shard);

/// What a task runs, its shard taken from SLURM_ARRAY_TASK_ID. A task that is killed and queued again goes on where its
/// store ends.
std::string array_script(const SlurmSweep& sweep);

/// Joins the stores that are there, and ranks the points of all of them where that is asked for. It runs also after a
/// task that failed: its other points are not lost.
std::string merge_script(const SlurmSweep& sweep);

/// "1-3,7" of 1, 2, 3, 7, as --array takes it.
std::string task_list(const std::vector<unsigned>& shards);

/// The file `jobs.json` of the folder: what was submitted, and for which sweep.
std::string print_jobs(const SlurmSweep& sweep, const SlurmJobs& jobs);

/// Or in words that the file is damaged or was written for another sweep.
tl::expected<SlurmJobs, std::string> parse_jobs(const SlurmSweep& sweep, std::string_view text);

}  // namespace headrace::scenarios
