// How the steps of the loop of models/backtest/closed_loop.hpp spread while nothing waits for storage.
//
// A finished batch passes to the training process at a fixed rate, so that the load time that a rank logs follows the
// bytes of its batch: B samples of log-normal size (mean and deviation as the workload states them). A step is as long
// as that of the rank with the largest batch: with n ranks the quantile p of the largest of n is that of p^(1/n) of
// one (H. A. David, H. N. Nagaraja, Order Statistics, 2003, eq. 2.1.1).
#pragma once

#include <cstdint>

#include "models/backtest/closed_loop.hpp"
#include "sim/iid_sum.hpp"

namespace headrace::models {

class StepTimes {
 public:
  /// @throws std::invalid_argument as sim::Distribution does for sizes that no log-normal law has
  StepTimes(const MeasuredRun& run, std::uint64_t ranks, double handover_bytes_per_s = kLoop.handover_bytes_per_s);

  /// Load time that one rank logs, s.
  double load_quantile_s(double p) const;
  double mean_load_s() const { return mean_load_s_; }
  /// Load and compute of the slowest rank, with the loop's own cost, without the barrier, s.
  double slowest_quantile_s(double p) const;

 private:
  sim::IidSum bytes_;
  double handover_bytes_per_s_;
  double mean_load_s_;
  double fixed_s_;
  double ranks_;
};

}  // namespace headrace::models
