#include "models/backtest/backtest.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

namespace headrace::models {
namespace {

using Runs = std::vector<MeasuredRun>;

/// Which rows belong together, by index.
class Groups {
 public:
  explicit Groups(const Runs& runs) {
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> series;
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> kinds;
    std::map<std::pair<std::string, std::string>, std::size_t> systems;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const MeasuredRun& run = runs[i];
      const std::tuple key{run.submitter, run.system, run.figures.workload, run.figures.accelerator};
      add(i, series.emplace(key, series.size()).first->second, series_of_, series_);
      const std::tuple kind{run.submitter, run.kind.empty() ? run.system : run.kind, run.figures.workload,
                            run.figures.accelerator};
      add(i, kinds.emplace(kind, kinds.size()).first->second, kind_of_, kinds_);
      add(i, systems.emplace(std::pair{run.submitter, run.system}, systems.size()).first->second, system_of_, systems_);
    }
    for (const auto& members : series_) largest_.push_back(largest_of(runs, members));
    for (const auto& members : kinds_) largest_of_kind_.push_back(largest_of(runs, members));
  }

  /// Rows that differ only in their counts.
  const std::vector<std::size_t>& series(std::size_t row) const { return series_[series_of_[row]]; }
  /// Rows of the same workload and accelerator on systems that may differ in size.
  const std::vector<std::size_t>& kind(std::size_t row) const { return kinds_[kind_of_[row]]; }
  std::size_t largest_of_kind(std::size_t row) const { return largest_of_kind_[kind_of_[row]]; }
  const std::vector<std::size_t>& system(std::size_t row) const { return systems_[system_of_[row]]; }
  /// Whether the row has the largest count of the published rows of its series, or of all where none is published.
  bool is_largest(std::size_t row) const { return largest(row) == row; }
  std::size_t largest(std::size_t row) const { return largest_[series_of_[row]]; }

 private:
  static std::size_t largest_of(const Runs& runs, const std::vector<std::size_t>& members) {
    return *std::max_element(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      return std::pair{runs[a].published, runs[a].accelerators} < std::pair{runs[b].published, runs[b].accelerators};
    });
  }
  static void add(std::size_t row, std::size_t group, std::vector<std::size_t>& group_of,
                  std::vector<std::vector<std::size_t>>& groups) {
    group_of.push_back(group);
    if (group == groups.size()) groups.emplace_back();
    groups[group].push_back(row);
  }

  std::vector<std::size_t> series_of_;
  std::vector<std::size_t> system_of_;
  std::vector<std::vector<std::size_t>> series_;
  std::vector<std::vector<std::size_t>> systems_;
  std::vector<std::size_t> largest_;
  std::vector<std::size_t> kind_of_;
  std::vector<std::vector<std::size_t>> kinds_;
  std::vector<std::size_t> largest_of_kind_;
};

/// The measured largest count: known at the largest published row, or at a passing row whose next larger one failed.
std::optional<double> measured_largest(const Runs& runs, std::size_t index, const Groups& groups) {
  const MeasuredRun& run = runs[index];
  const double threshold = 100.0 * run.figures.au_threshold;
  if (!run.au_percent || threshold <= 0.0 || *run.au_percent < threshold) return std::nullopt;
  const auto count = static_cast<double>(run.accelerators);
  if (run.published) return groups.is_largest(index) ? std::optional<double>(count) : std::nullopt;
  const MeasuredRun* next = nullptr;
  for (const std::size_t i : groups.series(index)) {
    const MeasuredRun& other = runs[i];
    if (other.accelerators <= run.accelerators || !other.au_percent) continue;
    if (next == nullptr || other.accelerators < next->accelerators) next = &other;
  }
  if (next == nullptr || *next->au_percent >= threshold) return std::nullopt;
  return count;
}

/// How near a row of the same system is.
Basis basis_of(const MeasuredRun& target, const MeasuredRun& source) {
  if (source.figures.workload != target.figures.workload) return Basis::other_workload;
  return source.figures.accelerator == target.figures.accelerator ? Basis::same_series : Basis::same_workload;
}

struct Nearest {
  Basis basis = Basis::declared;
  std::vector<CalibratingRow> rows;
  double accelerators = 1.0;  ///< of the largest of the rows, if they have the target's workload and accelerator
};

/// The calibrating rows nearest to the target. Those of another size tell what a step costs there, not what the target
/// can carry.
Nearest nearest_rows(const Runs& runs, const Backtest& result, std::size_t target, const Groups& groups) {
  Nearest nearest;
  const auto consider = [&](std::size_t i, Basis basis, bool largest, bool surpassed) {
    if (result.rows[i].status != RowStatus::calibrated || basis > nearest.basis) return;
    if (basis < nearest.basis) nearest = {basis, {}, 1.0};
    nearest.rows.push_back({&runs[i], largest, surpassed});
    if (basis <= Basis::same_kind)
      nearest.accelerators = std::max(nearest.accelerators, static_cast<double>(runs[i].accelerators));
  };
  for (const std::size_t i : groups.system(target)) {
    const MeasuredRun& largest = runs[groups.largest(i)];
    const bool surpassed = largest.published && largest.accelerators > runs[i].accelerators;
    consider(i, basis_of(runs[target], runs[i]), runs[i].published && groups.is_largest(i), surpassed);
  }
  for (const std::size_t i : groups.kind(target))
    if (runs[i].system != runs[target].system) consider(i, Basis::same_kind, false, true);
  return nearest;
}

/// How far the row is on the way from `least` accelerators to the largest published count of its kind.
double load_of(const Runs& runs, std::size_t row, double least, const Groups& groups) {
  const auto count = static_cast<double>(runs[row].accelerators);
  const auto most = static_cast<double>(runs[groups.largest_of_kind(row)].accelerators);
  if (count <= least) return 0.0;
  return count >= most ? 1.0 : (count - least) / (most - least);
}

double quantile(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const double place = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

using Observable = std::optional<double> Observables::*;

/// Errors of the rows that `applies` picks: of the predictions (signed) and of the guesses (absolute).
struct Errors {
  std::vector<double> predicted;
  std::vector<double> guessed;
};
Errors errors_of(const Backtest& result, Observable observable,
                 const std::function<bool(const BacktestRow&)>& applies) {
  Errors errors;
  const bool points = observable == &Observables::au_percent;
  for (const BacktestRow& row : result.rows) {
    if (row.status != RowStatus::predicted || !applies(row)) continue;
    const auto measured = row.measured.*observable;
    const auto predicted = row.prediction.predicted.*observable;
    const auto guess = row.prediction.guess.*observable;
    if (!measured || !predicted || !guess || *measured <= 0.0) continue;
    const double scale = points ? 1.0 : 100.0 / *measured;
    errors.predicted.push_back((*predicted - *measured) * scale);
    errors.guessed.push_back(std::fabs(*guess - *measured) * scale);
  }
  return errors;
}

std::vector<double> absolute(std::vector<double> values) {
  for (double& value : values) value = std::fabs(value);
  return values;
}

ErrorSummary summarize(const Backtest& result, Observable observable) {
  const Errors errors = errors_of(result, observable, [](const BacktestRow&) { return true; });
  ErrorSummary summary;
  summary.count = errors.predicted.size();
  if (summary.count == 0) return summary;
  const std::vector<double> sizes = absolute(errors.predicted);
  summary.mean_abs_error = mean(sizes);
  summary.median_abs_error = quantile(sizes, 0.5);
  summary.p90_abs_error = quantile(sizes, 0.9);
  summary.largest_abs_error = quantile(sizes, 1.0);
  summary.mean_error = mean(errors.predicted);
  summary.baseline_mean_abs_error = mean(errors.guessed);
  summary.baseline_median_abs_error = quantile(errors.guessed, 0.5);
  if (summary.baseline_mean_abs_error > 0.0)
    summary.skill = 1.0 - summary.mean_abs_error / summary.baseline_mean_abs_error;
  return summary;
}

double statistic_of(const std::vector<double>& values, const std::string& statistic) {
  if (statistic == "mean") return mean(values);
  return quantile(values, statistic == "median" ? 0.5 : 1.0);
}

void add_bar(Backtest& result, Bar bar, Observable observable, const std::function<bool(const BacktestRow&)>& applies) {
  const Errors errors = errors_of(result, observable, applies);
  bar.count = errors.predicted.size();
  if (bar.count == 0) return;
  bar.value = statistic_of(absolute(errors.predicted), bar.statistic);
  bar.guess = statistic_of(errors.guessed, bar.statistic);
  bar.met = bar.value <= bar.limit;
  result.bars.push_back(bar);
}

void add_bars(Backtest& result, const Runs& runs) {
  const auto has_basis = [](Basis basis) {
    return [basis](const BacktestRow& row) { return row.prediction.basis == basis; };
  };
  const auto one_accelerator = [&runs](const BacktestRow& row) { return runs[row.run].accelerators == 1; };
  const auto drive_bound = [](const BacktestRow& row) { return row.prediction.drive_bound; };
  const auto bar = [](const char* id, const char* meaning, const char* unit, const char* statistic, double limit) {
    return Bar{id, meaning, unit, statistic, limit, 0, 0.0, 0.0, false};
  };
  add_bar(result, bar("V1", "largest count of another accelerator", "%", "median", 6.0), &Observables::max_accelerators,
          has_basis(Basis::same_workload));
  add_bar(result, bar("V2", "AU at other counts of a series", "points", "mean", 2.0), &Observables::au_percent,
          [](const BacktestRow& row) { return row.prediction.basis <= Basis::same_kind; });
  add_bar(result, bar("V2", "AU of one accelerator", "points", "largest", 1.5), &Observables::au_percent,
          one_accelerator);
  add_bar(result, bar("V3", "samples/s of another workload", "%", "median", 10.0), &Observables::samples_per_s,
          has_basis(Basis::other_workload));
  add_bar(result, bar("V10", "samples/s where the declared drives bind", "%", "median", 5.0),
          &Observables::samples_per_s, drive_bound);
  add_bar(result, bar("V10", "samples/s where the declared drives bind", "%", "largest", 5.0),
          &Observables::samples_per_s, drive_bound);
}

void set_calibrating(BacktestRow& row, const MeasuredRun& run) {
  row.reason = run.missing;
  if (row.reason.empty() && !run.au_percent) row.reason = "AU is missing";
  row.status = row.reason.empty() ? RowStatus::calibrated : RowStatus::not_calibrated;
}

}  // namespace

Backtest run_backtest(const Runs& runs) {
  Backtest result;
  const Groups groups(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    BacktestRow row;
    row.run = i;
    row.measured = {runs[i].au_percent, runs[i].samples_per_s, measured_largest(runs, i, groups)};
    if (runs[i].calibrates) set_calibrating(row, runs[i]);
    result.rows.push_back(row);
  }
  for (BacktestRow& row : result.rows) {
    const MeasuredRun& run = runs[row.run];
    if (run.calibrates) {
      result.calibrated += row.status == RowStatus::calibrated ? 1U : 0U;
      continue;
    }
    row.reason = run.missing;
    if (!row.reason.empty()) {
      ++result.not_predicted;
      continue;
    }
    const Nearest nearest = nearest_rows(runs, result, row.run, groups);
    row.prediction = predict(run, load_of(runs, row.run, nearest.accelerators, groups), nearest.basis, nearest.rows);
    row.status = RowStatus::predicted;
    ++result.predicted;
  }
  result.au = summarize(result, &Observables::au_percent);
  result.samples_per_s = summarize(result, &Observables::samples_per_s);
  result.max_accelerators = summarize(result, &Observables::max_accelerators);
  add_bars(result, runs);
  return result;
}

}  // namespace headrace::models
