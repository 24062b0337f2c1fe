#include "models/backtest/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headrace::models {
namespace {

constexpr int kBisections = 200;
constexpr double kUnequalFills = 2.0;  ///< first fills that differ by this factor tell start-up from reading

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

bool shows_first_fill(const MeasuredRun& run) { return run.figures.workers_hold_batches && run.samples_per_s; }

double first_fill_bytes(const MeasuredRun& run) {
  return static_cast<double>(run.accelerators) * buffered_batches(run) * run.figures.batch_bytes();
}

/// Start-up of a system: what its first steps would take without a fill and without compute, from the line of their
/// time over the bytes filled. The constant of the loop where too few rows, or fills too equal, leave it open.
double start_up_s(const std::vector<CalibratingRow>& rows) {
  double count = 0.0;
  double bytes = 0.0;
  double seconds = 0.0;
  double least_bytes = std::numeric_limits<double>::infinity();
  double most_bytes = 0.0;
  double least_s = std::numeric_limits<double>::infinity();
  const auto beyond_compute_s = [](const MeasuredRun& run) {
    return measured_first_step_s(run) - run.figures.computation_time_s;
  };
  for (const CalibratingRow& row : rows) {
    if (!shows_first_fill(*row.run)) continue;
    const double filled = first_fill_bytes(*row.run);
    count += 1.0;
    bytes += filled;
    seconds += beyond_compute_s(*row.run);
    least_bytes = std::min(least_bytes, filled);
    most_bytes = std::max(most_bytes, filled);
    least_s = std::min(least_s, beyond_compute_s(*row.run));
  }
  if (most_bytes < kUnequalFills * least_bytes || least_s <= kLoop.start_up_s) return kLoop.start_up_s;
  double products = 0.0;
  double squares = 0.0;
  for (const CalibratingRow& row : rows) {
    if (!shows_first_fill(*row.run)) continue;
    const double away = first_fill_bytes(*row.run) - bytes / count;
    products += away * (beyond_compute_s(*row.run) - seconds / count);
    squares += away * away;
  }
  return std::clamp((seconds - products / squares * bytes) / count, kLoop.start_up_s, least_s);
}

/// Rate at which all workers together filled their first batches, 0 where it cannot be told. The first step holds
/// start-up and compute too, so the true rate was higher.
double first_fill_bytes_per_s(const MeasuredRun& run, double first_s) {
  if (first_s <= run.figures.computation_time_s) return 0.0;
  return first_fill_bytes(run) / first_s;
}

/// Whether the storage held the first fill back, not start-up and not the workers.
bool storage_bound_fill(const MeasuredRun& run, double first_s, double fill_bytes_per_s) {
  if (first_s < kLoop.fill_over_start_up * first_step_s(run, run.accelerators, 0.0)) return false;
  const double workers = static_cast<double>(run.accelerators) * buffered_batches(run);
  return fill_bytes_per_s < workers * kLoop.worker_bytes_per_s * kLoop.worker_bound_share;
}

/// By load; what a row took beyond a more loaded one was no wait for neighbours, and is dropped.
void sort_overheads(std::vector<LoadedOverhead>& overheads) {
  std::sort(overheads.begin(), overheads.end(), [](const LoadedOverhead& a, const LoadedOverhead& b) {
    return std::pair{a.offered_bytes_per_s, a.extra_s} < std::pair{b.offered_bytes_per_s, b.extra_s};
  });
  double least_s = std::numeric_limits<double>::infinity();
  for (auto point = overheads.rbegin(); point != overheads.rend(); ++point) {
    least_s = std::min(least_s, point->extra_s);
    point->extra_s = least_s;
  }
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

SystemFigures calibrate(const MeasuredRun& run, double start_up, bool surpassed) {
  const double au = run.au_percent.value() / 100.0;
  const double compute_s = run.figures.computation_time_s;
  const double step_s = compute_s / au;
  const double free_s = free_overhead_s(run, run.accelerators);
  const double free_au = compute_s / (compute_s + free_s);
  const double carried = carried_bytes_per_s(run);
  const double first_s = shows_first_fill(run) ? measured_first_step_s(run) - (start_up - kLoop.start_up_s) : 0.0;
  const double fill = first_fill_bytes_per_s(run, first_s);

  SystemFigures figures;
  figures.capacity_bytes_per_s = std::max(carried, fill);
  const bool by_fill = fill > carried && storage_bound_fill(run, first_s, fill);
  figures.known = by_fill ? CapacityKnown::first_fill : CapacityKnown::at_least;
  if (!surpassed && au < 0.5 * (run.figures.au_threshold + free_au)) {  // nearer to the threshold than to undisturbed
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
  const double start_up = start_up_s(rows);
  for (const CalibratingRow& row : rows) {
    const SystemFigures figures = calibrate(*row.run, start_up, row.surpassed);
    joined.largest = joined.largest || row.largest;
    if (rank(figures.known) > rank(joined.known)) joined.known = figures.known;
    joined.capacity_bytes_per_s = std::max(joined.capacity_bytes_per_s, figures.capacity_bytes_per_s);
    if (figures.known == CapacityKnown::limit) continue;
    joined.overheads.push_back({offered_bytes_per_s(*row.run, row.run->accelerators), figures.extra_overhead_s});
  }
  sort_overheads(joined.overheads);
  if (!joined.overheads.empty()) joined.extra_overhead_s = joined.overheads.front().extra_s;
  return joined;
}

double offered_bytes_per_s(const MeasuredRun& run, std::uint64_t accelerators) {
  return static_cast<double>(accelerators) * run.figures.batch_bytes() / run.figures.computation_time_s;
}

double extra_overhead_s(const SystemFigures& system, double offered) {
  const std::vector<LoadedOverhead>& points = system.overheads;
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const LoadedOverhead& point) { return point.offered_bytes_per_s >= offered; });
  if (above == points.begin()) return system.extra_overhead_s;
  if (above == points.end()) return points.back().extra_s;
  const LoadedOverhead& below = *(above - 1);
  const double share = (offered - below.offered_bytes_per_s) / (above->offered_bytes_per_s - below.offered_bytes_per_s);
  return below.extra_s + share * (above->extra_s - below.extra_s);
}

double declared_limit_bytes_per_s(const MeasuredRun& run) {
  double limit = std::numeric_limits<double>::infinity();
  if (run.client_nic_bytes_per_s > 0.0) limit = run.client_nic_bytes_per_s;
  if (run.storage_bytes_per_s > 0.0 && run.page_cache_hits < 1.0)
    limit = std::min(limit, run.storage_bytes_per_s / (1.0 - run.page_cache_hits));
  return limit;
}

}  // namespace headrace::models
