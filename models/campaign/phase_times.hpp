// How long each phase of a start or a restart takes, once for a whole campaign: those that a scenario's answer tells
// (listing, first batch, reading a checkpoint back), those of its faults, and those that its campaign adds.
//
// Image: registry and NICs as limits in bytes per second, or a tree of nodes that pass it on; then every node unpacks.
// Imports: opens of all starting processes at the metadata servers of a store, at best perfectly shared.
// Deviations: image and opens meet no other traffic; a node that replaces a failed one opens its files alone.
#pragma once

#include <cstdint>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Seconds.
struct PhaseTimes {
  double image_s = 0.0;            ///< on all nodes at once
  double image_of_node_s = 0.0;    ///< on one that replaces another
  double imports_s = 0.0;          ///< of all processes, on new nodes
  double imports_of_node_s = 0.0;  ///< of all processes, of which those of one node are on a new one
  double imports_warm_s = 0.0;     ///< of all processes, whose files are in memory
  double listing_s = 0.0;
  double staging_s = 0.0;        ///< copying the dataset before the first step
  double staging_again_s = 0.0;  ///< what a return copies again
  double first_batch_s = 0.0;    ///< from the list and the copy to the first step
  double detection_s = 0.0;
  double reschedule_s = 0.0;
  double replacement_s = 0.0;  ///< of a spot node
  double preempting = 0.0;     ///< share of the failures that are spot nodes taken away at once
  double save_s = 0.0;         ///< of a checkpoint before a planned stop
  double load_s = 0.0;
  double redone_s = 0.0;      ///< work that is done again because its checkpoint had not come far enough
  double epoch_work_s = 0.0;  ///< steady work of an epoch
  double skip_epoch_s = 0.0;  ///< skipping the samples of a whole epoch
  double repair_s = 0.0;
  std::uint64_t spare_nodes = 0;

  /// Until the first step on nodes that have nothing, and on nodes where the job has run before.
  double cold_start_s() const { return image_s + imports_s + listing_s + staging_s + first_batch_s; }
  double warm_start_s() const { return imports_warm_s + listing_s + staging_again_s + first_batch_s; }
};

/// Of the scenario's only job by its answer, whose epoch takes `epoch_work_s` of steady work.
PhaseTimes phase_times(const Scenario& scenario, const Outcome& outcome, double epoch_work_s);

}  // namespace headrace::models
