#include "models/backtest/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "models/backtest/closed_loop.hpp"

namespace headrace::models {
namespace {

double overhead_s(const MeasuredRun& run, const SystemFigures& system) {
  const double extra_s = extra_overhead_s(system, offered_bytes_per_s(run, run.accelerators));
  return std::max(free_overhead_s(run, run.accelerators) + extra_s, 0.0);
}

/// Utilization if only what is known holds the accelerators up.
double ceiling(const MeasuredRun& run, const SystemFigures& system) {
  const double known = system.capacity_bytes_per_s;
  const double overhead = overhead_s(run, system);
  if (system.known == CapacityKnown::declared) return utilization(run, run.accelerators, known, overhead);
  const double open = std::max(declared_limit_bytes_per_s(run), known);
  const double undisturbed = utilization(run, run.accelerators, open, overhead);
  if (system.known != CapacityKnown::limit) return undisturbed;
  return std::min(undisturbed, utilization(endless(run), run.accelerators, known, 0.0));
}

/// The calibrating row with the most accelerators, if the system grew with the job since every one of them.
const MeasuredRun* grown_from(const MeasuredRun& run, Basis basis, const std::vector<CalibratingRow>& rows) {
  const MeasuredRun* largest = nullptr;
  if (basis != Basis::same_kind) return nullptr;
  for (const CalibratingRow& row : rows) {
    if (!grew_with_job(run, *row.run)) return nullptr;
    if (largest == nullptr || row.run->accelerators > largest->accelerators) largest = row.run;
  }
  return largest;
}

/// On such a system loads are what they were: their spread is in the overhead of `row`. A published row met its
/// threshold.
double grown_au(MeasuredRun run, const MeasuredRun& row) {
  run.figures.record_stdev_bytes = 0.0;
  const double overhead = grown_overhead_s(run, row);
  const double au = utilization(run, run.accelerators, declared_limit_bytes_per_s(run), overhead);
  return run.published ? std::max(au, run.figures.au_threshold) : au;
}

/// A published row exists because it met its threshold, and the largest of its series because its owner went no
/// further: with nothing else known it lies anywhere between threshold and ceiling, so the middle is the best guess.
/// `load` is the share of that way from the ceiling.
double predicted_au(const MeasuredRun& run, double load, const SystemFigures& system) {
  const double top = ceiling(run, system);
  if (!run.published) return top;
  const double threshold = run.figures.au_threshold;
  const double most = std::max(top, threshold);
  return most - 0.5 * load * (most - threshold);
}

std::string why_no_count(const MeasuredRun& run, Basis basis, const SystemFigures& system) {
  if (run.figures.au_threshold <= 0.0) return "the workload states no AU threshold";
  if (basis == Basis::same_kind) return "the calibrating rows are of a system of another size";
  if (system.known == CapacityKnown::nothing) return "no row calibrates this system, and it declares no storage rate";
  if (basis == Basis::other_workload)
    return "other workloads of the system show the limit of its storage, not of its clients";
  if (system.known == CapacityKnown::at_least) return "the calibrating rows show no limit: the system may carry more";
  return "";
}

double demand_bytes_per_s(const MeasuredRun& run) { return run.figures.batch_bytes() / run.figures.computation_time_s; }

/// The guess: the mean AU of the calibrating rows, as far above the threshold as there; the count scaled by demand per
/// accelerator. Without rows: the threshold.
Observables guess_for(const MeasuredRun& run, Basis basis, const std::vector<CalibratingRow>& rows) {
  Observables guess;
  const double threshold = run.figures.au_threshold;
  double au = threshold > 0.0 ? threshold : 1.0;
  if (!rows.empty()) {
    double sum = 0.0;
    double count = 0.0;
    for (const CalibratingRow& row : rows) {
      const double theirs = row.run->figures.au_threshold;
      const bool scaled = basis == Basis::other_workload && theirs > 0.0 && threshold > 0.0;
      sum += row.run->au_percent.value() / 100.0 * (scaled ? threshold / theirs : 1.0);
      count = std::max(
          count, static_cast<double>(row.run->accelerators) * demand_bytes_per_s(*row.run) / demand_bytes_per_s(run));
    }
    au = std::min(sum / static_cast<double>(rows.size()), 1.0);
    guess.max_accelerators = count;
  }
  guess.au_percent = 100.0 * au;
  guess.samples_per_s = ideal_samples_per_s(run) * au;
  return guess;
}

bool drives_bind(const MeasuredRun& run) {
  if (run.storage_bytes_per_s <= 0.0) return false;
  const double own_s = run.figures.computation_time_s + free_overhead_s(run, run.accelerators);
  return load_time_s(run, run.accelerators, run.storage_bytes_per_s) > own_s;
}

}  // namespace

Prediction predict(const MeasuredRun& run, double load, Basis basis, const std::vector<CalibratingRow>& rows) {
  Prediction result;
  result.basis = basis;
  result.system = calibrate(rows);
  if (basis == Basis::other_workload) {
    result.system.extra_overhead_s = 0.0;
    result.system.overheads.clear();
  }
  if (rows.empty() && run.storage_bytes_per_s > 0.0) {
    result.system.capacity_bytes_per_s = declared_limit_bytes_per_s(run);
    if (std::isfinite(result.system.capacity_bytes_per_s)) result.system.known = CapacityKnown::declared;
  }
  const SystemFigures& system = result.system;
  result.drive_bound = drives_bind(run);

  const MeasuredRun* smaller = grown_from(run, basis, rows);
  const double au = smaller != nullptr ? grown_au(run, *smaller) : predicted_au(run, load, system);
  result.predicted.au_percent = 100.0 * au;
  const double passing = static_cast<double>(run.accelerators) * demand_bytes_per_s(run) * au;
  const double fill = system.capacity_bytes_per_s > 0.0 ? std::max(system.capacity_bytes_per_s, passing) : 0.0;
  result.predicted.samples_per_s = samples_per_s(run, au, first_step_s(run, run.accelerators, fill));

  result.no_max_reason = why_no_count(run, basis, system);
  if (result.no_max_reason.empty()) {
    const bool declared = system.known == CapacityKnown::declared;  // otherwise all waiting is charged to the capacity
    const std::uint64_t count =
        largest_count(declared ? run : endless(run), system.capacity_bytes_per_s,
                      [&](std::uint64_t accelerators) { return declared ? free_overhead_s(run, accelerators) : 0.0; });
    if (count > 0)
      result.predicted.max_accelerators = static_cast<double>(count);
    else
      result.no_max_reason = "no count up to 10 million fails";
  }
  result.guess = guess_for(run, basis, rows);
  return result;
}

}  // namespace headrace::models
