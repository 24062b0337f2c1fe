#include "models/backtest/step_times.hpp"

#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

sim::Distribution sample_bytes(const WorkloadFigures& figures) {
  if (!(figures.record_stdev_bytes > 0.0)) return sim::Distribution::constant(figures.record_bytes);
  return sim::Distribution::lognormal(figures.record_bytes, figures.record_stdev_bytes / figures.record_bytes);
}

}  // namespace

StepTimes::StepTimes(const MeasuredRun& run, std::uint64_t ranks, double handover_bytes_per_s)
    : bytes_(sample_bytes(run.figures), static_cast<std::uint32_t>(run.figures.batch_size)),
      handover_bytes_per_s_(handover_bytes_per_s),
      mean_load_s_(run.figures.batch_bytes() / handover_bytes_per_s),
      fixed_s_(run.figures.computation_time_s + kLoop.loop_s),
      ranks_(static_cast<double>(ranks)) {}

double StepTimes::load_quantile_s(double p) const { return bytes_.quantile(p) / handover_bytes_per_s_; }

double StepTimes::slowest_quantile_s(double p) const { return fixed_s_ + load_quantile_s(sim::ppow(p, 1.0 / ranks_)); }

}  // namespace headrace::models
