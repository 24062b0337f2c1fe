// Transport of a finished batch from its worker to the training process: a fixed part and its bytes over a rate, in the
// worker. PyTorch's workers put a batch into shared memory and send its handle through a pipe
// (torch/multiprocessing/reductions.py). docs/models/loader.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kTransport = {"transport", Stage::transport, "batches x fixed time + tensor bytes of the batch / rate",
                        [](const IngestPath& path) -> std::optional<Term> {
                          const BatchTransport& transport = path.stated_loader.transport;
                          if (path.synchronous || transport.is_free()) return std::nullopt;
                          Term term;
                          term.parts = {{Quantity::batches, transport.fixed_s},
                                        {Quantity::tensor_bytes, transport.time_s(1.0) - transport.fixed_s}};
                          term.rate = 1.0;
                          term.slowed = true;
                          term.of_batch = true;
                          return term;
                        }};

}  // namespace headrace::models
