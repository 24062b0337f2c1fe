// The aims of docs/validation.md on 85 published MLPerf Storage v1.0 configurations. The predictor is a closed form:
// the same table gives the same numbers, so nothing here can fail by chance.
#include "models/backtest/backtest.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/validation/training_rows.hpp"

namespace headrace {
namespace {

std::vector<models::MeasuredRun> runs_from(const std::string& filter) { return testing::training_runs("v1.0", filter); }

models::Backtest backtest_from(const std::string& filter) { return models::run_backtest(runs_from(filter)); }

models::Bar bar(const models::Backtest& result, const std::string& id, const std::string& statistic) {
  const auto found = std::find_if(result.bars.begin(), result.bars.end(), [&](const models::Bar& candidate) {
    return candidate.id == id && candidate.statistic == statistic;
  });
  if (found == result.bars.end()) FAIL("no bar " << id << " " << statistic);
  return *found;
}

}  // namespace

TEST_CASE("V1: the largest H100 counts from A100 rows", "[validation]") {
  const models::Backtest result = backtest_from("accelerator=a100");
  const models::Bar largest = bar(result, "V1", "median");
  CHECK(largest.count == 21);
  CHECK(largest.value <= 6.0);
  CHECK(largest.guess == Approx(8.58).margin(0.01));  // scaling by demand alone
  CHECK(result.max_accelerators.mean_abs_error < result.max_accelerators.baseline_mean_abs_error);
  CHECK(result.max_accelerators.baseline_mean_abs_error == Approx(16.52).margin(0.01));
  CHECK(result.au.skill > 0.4);
  CHECK(result.not_predicted == 0);
}

// The aim for systems that were never seen: below the plain rule, at most 8 %, and never far worse anywhere.
TEST_CASE("V1: no system has more than twice the plain rule's error in its H100 counts", "[validation]") {
  const std::vector<models::MeasuredRun> runs = runs_from("accelerator=a100");
  const auto errors =
      testing::row_errors(runs, &models::Observables::max_accelerators, testing::on(models::Basis::same_workload));
  const models::Bar largest = bar(models::run_backtest(runs), "V1", "median");
  CHECK(errors.size() == largest.count);
  CHECK(largest.value <= 8.0);
  CHECK(largest.value < largest.guess);
  const std::vector<testing::SystemErrors> systems = testing::errors_by_system(runs, errors);
  CHECK(systems.size() == 9);
  for (const testing::SystemErrors& system : systems) {
    INFO(system.submitter << " " << system.system << ": " << system.model << " %, plain rule " << system.plain);
    CHECK(system.model <= 2.0 * system.plain);
  }
}

TEST_CASE("V2: larger configurations from the smallest of their series", "[validation]") {
  const models::Backtest result = backtest_from("smallest");
  const models::Bar larger = bar(result, "V2", "mean");
  CHECK(larger.count == 33);
  CHECK(larger.value <= 1.75);
  CHECK(larger.value < 0.5 * larger.guess);
}

TEST_CASE("V2: one accelerator, from the constants of the loop alone", "[validation]") {
  const models::Bar one = bar(backtest_from(""), "V2", "largest");
  CHECK(one.count == 7);
  CHECK(one.value <= 1.5);
}

TEST_CASE("V3: resnet50 and cosmoflow from unet3d", "[validation]") {
  const models::Backtest result = backtest_from("workload=unet3d");
  const models::Bar other = bar(result, "V3", "median");
  CHECK(other.count == 51);
  CHECK(other.value <= 10.0);
  CHECK(other.value < other.guess);
}

TEST_CASE("V10: where the declared drives bind", "[validation]") {
  for (const char* filter : {"", "accelerator=a100", "workload=unet3d"}) {
    INFO(filter);
    CHECK(bar(backtest_from(filter), "V10", "largest").value <= 5.0);
  }
}

TEST_CASE("no row of a system that calibrates changes the prediction of another system", "[validation]") {
  std::vector<models::MeasuredRun> runs = runs_from("accelerator=a100");
  const models::Backtest before = models::run_backtest(runs);
  for (models::MeasuredRun& run : runs)
    if (run.submitter == "Micron" && run.calibrates) run.au_percent = 70.0;
  const models::Backtest after = models::run_backtest(runs);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool same = before.rows[i].prediction.predicted.au_percent == after.rows[i].prediction.predicted.au_percent;
    if (runs[i].submitter != "Micron") CHECK(same);
    changed += same ? 0U : 1U;
  }
  CHECK(changed > 0);
}

}  // namespace headrace
