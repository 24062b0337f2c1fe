// A broken invariant with the place where it happened: which replication, and how many steps repeat it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/assert.hpp"

namespace headrace::models {

class FailedReplication : public sim::InternalError {
 public:
  FailedReplication(const std::string& what, std::uint64_t seed, std::uint32_t replication, std::uint64_t steps)
      : sim::InternalError(what), seed_(seed), replication_(replication), steps_(steps) {}

  std::uint64_t seed() const { return seed_; }
  std::uint32_t replication() const { return replication_; }
  /// As many as it takes to meet it again.
  std::uint64_t steps() const { return steps_; }

 private:
  std::uint64_t seed_;
  std::uint32_t replication_;
  std::uint64_t steps_;
};

}  // namespace headrace::models
