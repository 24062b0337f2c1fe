// A faster place that takes checkpoints before their store does.
#pragma once

#include <cstdint>
#include <string>

#include "models/describe/declarations.hpp"

namespace headrace::models {

/// Checkpoints go into the first tier, from there into the next one and at last into the checkpoint's store.
struct CheckpointTier {
  std::string store;
  bool peer = false;
  double survives = 0.0;
  std::uint64_t retained = 2;
};

void describe(CheckpointTier& t, Visitor& v);

}  // namespace headrace::models
