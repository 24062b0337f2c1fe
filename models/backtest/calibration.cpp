#include "models/backtest/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/base/slowest_of.hpp"

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

double carried_bytes_per_s(const MeasuredRun& run) {
  const double samples =
      run.samples_per_s ? *run.samples_per_s : ideal_samples_per_s(run) * run.au_percent.value() / 100.0;
  return samples * run.figures.record_bytes;
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

}  // namespace

SystemFigures calibrate(const CalibratingRow& row) {
  const MeasuredRun& run = *row.run;
  const double au = run.au_percent.value() / 100.0;
  const double compute_s = run.figures.computation_time_s;
  const double step_s = compute_s / au;
  const double free_s = free_overhead_s(run, run.accelerators);
  const double undisturbed = compute_s / (compute_s + free_s);
  const bool waits = au < 0.5 * (run.figures.au_threshold + undisturbed);  // nearer to the threshold

  SystemFigures figures;
  figures.known = CapacityKnown::at_least;
  figures.capacity_bytes_per_s = carried_bytes_per_s(run);
  if (row.largest || (waits && !row.surpassed)) {
    figures.known = CapacityKnown::limit;
    if (compute_s < step_s) figures.capacity_bytes_per_s = capacity_for(endless(run), step_s, 0.0);
  } else {
    figures.extra_overhead_s = step_s - compute_s - free_s;
  }
  return figures;
}

SystemFigures calibrate(const std::vector<CalibratingRow>& rows) {
  SystemFigures joined;
  for (const CalibratingRow& row : rows) {
    const SystemFigures figures = calibrate(row);
    joined.known = std::max(joined.known, figures.known);
    joined.capacity_bytes_per_s = std::max(joined.capacity_bytes_per_s, figures.capacity_bytes_per_s);
    if (figures.known == CapacityKnown::limit) continue;
    joined.overheads.push_back({offered_bytes_per_s(*row.run, row.run->accelerators), figures.extra_overhead_s});
  }
  sort_overheads(joined.overheads);
  if (!joined.overheads.empty()) joined.extra_overhead_s = joined.overheads.front().extra_s;
  return joined;
}

bool grew_with_job(const MeasuredRun& run, const MeasuredRun& row) {
  const bool resized = !run.storage.empty() && !row.storage.empty() && run.storage != row.storage;
  return resized && run.accelerators > row.accelerators && run.accelerators * row.hosts <= row.accelerators * run.hosts;
}

double grown_overhead_s(const MeasuredRun& run, const MeasuredRun& row, double delay_cv) {
  const double free_s = free_overhead_s(row, row.accelerators);
  const double extra_s = row.figures.computation_time_s * (100.0 / row.au_percent.value() - 1.0) - free_s;
  const auto slowest = [delay_cv](std::uint64_t ranks) {
    return slowest_over_mean(static_cast<double>(ranks), delay_cv);
  };
  const double growth = extra_s > 0.0 ? slowest(run.accelerators) / slowest(row.accelerators) : 1.0;
  return std::max(free_overhead_s(run, run.accelerators) + extra_s * growth, 0.0);
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
