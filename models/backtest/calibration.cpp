#include "models/backtest/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/backtest/closed_loop.hpp"

namespace headrace::models {
namespace {

constexpr int kBisections = 200;

/// The capacity at which the model's step takes `step_s`, for a step longer than the rank's own time.
double capacity_for(const MeasuredRun& run, double step_s, double overhead_s) {
  double low = 1.0;
  double high = 1e18;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = std::sqrt(low * high);
    (step_time_s(run, run.accelerators, middle, overhead_s) > step_s ? low : high) = middle;
  }
  return high;
}

double overhead_for(const MeasuredRun& run, double step_s, double capacity_bytes_per_s, double least_s) {
  double low = least_s;
  double high = step_s - run.figures.computation_time_s;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    (step_time_s(run, run.accelerators, capacity_bytes_per_s, middle) < step_s ? low : high) = middle;
  }
  return low;
}

double carried_bytes_per_s(const MeasuredRun& run) {
  const double samples =
      run.samples_per_s ? *run.samples_per_s : ideal_samples_per_s(run) * run.au_percent.value() / 100.0;
  return samples * run.figures.record_bytes;
}

/// Rate at which all workers together filled their first batches, 0 where it cannot be told. The first step holds
/// start-up and compute too, so the true rate was higher.
double first_fill_bytes_per_s(const MeasuredRun& run) {
  if (!run.figures.workers_hold_batches || !run.samples_per_s) return 0.0;
  const double first_s = measured_first_step_s(run);
  if (first_s <= run.figures.computation_time_s) return 0.0;
  return static_cast<double>(run.accelerators) * buffered_batches(run) * run.figures.batch_bytes() / first_s;
}

/// Whether the storage held the first fill back, not start-up and not the workers.
bool storage_bound_fill(const MeasuredRun& run, double fill_bytes_per_s) {
  if (measured_first_step_s(run) < kLoop.fill_over_start_up * first_step_s(run, run.accelerators, 0.0)) return false;
  const double workers = static_cast<double>(run.accelerators) * buffered_batches(run);
  return fill_bytes_per_s < workers * kLoop.worker_bytes_per_s * kLoop.worker_bound_share;
}

int rank(CapacityKnown known) { return static_cast<int>(known); }

}  // namespace

const char* name(CapacityKnown known) {
  switch (known) {
    case CapacityKnown::nothing:
      return "nothing";
    case CapacityKnown::at_least:
      return "at_least";
    case CapacityKnown::first_fill:
      return "first_fill";
    case CapacityKnown::limit:
      return "limit";
    case CapacityKnown::declared:
      return "declared";
  }
  return "";
}

SystemFigures calibrate(const MeasuredRun& run) {
  const double au = run.au_percent.value() / 100.0;
  const double compute_s = run.figures.computation_time_s;
  const double step_s = compute_s / au;
  const double free_s = free_overhead_s(run, run.accelerators);
  const double free_au = compute_s / (compute_s + free_s);
  const double carried = carried_bytes_per_s(run);
  const double fill = first_fill_bytes_per_s(run);

  SystemFigures figures;
  figures.capacity_bytes_per_s = std::max(carried, fill);
  const bool by_fill = fill > carried && storage_bound_fill(run, fill);
  figures.known = by_fill ? CapacityKnown::first_fill : CapacityKnown::at_least;
  if (au < 0.5 * (run.figures.au_threshold + free_au)) {  // nearer to the threshold than to undisturbed
    figures.known = CapacityKnown::limit;
    if (compute_s + free_s < step_s)
      figures.capacity_bytes_per_s = std::max(figures.capacity_bytes_per_s, capacity_for(run, step_s, free_s));
    return figures;
  }
  figures.extra_overhead_s = step_s - compute_s - free_s;  // what was only carried explains no wait
  if (!by_fill) return figures;
  if (step_time_s(run, run.accelerators, figures.capacity_bytes_per_s, free_s) < step_s) {
    figures.extra_overhead_s = overhead_for(run, step_s, figures.capacity_bytes_per_s, free_s) - free_s;
  } else if (compute_s + free_s < step_s) {  // the fill explains more wait than there was: capacity is higher
    figures.capacity_bytes_per_s = capacity_for(run, step_s, free_s);
    figures.extra_overhead_s = 0.0;
  }
  return figures;
}

SystemFigures calibrate(const std::vector<CalibratingRow>& rows) {
  SystemFigures joined;
  std::uint64_t overhead_from = 0;
  for (const CalibratingRow& row : rows) {
    const SystemFigures figures = calibrate(*row.run);
    joined.largest = joined.largest || row.largest;
    if (rank(figures.known) > rank(joined.known)) joined.known = figures.known;
    joined.capacity_bytes_per_s = std::max(joined.capacity_bytes_per_s, figures.capacity_bytes_per_s);
    if (figures.known == CapacityKnown::limit || row.run->accelerators <= overhead_from) continue;
    overhead_from = row.run->accelerators;
    joined.extra_overhead_s = figures.extra_overhead_s;
  }
  return joined;
}

double declared_limit_bytes_per_s(const MeasuredRun& run) {
  double limit = std::numeric_limits<double>::infinity();
  if (run.client_nic_bytes_per_s > 0.0) limit = run.client_nic_bytes_per_s;
  if (run.storage_bytes_per_s > 0.0 && run.page_cache_hits < 1.0)
    limit = std::min(limit, run.storage_bytes_per_s / (1.0 - run.page_cache_hits));
  return limit;
}

}  // namespace headrace::models
