// Collation: the worker copies the decoded samples of a batch into one tensor. torch.stack of 602 KB tensors
// (3 x 224 x 224 floats) moves 1.3 GB/s on one core, measured for this project on a virtual machine with 2 cores.
// docs/models/loader.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kCollate = {"collate", Stage::decode, "tensor bytes of the batch / collate rate",
                      [](const IngestPath& path) -> std::optional<Term> {
                        if (!path.stated_loader.collate_bytes_per_s) return std::nullopt;
                        Term term;
                        term.parts = {{Quantity::tensor_bytes, 1.0}};
                        term.rate = *path.stated_loader.collate_bytes_per_s / path.collate_slowdown;
                        term.slowed = true;
                        term.of_batch = true;
                        return term;
                      }};

}  // namespace headrace::models
