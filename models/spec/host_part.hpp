// What the training process works in a step while its accelerators wait: kernel launches, Python, the optimizer's
// bookkeeping. It is a customer of the node's cores beside the loader workers (models/hops/host_part.hpp).
#pragma once

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct HostPart {
  double time_s = 0.0;      ///< of a step, on a node without other load; contained in the step's times
  double busy_cores = 1.0;  ///< that one training process keeps busy
};

void describe(HostPart& h, Visitor& v);

}  // namespace headrace::models
