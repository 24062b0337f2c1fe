// The hops in the order in which a piece passes them: waits for shared resources come first, so that the private
// latencies behind them are one event. A new hop is one line here.
#pragma once

#include <cstdint>

#include "models/hops/hop.hpp"

namespace headrace::models {

// clang-format off
#define HEADRACE_HOPS(HOP) \
  HOP(kNodeCacheBytes) \
  HOP(kThrottle) \
  HOP(kPeerMedium) \
  HOP(kPeerTransfer) \
  HOP(kPeerLatency) \
  HOP(kSharedCacheTransfer) \
  HOP(kSharedCacheLatency) \
  HOP(kPageCache) \
  HOP(kNodeCacheLatency) \
  HOP(kMetadata) \
  HOP(kRequest) \
  HOP(kTransfer) \
  HOP(kProtocolWork) \
  HOP(kProtocolDelay) \
  HOP(kFill) \
  HOP(kDecode) \
  HOP(kRemoteDecode) \
  HOP(kMemory) \
  HOP(kCollate) \
  HOP(kCopy) \
  HOP(kTransport) \
  HOP(kLock) \
  HOP(kReceive) \
  HOP(kPinThread)
// clang-format on

#define HEADRACE_DECLARE_HOP(hop) extern const Hop hop;
HEADRACE_HOPS(HEADRACE_DECLARE_HOP)
#undef HEADRACE_DECLARE_HOP

/// Bytes over the medium of the node's cache.
Term medium_term(const IngestPath& path, ShortList<TermPart, 3> bytes);
/// Core time of the node.
Term core_term(const IngestPath& path, ShortList<TermPart, 3> cpu_s);

/// Whole servers of a station that serves `capacity_per_s` operations of mean duration `mean_s` one after the other: at
/// least one.
std::uint32_t whole_servers(std::optional<double> capacity_per_s, double mean_s);

}  // namespace headrace::models
