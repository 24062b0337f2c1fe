// What begins anew with each epoch: the iterator over the data. Its queues are empty, and unless workers persist they
// start again (PyTorch's DataLoader; pytorch/pytorch issues 6547 and 158704).
#pragma once

#include "models/describe/declarations.hpp"

namespace headrace::models {

struct EpochStart {
  double worker_start_s = 0.0;
  bool persistent_workers = false;
};

void describe(EpochStart& e, Visitor& v);

}  // namespace headrace::models
