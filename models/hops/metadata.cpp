// Opens and lookups at the store's metadata service, whose servers all jobs on the store share.
// docs/models/metadata.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kMetadata = {"metadata", Stage::metadata, "opens x latency / lanes of the store",
                       [](const IngestPath& path) -> std::optional<Term> {
                         Term term;
                         term.parts = {{Quantity::open_s, 1.0}};
                         term.rate = path.store_lanes;
                         term.discipline = Discipline::service;
                         term.contended = path.metadata.contended;
                         term.asks = {{Resource::metadata}};
                         term.cap_per_s = or_no_limit(path.metadata.per_worker_per_s);
                         return term;
                       }};

}  // namespace headrace::models
