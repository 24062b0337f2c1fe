// Writes into the node's cache: before the batch is done, and taking their time of the medium from the reads.
// docs/models/node-cache.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kFill = {"cache fill", Stage::cache,
                   "bytes written x read bandwidth / write bandwidth / bandwidth of the medium",
                   [](const IngestPath& path) -> std::optional<Term> {
                     if (!path.tiered()) return std::nullopt;
                     return medium_term(path, {{Quantity::filled_bytes, path.tiers.mean_fill_weight()}});
                   }};

}  // namespace headrace::models
