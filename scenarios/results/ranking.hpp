// The points of a space in order of one metric, with the effort where it matters: those with the best flow bounds run
// first, then all others briefly with the same random numbers; where a flow bound alone says that a point is worse, the
// estimate gives its rough place. Brief runs may simulate some of like nodes, if the runs of the first points say that
// these stand for all. Those that may still be the best, or lie close to it, run longer and longer, until the paired
// difference of each to the best is known to a stated relative size, or it is sure that the point is worse by more than
// that. A brief run settles only what needs no narrow interval: a point that takes every step like the best one, a
// point that is worse by a rough interval of 99.9 %, and one whose flow bound is worse than the best by twice the size.
// The places of those that are worse are rough.
//
// A shard runs the points with the best bounds of the whole space beside its own, and compares its own with the best of
// all those. It writes no places: these come when the shards' stores are joined and ranked as a whole, which finds
// nearly all of its runs there and gives the bytes of a ranking in one place.
//
// In memory are the best point, the numbers of those that still compete, and those of the points that a bound decides;
// all else is in the store. The result depends on space, seed and options only, not on threads or on what the store
// held.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/results/sweep.hpp"

namespace headrace::scenarios {

/// Steps of the first look, unless told otherwise: at most half of them warm up, and 64 tell points apart which are far
/// from each other. The second look has the 256 observations that an interval needs.
inline constexpr std::uint64_t kFirstRankSteps = 128;
inline constexpr std::uint64_t kRankGrowth = 4;  ///< each look is so much longer than the one before
inline constexpr std::uint64_t kMostRankLooks = 5;

struct RankOptions {
  std::string metric = "step_time_s";
  double within = 0.02;  ///< of the best value; of a whole for metrics that are shares
  std::uint64_t first_steps = kFirstRankSteps;
};

struct RankTally {
  SweepTally tally;        ///< of points; a point that runs twice is computed once
  std::uint64_t runs = 0;  ///< simulated in this call
  std::uint64_t looks = 0;
  std::uint64_t undecided = 0;  ///< points whose difference stayed unknown
  std::optional<std::uint64_t> best;
};

/// What a store says about the place of a point: {"metric", "place", "value", "difference", "ci95", "relative",
/// "state", "steps", "sampled_nodes"}; the difference is the point's value less the best one. States: best, known (to
/// the size asked for), worse (by more than that), undecided. No steps: the value is an estimate. sampled_nodes is
/// there where some of like nodes stood for all in the run that the value is of.
///
/// Throws StoreError; std::invalid_argument for a metric of which neither more nor less is better.
RankTally rank_sweep(const SweepSpace& space, ResultsStore& store, const SweepOptions& options,
                     const RankOptions& rank);

/// Only counts: points of the shard, and how many of them have an answer of any length in the store (nullptr: none).
SweepTally count_ranked(const SweepSpace& space, const ResultsStore* store, const SweepOptions& options,
                        const RankOptions& rank);

/// Whether what a store says of a point's place leaves open, by the paired interval, that it is as good as the best.
bool ties_with_best(const nlohmann::ordered_json& ranking);

/// What a store holds of a ranking that was written before, with no runs of this call; nullopt where it has no places.
std::optional<RankTally> stored_ranking(const SweepSpace& space, const ResultsStore& store, const SweepOptions& options,
                                        const RankOptions& rank);

/// The record under which a store keeps a ranked sweep.
SweepRecord ranked_record(const SweepSpace& space, const SweepOptions& options, const RankOptions& rank);

}  // namespace headrace::scenarios
