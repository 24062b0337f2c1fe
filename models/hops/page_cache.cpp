// Reads from the page cache of the node: a copy in memory by the thread that reads. docs/models/page-cache.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kPageCache = {"page cache", Stage::cache, "bytes from it / bandwidth of one reader",
                        [](const IngestPath& path) -> std::optional<Term> {
                          if (!path.tiered()) return std::nullopt;
                          Term term;
                          term.parts = {{Quantity::page_bytes, 1.0}};
                          term.rate = path.tiers.page_bytes_per_s;
                          return term;
                        }};

}  // namespace headrace::models
