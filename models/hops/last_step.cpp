// The last step of an epoch whose samples do not fill it.
#include <algorithm>
#include <cmath>  // std::floor only

#include "models/hops/path.hpp"

namespace headrace::models {

double IngestPath::last_step_extra_s(double step_s) const {
  const double share = steps_per_epoch() - std::floor(steps_per_epoch());
  if (stated_loader.last_batch != LastBatch::keep || !(share > 0.0)) return 0.0;
  const double fixed_s = mean_overhead_s() - gpu_decode_s + collective_s;  // decoding shrinks with the batch
  const double wait_s = std::max(0.0, step_s - mean_step_floor_s());
  return std::max(0.0, (1.0 - share) * fixed_s - steps_per_epoch() * wait_s);  // the waits of an epoch hide it
}

}  // namespace headrace::models
