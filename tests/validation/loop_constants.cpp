#include "tests/validation/loop_constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tests/validation/accuracy.hpp"
#include "tests/validation/training_rows.hpp"

namespace headrace::testing {

namespace {

using models::LoopConstants;
using models::MeasuredRun;

/// The rows of one split and the observable that is held against them.
struct Split {
  std::vector<MeasuredRun> runs;
  Observable observable;
  RowFilter counts;

  std::vector<RowError> errors(const LoopConstants& loop) const {
    std::vector<MeasuredRun> with = runs;
    for (MeasuredRun& run : with) run.loop = loop;
    return row_errors(with, observable, counts);
  }
};

std::vector<LoopConstants> grid_of_steps() {
  std::vector<LoopConstants> grid;
  for (int loop = 0; loop <= 8; ++loop)
    for (const double handover : {20e9, 30e9, 40e9, 50e9, 75e9, 100e9, 150e9, 200e9, 300e9, 600e9})
      for (int barrier = 0; barrier <= 8; ++barrier) {
        LoopConstants constants;
        constants.loop_s = 0.25e-3 * loop;
        constants.handover_bytes_per_s = handover;
        constants.barrier_s = 0.05e-3 * barrier;
        grid.push_back(constants);
      }
  return grid;
}

std::vector<LoopConstants> grid_of_start_up(const LoopConstants& steps) {
  std::vector<LoopConstants> grid(21, steps);
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i].start_up_s = 0.1 * static_cast<double>(i);
  return grid;
}

double mean_without(const Split& split, const std::vector<RowError>& errors, const std::string& submitter) {
  double sum = 0.0;
  double count = 0.0;
  for (const RowError& error : errors) {
    if (split.runs[error.run].submitter == submitter) continue;
    sum += std::fabs(error.model);
    count += 1.0;
  }
  return sum / count;
}

/// Constants of a grid with their errors on a split.
struct Tried {
  LoopConstants constants;
  std::vector<RowError> errors;
};

std::vector<Tried> tried_on(const Split& split, const std::vector<LoopConstants>& grid) {
  std::vector<Tried> tried;
  for (const LoopConstants& constants : grid) tried.push_back({constants, split.errors(constants)});
  return tried;
}

/// The first of those with the least mean error on the rows of the others.
LoopConstants best_without(const Split& split, const std::vector<Tried>& tried, const std::string& submitter) {
  const Tried* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Tried& one : tried)
    if (const double mean = mean_without(split, one.errors, submitter); mean < least - 1e-9) {
      least = mean;
      best = &one;
    }
  return best->constants;
}

LeftOutErrors errors_left_out(const Split& split, const std::vector<LeftOutSubmitter>& submitters) {
  LeftOutErrors all;
  for (const RowError& error : split.errors(models::kLoop)) {
    all.shipped.push_back(error.model);
    all.plain.push_back(error.plain);
    all.submitters.push_back(split.runs[error.run].submitter);
  }
  all.chosen.resize(all.shipped.size());
  for (const LeftOutSubmitter& left_out : submitters) {
    const std::vector<RowError> errors = split.errors(left_out.chosen);
    REQUIRE(errors.size() == all.shipped.size());
    for (std::size_t i = 0; i < errors.size(); ++i)
      if (all.submitters[i] == left_out.submitter) all.chosen[i] = errors[i].model;
  }
  return all;
}

}  // namespace

LeftOutConstants left_out_constants() {
  using models::Observables;
  const Split au{training_runs("v1.0", ""), &Observables::au_percent, [](const models::BacktestRow&) { return true; }};
  const Split series{training_runs("v1.0", "smallest"), &Observables::au_percent, on_larger_rows()};
  const Split samples{training_runs("v1.0", "workload=unet3d"), &Observables::samples_per_s,
                      on(models::Basis::other_workload)};
  LeftOutConstants result;
  for (const MeasuredRun& run : au.runs)
    if (std::none_of(result.submitters.begin(), result.submitters.end(),
                     [&](const LeftOutSubmitter& of) { return of.submitter == run.submitter; }))
      result.submitters.push_back({run.submitter, {}});
  const std::vector<Tried> steps = tried_on(au, grid_of_steps());
  for (LeftOutSubmitter& left_out : result.submitters) {
    left_out.chosen = best_without(au, steps, left_out.submitter);
    const std::vector<Tried> starts = tried_on(samples, grid_of_start_up(left_out.chosen));
    left_out.chosen = best_without(samples, starts, left_out.submitter);
  }
  result.au = errors_left_out(au, result.submitters);
  result.series_au = errors_left_out(series, result.submitters);
  result.samples = errors_left_out(samples, result.submitters);
  return result;
}

// No draws: the same table gives the same numbers.
TEST_CASE("constants of the loop chosen without a submitter beat the plain rules on its rows", "[validation]") {
  const LeftOutConstants all = left_out_constants();
  CHECK(all.submitters.size() >= 5);
  REQUIRE(all.au.chosen.size() == 85);
  REQUIRE(all.series_au.chosen.size() == 33);
  REQUIRE(all.samples.chosen.size() == 51);
  CHECK(figures_of(all.series_au.chosen).mean < 0.5 * figures_of(all.series_au.plain).mean);
  CHECK(figures_of(all.samples.chosen).median < figures_of(all.samples.plain).median);
  // 3.6: median AU of the workload in the rows of the other submitters (docs/accuracy.md)
  CHECK(figures_of(all.au.chosen).mean < 0.8 * 3.6);
  for (const LeftOutSubmitter& of : all.submitters) {
    INFO(of.submitter);
    CHECK(of.chosen.loop_s == Approx(models::kLoop.loop_s).margin(0.3e-3));
  }
}

}  // namespace headrace::testing
