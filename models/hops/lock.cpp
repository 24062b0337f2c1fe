// The hand-over of a finished batch under the lock of the result queue, one worker of a loader after the other:
// s1 N^beta for N workers. docs/models/loader.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kLock = {"hand-over lock", Stage::lock, "batches x time under the lock",
                   [](const IngestPath& path) -> std::optional<Term> {
                     Term term;
                     term.parts = {{Quantity::batches, path.lock_s}};
                     term.rate = 1.0;
                     term.rounding = Rounding::nearest;
                     term.slowed = true;
                     term.of_batch = true;
                     term.discipline = Discipline::queue;
                     term.contended = path.lock_contended;
                     term.asks = {{Resource::hand_over_lock, 1.0, Quantity::batches}};
                     return term;
                   }};

}  // namespace headrace::models
