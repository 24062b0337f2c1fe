// What checkpoints and failures take from a job that trains: the outcome of steady training, spread over the time that
// they leave.
//
// Sources: Daly, "A higher order estimate of the optimum checkpoint interval", FGCS 22 (2006): share of time that is
// work which lasts, tau / (M e^(R/M) (e^((tau + C)/M) - 1)) for work tau between checkpoints that stop it for C,
// exponential failures of mean distance M and restarts that take R. Preemption with
// notice costs a save and a restart each (derived for this project).
// Deviations: what a failure loses because its checkpoint had not left a tier that did not survive counts into R.
#pragma once

#include <optional>
#include <vector>

#include "models/outcome/feasibility.hpp"
#include "models/outcome/outcome.hpp"
#include "models/outcome/room.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Times in seconds. The three shares sum to 1.
struct Interruptions {
  double bytes = 0.0;            ///< of one checkpoint
  double save_s = 0.0;           ///< until it is in the store
  double drain_s = 0.0;          ///< of that, behind the first tier
  double stall_s = 0.0;          ///< for which training stops
  double load_s = 0.0;           ///< reading it back at a restart
  double redone_s = 0.0;         ///< mean work that a failure loses because its checkpoint had not come far enough
  double preempting = 0.0;       ///< share of the failures that are spot nodes taken away without enough notice
  double interval_s = 0.0;       ///< work between two of them
  double mtbf_s = 0.0;           ///< between failures of the job; 0: none
  double restart_s = 0.0;        ///< from a failure to the first step
  double reclaims_per_s = 0.0;   ///< of spot nodes, with enough notice for a checkpoint
  double reclaim_s = 0.0;        ///< that one costs
  double preempted = 0.0;        ///< share of time that preemptions with enough notice take, part of failure
  double best_interval_s = 0.0;  ///< for these failures; 0 without
  double training = 1.0;         ///< share of time that is work which lasts
  double checkpoint = 0.0;       ///< share of time stopped for checkpoints
  double failure = 0.0;          ///< share of time in restarts and work that is lost
};

/// Nothing if the job neither writes checkpoints nor fails. `first_step_s`: until the first step of a start that finds
/// nothing; what a store keeps of it is not done again.
std::optional<Interruptions> interruptions_of(const Scenario& scenario, const IngestPath& path, double first_step_s);

struct CheckpointRoom {
  Room room = Room::local_drives;
  Requirement requirement;
};

/// What the job's checkpoints take of places that are local to a node, and of their store where it states a capacity;
/// nothing without checkpoints.
std::vector<CheckpointRoom> checkpoint_rooms(const Scenario& scenario, const IngestPath& path);

/// Turns an outcome of steady training into one that includes the scenario's checkpoints and failures: states, blame
/// and relief become shares of all time, epochs last longer, rates fall, the ledger counts the longer epoch and what
/// the checkpoints take up. Nothing changes without them.
void add_interruptions(const Scenario& scenario, Outcome& outcome);

}  // namespace headrace::models
