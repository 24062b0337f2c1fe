// How training processes, loader workers and other processes share the cores of a node (models/hops/host_part.hpp).
#pragma once

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct CoreSharing {
  double background_cores = 0.0;  ///< busy with what no job of the scenario does
  double cores_searched = 4.0;    ///< at which a thread looks for an idle one
};

void describe(CoreSharing& c, Visitor& v);

}  // namespace headrace::models
