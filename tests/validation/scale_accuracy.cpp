// The part of docs/accuracy.md on scale series: systems of MLPerf Storage with three and more sizes, the larger ones
// predicted from the smallest and from the two smallest, and the constant of the law chosen with one series left out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "models/backtest/backtest.hpp"
#include "models/base/slowest_of.hpp"
#include "scenarios/importers/workload_figures.hpp"
#include "scenarios/measured_runs/measurements.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/validation/accuracy.hpp"

namespace headrace::testing {

namespace {

using models::MeasuredRun;

constexpr const char* kScaleSection =
    R"(## Scale series: barrier and slowest rank

Source: the tables above, rows of the same workload and accelerator on systems of one submitter that differ in size only,
three and more sizes. Sorted by accelerators; of two rows with as many the first in the table.

Rule: the overhead of a step that the loop does not explain is a random delay of each rank, and a step takes the longest of n
([barrier](models/barrier.md)). Delays are log-normal with a coefficient of variation of 2, so that the delay of 70 ranks is
5.2 times that of 3 (ln n: 3.9; longest of normal delays: 2.8). The smallest row gives their mean. The rule holds where the
storage grew with the job and no host has more accelerators (*grown*). In the other series accelerators share what does not
grow, and the rule is that of the section above.

Mean errors in points of AU. "Two rows": the two smallest calibrate, the others are predicted; the line is straight in ln n.

)";

constexpr const char* kScaleMissing = R"(
The coefficient of variation chosen again with one series left out (0.5 to 5 in steps of 0.5, least mean error of the others),
and the error on the series that was left out:

| series left out | chosen | mean error | with 2 |
|---|---|---|---|
)";

constexpr const char* kScaleForms = R"(
Other forms of growth with the ranks, from the smallest row, mean errors on these three series (the first has two
sizes), in the same order:

| growth | mean errors |
|---|---|
)";

constexpr const char* kScaleEnd = R"(
What this shows: three series of six rows are few. The form of the law and the condition under which it is used (*grown*) were
chosen on these rows, so that they are no test of either; only the constant was chosen without the series that it predicts. On Azure's, a constant AU is 4.6 points off and a line in ln n 2.0. Headrace's
own model of loads has no part in it: with 96 batches ready ahead and shares of 60 % of the NIC, batches of unequal size
keep no rank waiting (scenario `unet3d-70-hosts`: wait for the slowest loader 0). So the overhead is charged to the barrier, and no row
tells whether the cause is the machine, the interpreter or a store that stalls one host at times.

Missing facts, where a series is off by more than 1.3 points:

| series | missing |
|---|---|
| Suzhou unet3d | why a second client adds 4 ms to a step and a fourth takes 2 ms away: read threads and accelerators of a client changed with the size |
| YanRongTech F8000X unet3d | AU does not fall with the count (96.4 % with 8 accelerators, 98.0 % with 12; one epoch of 8 had 89.9 %): the cause of single slow epochs |
| YanRongTech F8000X resnet50 | core time of a rank: 32 and 106 ranks with 32 threads each on 96 cores |
| YanRongTech F9000X cosmoflow | the same: from 30 to 60 ranks of a host the loop of a step goes from 0.6 to 1.5 ms |

)";

struct Series {
  std::string name;
  std::string data_set;
  std::vector<MeasuredRun> runs;  ///< by accelerators

  bool grown() const {
    return std::all_of(runs.begin() + 1, runs.end(),
                       [this](const MeasuredRun& run) { return models::grew_with_job(run, runs.front()); });
  }
};

double au(const MeasuredRun& run) { return run.au_percent.value(); }

double mean_size(const std::vector<double>& errors) { return figures_of(errors).mean; }

std::vector<Series> series_of(const char* version, const char* file, std::size_t least) {
  const std::string text = file_text(std::string(HEADRACE_SOURCE_DIR) + "/tests/validation/data/" + file);
  const auto read = scenarios::read_measurements("results", text, "", scenarios::shipped_workload_figures());
  if (!read) FAIL(scenarios::print_text(read.error()));
  std::map<std::string, Series> found;
  for (const MeasuredRun& run : read->runs) {
    if (!run.missing.empty() || !run.au_percent || run.kind.empty()) continue;
    const std::string key = run.submitter + run.kind + run.figures.workload + run.figures.accelerator;
    found[key].runs.push_back(run);
  }
  std::vector<Series> all;
  for (auto& [key, series] : found) {
    std::stable_sort(series.runs.begin(), series.runs.end(),
                     [](const MeasuredRun& a, const MeasuredRun& b) { return a.accelerators < b.accelerators; });
    const MeasuredRun& last = series.runs.back();
    const auto word = [](const std::string& all_of_it) { return all_of_it.substr(0, all_of_it.find_first_of("-_ ")); };
    series.name = fmt::format("{} {} {} from {} to {} ranks", word(last.submitter), word(last.system),
                              last.figures.workload, series.runs.front().accelerators, last.accelerators);
    series.data_set = fmt::format("MLPerf Storage {} scale series", version);
    if (series.runs.size() >= least) all.push_back(series);
  }
  return all;
}

/// Signed errors of the product on the rows after the `calibrating` smallest.
std::vector<double> product_errors(const Series& series, std::size_t calibrating) {
  std::vector<MeasuredRun> runs = series.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].calibrates = i < calibrating;
  std::vector<double> errors;
  for (const models::BacktestRow& row : models::run_backtest(runs).rows)
    if (row.status == models::RowStatus::predicted)
      errors.push_back(row.prediction.predicted.au_percent.value() - au(runs[row.run]));
  return errors;
}

std::vector<double> constant_errors(const Series& series, std::size_t from, std::size_t value) {
  std::vector<double> errors;
  for (std::size_t i = from; i < series.runs.size(); ++i) errors.push_back(au(series.runs[value]) - au(series.runs[i]));
  return errors;
}

/// The straight line in ln n through the two smallest rows.
std::vector<double> line_errors(const Series& series) {
  const auto at = [&](std::size_t i) { return std::log(static_cast<double>(series.runs[i].accelerators)); };
  const double slope = (au(series.runs[1]) - au(series.runs[0])) / (at(1) - at(0));
  std::vector<double> errors;
  for (std::size_t i = 2; i < series.runs.size(); ++i)
    errors.push_back(au(series.runs[0]) + slope * (at(i) - at(0)) - au(series.runs[i]));
  return errors;
}

/// Of the law with the overhead that `overhead_s` gives a row from the smallest one.
std::vector<double> overhead_errors(const Series& series,
                                    const std::function<double(const MeasuredRun&, const MeasuredRun&)>& overhead_s) {
  std::vector<double> errors;
  for (std::size_t i = 1; i < series.runs.size(); ++i) {
    const MeasuredRun& run = series.runs[i];
    const double compute_s = run.figures.computation_time_s;
    errors.push_back(100.0 * compute_s / (compute_s + overhead_s(run, series.runs[0])) - au(run));
  }
  return errors;
}

std::vector<double> law_errors(const Series& series, double delay_cv) {
  return overhead_errors(series, [delay_cv](const MeasuredRun& run, const MeasuredRun& row) {
    return models::grown_overhead_s(run, row, delay_cv);
  });
}

/// What the loop does not explain grows as `growth` of the ranks.
std::vector<double> form_errors(const Series& series, const std::function<double(double)>& growth) {
  return overhead_errors(series, [&growth](const MeasuredRun& run, const MeasuredRun& row) {
    const double step_s = row.figures.computation_time_s * 100.0 / au(row);
    const double extra_s = step_s - row.figures.computation_time_s - models::free_overhead_s(row, row.accelerators);
    const double factor = growth(static_cast<double>(run.accelerators)) / growth(static_cast<double>(row.accelerators));
    return models::free_overhead_s(run, run.accelerators) + extra_s * factor;
  });
}

/// The coefficient of variation with the least mean error on all series but one.
double chosen_without(const std::vector<Series>& all, std::size_t left_out) {
  double best = 0.0;
  double least = 1e9;
  for (int i = 1; i <= 10; ++i) {
    std::vector<double> errors;
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (s == left_out) continue;
      const std::vector<double> more = law_errors(all[s], 0.5 * i);
      errors.insert(errors.end(), more.begin(), more.end());
    }
    if (mean_size(errors) >= least) continue;
    least = mean_size(errors);
    best = 0.5 * i;
  }
  return best;
}

std::vector<Series> grown_series() {
  std::vector<Series> grown;
  for (const Series& series : series_of("v3.0", "mlperf_storage_v3_training.csv", 2))
    if (series.grown()) grown.push_back(series);
  return grown;
}

std::string left_out_table() {
  const std::vector<Series> grown = grown_series();
  std::string table;
  for (std::size_t i = 0; i < grown.size(); ++i) {
    const double cv = chosen_without(grown, i);
    table +=
        fmt::format("| {} | {:.1f} | {} | {} |\n", grown[i].name, cv, error_text(mean_size(law_errors(grown[i], cv))),
                    error_text(mean_size(law_errors(grown[i], models::kLoop.delay_cv))));
  }
  return table;
}

std::string forms_table() {
  const auto slowest_of = [](const sim::Distribution& law) {
    return [law](double ranks) { return models::mean_of_slowest(law, ranks); };
  };
  const std::pair<const char*, std::function<double(double)>> forms[] = {
      {"none", [](double) { return 1.0; }},
      {"logarithm of the ranks, from one rank on", [](double ranks) { return 1.0 + std::log(ranks); }},
      {"longest exponential delay", slowest_of(sim::Distribution::exponential(1.0))},
      {"longest log-normal delay, cv 0.5", slowest_of(sim::Distribution::lognormal(1.0, 0.5))},
      {"longest log-normal delay, cv 2", slowest_of(sim::Distribution::lognormal(1.0, 2.0))},
      {"root of the ranks (longest delay of a Pareto law with index 2)", [](double ranks) { return std::sqrt(ranks); }},
      {"a stall in 1 % of the steps of a rank", [](double ranks) { return 1.0 - std::pow(0.99, ranks); }}};
  std::string table;
  for (const auto& [name, growth] : forms) {
    std::string errors;
    for (const Series& series : grown_series())
      errors += (errors.empty() ? "" : ", ") + error_text(mean_size(form_errors(series, growth)));
    table += fmt::format("| {} | {} |\n", name, errors);
  }
  return table;
}

}  // namespace

AccuracyPart scale_accuracy() {
  std::vector<Series> all = series_of("v3.0", "mlperf_storage_v3_training.csv", 3);
  for (const Series& series : series_of("v1.0", "mlperf_storage_results.csv", 3)) all.push_back(series);
  AccuracyPart part;
  std::string table =
      "| series | grown | from the smallest row | constant AU | two rows | line in ln n | AU of the second |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const Series& series : all) {
    const std::vector<double> errors = product_errors(series, 1);
    const std::vector<double> plain = constant_errors(series, 1, 0);
    part.rows.push_back(accuracy_row(series.data_set, "AU of " + series.name, "smallest row; the others", "points",
                                     errors, "AU does not change", plain));
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", series.name, series.grown() ? "yes" : "no",
                         error_text(mean_size(errors)), error_text(mean_size(plain)),
                         error_text(mean_size(product_errors(series, 2))), error_text(mean_size(line_errors(series))),
                         error_text(mean_size(constant_errors(series, 2, 1))));
  }
  part.section = kScaleSection + table + kScaleMissing + left_out_table() + kScaleForms + forms_table() + kScaleEnd;
  return part;
}

// No draws: the same table gives the same numbers.
TEST_CASE("the constant of the slowest rank, chosen without a series, beats plain rules on it", "[validation]") {
  const std::vector<Series> grown = grown_series();
  REQUIRE(grown.size() >= 3);
  double law = 0.0;
  double plain = 0.0;
  for (std::size_t i = 0; i < grown.size(); ++i) {
    const double cv = chosen_without(grown, i);
    INFO(grown[i].name << ": " << cv);
    CHECK(cv >= 1.0);
    CHECK(cv <= 3.0);
    law += mean_size(law_errors(grown[i], cv));
    plain += mean_size(constant_errors(grown[i], 1, 0));
    if (grown[i].runs.size() > 3) CHECK(mean_size(law_errors(grown[i], cv)) < mean_size(line_errors(grown[i])));
  }
  CHECK(law < 0.4 * plain);
}

}  // namespace headrace::testing
