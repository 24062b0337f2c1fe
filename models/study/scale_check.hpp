// A run of some of a job's like nodes, held against a run of all of them over a few steps with the same draws.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "models/outcome/measured.hpp"
#include "models/study/sampler.hpp"
#include "sim/time.hpp"

namespace headrace::models {

struct IngestPath;

class ScaleCheck {
 public:
  /// Of one replication of runs whose nodes are sampled, which must outlive the check.
  ScaleCheck(const WindowRuns& runs, std::uint32_t replication);
  ~ScaleCheck();

  /// Runs all nodes for `steps` steps, no more than the sample has.
  void run_to(std::uint64_t steps, const std::stop_token& abandon);
  std::uint64_t steps() const { return to_; }
  /// When the first step of all nodes starts.
  sim::TimeNs first_start_ns() const;
  /// Mean time of a step of all nodes, less that of the sample, over the steps from `from` on; without an interval if
  /// they are fewer than least_steps().
  Measured difference_s(std::uint64_t from) const;

  /// Some batches of steps, each of whole rounds of the workers: the first step of a round waits most.
  static std::uint64_t least_steps(const IngestPath& path);

 private:
  const WindowRuns& runs_;
  std::uint32_t replication_;
  std::unique_ptr<ClusterRun> all_;
  std::uint64_t to_ = 0;
};

}  // namespace headrace::models
