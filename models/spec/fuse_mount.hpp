// A dataset that is read through a file system in user space.
#pragma once

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct FuseMount {
  double latency_factor = 2.0;
  double cpu_s_per_request = 20e-6;
  double request_bytes = 128.0 * 1024;
};

void describe(FuseMount& f, Visitor& v);

}  // namespace headrace::models
