// Requests per second that a prefix of an object store answers: a token bucket, and back-off with full jitter behind
// "503 slow down" (M. Brooker, Exponential Backoff and Jitter, AWS Architecture Blog, 2015).
// docs/models/object-store.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kThrottle = {"request limit", Stage::throttle, "requests", [](const IngestPath& path) -> std::optional<Term> {
                         if (!path.limit_requests_per_s) return std::nullopt;
                         Term term;
                         term.parts = {{Quantity::requests, 1.0}};
                         term.discipline = Discipline::admission;
                         term.contended = true;
                         term.asks = {{Resource::request_limit}};
                         return term;
                       }};

}  // namespace headrace::models
