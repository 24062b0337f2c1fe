// What the model's keyed draws are for. Every purpose is one stream per entity; the entity is named beside it.
#pragma once

#include "sim/random_stream.hpp"

namespace headrace::models {

inline constexpr sim::Purpose kDrawHits{1};          ///< loader, batch
inline constexpr sim::Purpose kDrawStoreLatency{2};  ///< loader, piece of batch: metadata and request latencies
inline constexpr sim::Purpose kDrawSizes{3};         ///< loader, piece of batch: missed and cached bytes
inline constexpr sim::Purpose kDrawHost{4};          ///< loader, piece of batch: cache latency and CPU work
inline constexpr sim::Purpose kDrawBackoff{5};       ///< loader, piece of batch and attempt
inline constexpr sim::Purpose kDrawStep{6};          ///< job, step: compute and overhead
inline constexpr sim::Purpose kDrawNodeSpeed{7};     ///< node
inline constexpr sim::Purpose kDrawSampleOrder{8};   ///< job, epoch: key of the permutation
inline constexpr sim::Purpose kDrawPhase{9};         ///< loader: where in its first file it begins
inline constexpr sim::Purpose kDrawInputs{10};       ///< uncertain input: scrambling of its axis
inline constexpr sim::Purpose kDrawBatchTime{11};    ///< loader, batch: whole time in the worker (estimate)

inline constexpr sim::Purpose kDrawBackgroundGap{12};  ///< client of a background load, train
inline constexpr sim::Purpose kDrawBurst{13};          ///< background load, burst
inline constexpr sim::Purpose kDrawListBackoff{34};    ///< listing client, attempt
inline constexpr sim::Purpose kDrawEviction{30};       ///< cache, eviction: which slot, where it is random
inline constexpr sim::Purpose kDrawTiers{31};          ///< loader, batch and tier: samples that a tier answers
inline constexpr sim::Purpose kDrawTierSizes{32};      ///< loader, piece of batch and tier
inline constexpr sim::Purpose kDrawTierLatency{33};    ///< loader, piece of batch and tier

inline constexpr sim::Purpose kDrawPageOrder{37};  ///< page cache, place in an epoch: what is read there

inline constexpr sim::Purpose kDrawPacking{35};  ///< sample: its length

inline constexpr sim::Purpose kDrawFaults{36};  ///< failures, reclaims or a slowing fault, one after the other

inline constexpr sim::Purpose kDrawJobArrival{39};  ///< job, arrival: time since the one before it
inline constexpr sim::Purpose kDrawJobWork{40};     ///< job, arrived one: its work
inline constexpr sim::Purpose kDrawJobStops{41};    ///< job, arrived one: failures, reclaims, restarts of a campaign

inline constexpr sim::Purpose kDrawRankDelay{38};  ///< job, step: the longest delay of its ranks at the barrier

inline constexpr sim::Purpose kDrawLikeNode{42};  ///< node that is not simulated, batch: the simulated one it is like

inline constexpr sim::Purpose kDrawStall{20};  ///< job, stall: its loader and its duration, where stalls are placed

}  // namespace headrace::models
