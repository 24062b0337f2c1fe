// A finished batch on its way from a worker to the training process: transport in the worker, and receiving on the
// other side. Each is a fixed time per batch and its bytes over a rate.
#pragma once

#include <optional>

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct BatchCost {
  double fixed_s = 0.0;
  std::optional<double> bytes_per_s;  ///< none: bytes take no time

  double time_s(double bytes) const { return fixed_s + (bytes_per_s ? bytes / *bytes_per_s : 0.0); }
  bool is_free() const { return !(fixed_s > 0.0) && !bytes_per_s; }
};

/// In the worker: pickling, shared memory, a pipe.
struct BatchTransport : BatchCost {};

/// In the training process before its step, or in a pin thread beside it.
struct BatchReceiving : BatchCost {
  bool pin_thread = false;
};

void describe(BatchTransport& t, Visitor& v);
void describe(BatchReceiving& r, Visitor& v);

}  // namespace headrace::models
