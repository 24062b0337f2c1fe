// How the workers of a node slow each other down: the universal scalability law, or the power law that it replaces.
//
//   X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))      N. J. Gunther, Guerrilla Capacity Planning, 2007
//
// sigma is the part of the work that only one worker does at a time (a lock, memory bandwidth, the clock), kappa what
// each pair of workers costs (coherency, hand-over). With kappa the throughput has a maximum at sqrt((1 - sigma) /
// kappa) workers and then falls; kappa = 0 is Amdahl's law.
#pragma once

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct WorkerContention {
  double sigma = 0.0;
  double kappa = 0.0;
  double kappa_per_byte = 0.0;  ///< 1/B: added to kappa for each byte of a batch that processes hand over
  double exponent = 0.0;        ///< beta: b^beta instead, the law of scenarios before sigma and kappa

  bool has_scaling() const { return sigma > 0.0 || kappa > 0.0 || kappa_per_byte > 0.0; }
  double kappa_of(double batch_bytes) const { return kappa + kappa_per_byte * batch_bytes; }
};

void describe(WorkerContention& c, Visitor& v);

}  // namespace headrace::models
