// Reads from the cache on the node: bytes over its medium, which all loaders of the node share, and a latency that each
// lane waits for on its own. docs/models/node-cache.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kNodeCacheBytes = {"node cache, bytes", Stage::cache, "bytes of hits / bandwidth of the medium",
                             [](const IngestPath& path) -> std::optional<Term> {
                               if (!(path.hit_ratio > 0.0)) return std::nullopt;
                               return medium_term(path, {{Quantity::cached_hit_bytes, 1.0}});
                             }};

const Hop kNodeCacheLatency = {"node cache, latency", Stage::cache, "hits x latency / lanes",
                               [](const IngestPath& path) -> std::optional<Term> {
                                 if (!(path.hit_ratio > 0.0)) return std::nullopt;
                                 Term term;
                                 term.parts = {{Quantity::cached_read_s, 1.0}};
                                 term.rate = path.lanes;
                                 term.rounding = Rounding::nearest;
                                 return term;
                               }};

}  // namespace headrace::models
