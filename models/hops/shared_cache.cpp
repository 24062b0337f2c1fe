// Reads from a cache in front of the store that all nodes share, over the network. docs/models/cache-tiers.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kSharedCacheTransfer = {
    "shared cache, bytes", Stage::shared_cache, "bytes from it / rate of one worker",
    [](const IngestPath& path) -> std::optional<Term> {
      if (!path.tiered()) return std::nullopt;
      Term term;
      term.parts = {{Quantity::shared_bytes, 1.0}};
      term.rate = path.tiers.shared_bytes_per_s;
      term.discipline = Discipline::flow;
      term.contended = true;
      term.asks = {{Resource::shared_cache}, {Resource::spine}, {Resource::leaf_uplink}, {Resource::nic}};
      term.cap_per_s = or_no_limit(path.tiers.shared_bytes_per_s);
      return term;
    }};

const Hop kSharedCacheLatency = {"shared cache, latency", Stage::shared_cache, "samples from it x latency / lanes",
                                 [](const IngestPath& path) -> std::optional<Term> {
                                   if (!path.tiered()) return std::nullopt;
                                   Term term;
                                   term.parts = {{Quantity::shared_s, 1.0}};
                                   term.rate = path.lanes;
                                   term.rounding = Rounding::nearest;
                                   return term;
                                 }};

}  // namespace headrace::models
