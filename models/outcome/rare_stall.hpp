// Operations that once in very many times take very long: a stalled metadata server, a lost request. They are a rare,
// far longer part of a mixture law. A run would have to be very long to meet enough of them; instead they are taken out
// of the law, the run goes on without them, and what one costs is measured by placing some, well apart, into a run with
// the same draws. That is a run conditioned on its stall count (0, and 1 per stretch), and a first-order expansion in
// the stall probability: P. Bremaud, F. J. Vazquez-Abad, On the pathwise computation of derivatives with respect to the
// rate of a point process: the phantom RPA method, Queueing Systems 10, 1992; M. I. Reiman, A. Weiss, Light traffic
// derivatives via likelihood ratios, IEEE Trans. Information Theory 35(3), 1989. Deviation: stalls that come at the
// same step count as one, with the exact probability 1 - (1 - p)^n of a step that meets any.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "models/hops/stage.hpp"
#include "models/hops/stall_plan.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/path/ingest_path.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

struct RareStall {
  Stage stage = Stage::metadata;  ///< metadata or request
  double per_operation = 0.0;     ///< probability that an operation stalls
  sim::Distribution duration_s;   ///< of a stalled operation
  std::uint32_t recovery_steps = 0;
};

/// What the stalls of one law do to one window.
struct StallEffect {
  Stage stage = Stage::metadata;
  double stalled_steps = 0.0;  ///< share of the steps that meet a stall, 1 - (1 - p)^n
  double duration_s = 0.0;     ///< mean of a stalled operation
  Measured delay_s;            ///< of the job, per step that meets a stall
  double own_share = 0.0;      ///< of the added wait, in the loaders that stalled; the rest waits for a peer
};

/// Rare parts of the laws of a path: taken out, or left in.
struct RareStalls {
  IngestPath usual;  ///< the path without those that are taken
  std::vector<RareStall> taken;
  std::vector<RareStall> left;
};

/// The path without the rare parts of its metadata and request laws, where less than one stall comes in ten
/// recoveries, so that overlaps are neglected, and where eight of them can be placed in a run of usual length. A
/// recovery is four times the outstanding batches, since behind an in-order barrier no step begins while a batch is
/// stalled; in any order it also holds twice the steps that go on meanwhile. Others stay in their law.
RareStalls without_rare_stalls(const IngestPath& path);

/// Share of the steps of the path (with its hit ratio) that meet a stall.
double stalled_step_share(const IngestPath& path, const RareStall& stall);

/// Runs a stretch of the replication with and without stalls and compares; with more of them, up to a cost of 16
/// million batches, until the half-width of the time that they add to a step is `target_s`.
StallEffect measure_stall(const IngestPath& path, const RareStall& stall, std::uint64_t seed, std::uint32_t replication,
                          bool contention, double target_s, const std::stop_token& abandon = {});

}  // namespace headrace::models
