// What a batch costs the host beside the model's own preprocessing: the protocol that brings its bytes, the codec and
// format that hold them, the memory that they pass over; and where preprocessing runs.
//
// Everything here is linear in bytes, samples and requests, so that the engines, the bound and the estimate read the
// same few constants. Sources: Q. Cai et al., SIGCOMM 2021 (core time per byte decides what a host receives, and
// copying dominates it); M. Mathis et al., Computer Communication Review 27(3), 1997 (TCP over long links).
#pragma once

#include "models/path/ingest_path.hpp"

namespace headrace::models {

/// Bytes on the way from the store per byte of `sample_bytes`: codec, columns, stored tensors.
double way_factor(const Dataset& dataset, const Loader& loader);

/// Stored bytes of the corpus as the job reads it.
double corpus_bytes(const Dataset& dataset, const Loader& loader);

/// What one connection carries, bytes per second: min(window / rtt, sqrt(3/2) segment / (rtt sqrt(loss))).
double wide_area_bytes_per_s(const WideAreaLink& link);

/// Costs of protocol, codec, format and memory.
void resolve_host_costs(IngestPath& path, const Scenario& scenario, const Job& job);

/// Links that carry collectives too: what is left for ingest, and what the exchange loses. After the step is resolved.
void resolve_shared_links(IngestPath& path, const Scenario& scenario, const Job& job);

}  // namespace headrace::models
