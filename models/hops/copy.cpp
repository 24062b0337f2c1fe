// The copy of a batch into pinned memory, by a thread of the loader. docs/models/loader.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kCopy = {"copy", Stage::copy, "tensor bytes of the batch / copy rate",
                   [](const IngestPath& path) -> std::optional<Term> {
                     Term term;
                     term.parts = {{Quantity::tensor_bytes, 1.0}};
                     term.rate = path.copy_bytes_per_s;
                     term.slowed = true;
                     term.of_batch = true;
                     return term;
                   }};

}  // namespace headrace::models
