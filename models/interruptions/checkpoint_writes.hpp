// Checkpoints that are written while somebody trains: what the writes take from reads of data, and reads from them.
//
// While a checkpoint is on its way from one place to the next (models/path/checkpoint_times.hpp), a write flow holds
// its max-min share of the store, or of the drives and NICs of the job's nodes. That is a state of time, whose share is
// the duration of the step over the interval between checkpoints. Readers slow down while they share: they are closed
// customers (models/cluster/fair_share.hpp); a simulation says what the write flow got. Training that stops for a save
// reads nothing meanwhile, so that only other jobs are disturbed. Deviation: two steps at once are left out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// One step of a checkpoint that disturbs reads.
struct WriteState {
  std::size_t job = 0;   ///< whose checkpoint it is
  std::size_t step = 0;  ///< on its way: 0 into the first place
  bool copies =
      false;  ///< not a step yet: the copy into host memory beside training (models/interruptions/snapshot_copy.hpp)
  double alone_s = 0.0;      ///< duration when nobody reads
  double duration_s = 0.0;   ///< beside reads
  double least_s = 0.0;      ///< duration if reads took nothing of the store
  double bytes_per_s = 0.0;  ///< of the writes when nobody reads
  std::string load;          ///< name of the background load on the store that stands for the writes; empty: none
  double share = 0.0;        ///< of the time
  Scenario scenario;         ///< while it lasts
};

struct CheckpointWrites {
  Scenario scenario;  ///< with the durations of all steps filled in
  std::vector<WriteState> states;
};

/// Nothing to write beside anybody: no states, and the scenario as it was.
CheckpointWrites checkpoint_writes(const Scenario& scenario);

/// `answer` of the scenario, averaged over the times with and without writes.
Outcome with_checkpoint_writes(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer);

/// For limits that hold whatever the order in which a store serves: the one job's scenario with the mean bandwidth that
/// its writes take beside its reads taken from what they use.
Scenario less_mean_writes(const Scenario& scenario);

}  // namespace headrace::models
