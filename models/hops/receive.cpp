// Receiving a batch behind its worker: a fixed part and its bytes over a rate. The training process receives it before
// its step, so that every step is longer; or a pin thread does it beside the step, one batch of a loader after the
// other, in the order in which the workers finish them (torch/utils/data/_utils/pin_memory.py). Measured for this
// project on a virtual machine with 2 cores: 1.9 ms a batch and 1.5 GB/s in the training process.
// docs/models/loader.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

namespace {

Term receiving_term(double batch_s, Holder holder) {
  Term term;
  term.parts = {{Quantity::batches, batch_s}};
  term.rate = 1.0;
  term.rounding = Rounding::nearest;
  term.of_batch = true;
  term.holder = holder;
  return term;
}

}  // namespace

const Hop kReceive = {"receive", Stage::receive,
                      "batches x fixed time + tensor bytes of the batch / rate, of the training process",
                      [](const IngestPath& path) -> std::optional<Term> {
                        if (!(path.receive_s > 0.0)) return std::nullopt;
                        return receiving_term(path.receive_s, Holder::training_process);
                      }};

const Hop kPinThread = {"pin thread", Stage::receive,
                        "batches x fixed time + tensor bytes of the batch / rate, of the pin thread",
                        [](const IngestPath& path) -> std::optional<Term> {
                          if (!(path.pin_s > 0.0)) return std::nullopt;
                          Term term = receiving_term(path.pin_s, Holder::pin_thread);
                          term.discipline = Discipline::queue;
                          term.contended = path.outstanding > 1;
                          term.asks = {{Resource::pin_thread, 1.0, Quantity::batches}};
                          return term;
                        }};

}  // namespace headrace::models
