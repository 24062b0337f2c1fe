// docs/accuracy.md and its history say what the predictions give now.
#include "tests/validation/accuracy.hpp"

#include "models/base/model_version.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"

namespace headrace::testing {

namespace {

constexpr AccuracyPart (*kAccuracyParts[])() = {checkpoint_accuracy, training_accuracy, scale_accuracy,   host_accuracy,
                                                worker_accuracy,     store_accuracy,    metadata_accuracy};
constexpr const char* kHistoryFile = "tests/validation/data/accuracy_history.csv";

std::vector<AccuracyPart> accuracy_parts() {
  std::vector<AccuracyPart> parts;
  for (const auto& part : kAccuracyParts) parts.push_back(part());
  return parts;
}

}  // namespace

TEST_CASE("docs/accuracy.md is current", "[validation]") {
  const std::vector<AccuracyPart> parts = accuracy_parts();
  const std::string history = accuracy_history(file_text(std::string(HEADRACE_SOURCE_DIR) + "/" + kHistoryFile), parts);
  INFO("HEADRACE_WRITE_GOLDEN=1 writes both files; say in CHANGELOG.md which errors changed");
  CHECK(matches_golden(history, kHistoryFile));
  CHECK(matches_golden(accuracy_page(parts, history), "docs/accuracy.md"));
}

TEST_CASE("the history keeps earlier model versions and replaces the current one", "[validation]") {
  const std::string own(models::kModelVersion);
  AccuracyPart part;
  part.rows.push_back(accuracy_row("set", "time", "all", "%", {-1.0, 2.0, 3.0}, "guess", {10.0}));
  const std::string history = accuracy_history("head\n2000.1,set,time,all,%,3,9,9,9,9,9,9\n" + own + ",old\n", {part});
  CHECK(history.find("\n2000.1,set,") != std::string::npos);
  CHECK(history.find(",old") == std::string::npos);
  CHECK(history.find("\n" + own + ",set,time,all,%,3,2.0,2.0,3.0,10.0,10.0,10.0\n") != std::string::npos);
}

TEST_CASE("median, mean and largest of absolute errors", "[validation]") {
  const ErrorFigures even = figures_of({-4.0, 1.0, 2.0, -3.0});
  CHECK(even.median == 2.5);
  CHECK(even.mean == 2.5);
  CHECK(even.largest == 4.0);
  CHECK(figures_of({-7.0}).median == 7.0);
  CHECK(figures_of({}).largest == 0.0);
}

}  // namespace headrace::testing
