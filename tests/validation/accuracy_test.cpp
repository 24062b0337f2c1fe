// docs/accuracy.md and its history say what the predictions give now.
#include "tests/validation/accuracy.hpp"

#include "models/base/model_version.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/validation/accuracy_worsenings.hpp"

namespace headrace::testing {

namespace {

constexpr AccuracyPart (*kAccuracyParts[])() = {checkpoint_accuracy, training_accuracy, scale_accuracy,
                                                torch_accuracy,      host_accuracy,     worker_accuracy,
                                                store_accuracy,      metadata_accuracy};
constexpr const char* kHistoryFile = "tests/validation/data/accuracy_history.csv";
constexpr const char* kAcceptedFile = "tests/validation/data/accepted_worsenings.csv";

std::vector<AccuracyPart> accuracy_parts() {
  std::vector<AccuracyPart> parts;
  for (const auto& part : kAccuracyParts) parts.push_back(part());
  return parts;
}

std::string text_of_source(const std::string& file) { return file_text(std::string(HEADRACE_SOURCE_DIR) + "/" + file); }

}  // namespace

TEST_CASE("docs/accuracy.md is current", "[validation][long_2]") {
  const std::vector<AccuracyPart> parts = accuracy_parts();
  const std::string history = accuracy_history(text_of_source(kHistoryFile), parts);
  const std::vector<Worsening> grown = worsenings(history, std::string(models::kModelVersion));
  const std::vector<AcceptedWorsening> accepted = read_accepted_worsenings(text_of_source(kAcceptedFile));
  for (const std::string& line : unaccepted(grown, accepted, std::string(models::kModelVersion))) FAIL_CHECK(line);
  INFO("HEADRACE_WRITE_GOLDEN=1 writes both files; say in CHANGELOG.md which errors changed");
  CHECK(matches_golden(history, kHistoryFile));
  CHECK(matches_golden(accuracy_page(parts, history, worsenings_section(grown, accepted)), "docs/accuracy.md"));
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

TEST_CASE("an error that grew on the same rows must be accepted", "[validation]") {
  const std::string history =
      "head\n"
      "1,set,time,all,%,3,1.0,1.0,9,9,9,9\n"
      "2,set,time,all,%,3,2.0,3.0,9,9,9,9\n"
      "2,set,rate,all,%,3,120,99.0,9,9,9,9\n"
      "2,set,size,all,%,3,1.0,1.0,9,9,9,9\n"
      "3,set,time,all,%,3,2.3,3.1,99,9,9,9\n"
      "3,set,rate,all,%,3,121,100,9,9,9,9\n"
      "3,set,size,all,%,4,5.0,5.0,9,9,9,9\n"
      "3,new,size,all,%,4,5.0,5.0,9,9,9,9\n";
  // 3.0 -> 3.1, 120 -> 121 and 99.0 -> 100 are rounding; `size` has other rows; version 1 is not the one before.
  const std::vector<Worsening> grown = worsenings(history, "3");
  REQUIRE(grown.size() == 1);
  CHECK(grown[0].figure == "median");
  CHECK(grown[0].before == 2.0);
  CHECK(grown[0].after == 2.3);
  CHECK(worsenings(history, "2").size() == 2);
  REQUIRE(unaccepted(grown, {}, "3").size() == 1);
  CHECK(unaccepted(grown, {}, "3")[0].find("median of set, time (all) grew from 2.0 to 2.3 %") == 0);
  const auto accepted = [](const std::string& line) { return read_accepted_worsenings("head\n" + line + "\n"); };
  CHECK(unaccepted(grown, accepted("3,set,time,all,median,2.3,why"), "3").empty());
  CHECK(unaccepted(grown, accepted("3,set,time,all,median,2.2,why"), "3").size() == 2);  // grew further; covers none
  CHECK(unaccepted(grown, accepted("3,set,time,all,mean,2.3,why"), "3").size() == 2);
  CHECK(unaccepted({}, accepted("2,set,time,all,mean,2.3,why"), "3").empty());  // of an earlier version
  CHECK(worsenings_section(grown, accepted("3,set,time,all,median,2.3,why")).find("| 2.0 % | 2.3 % | why |") !=
        std::string::npos);
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
