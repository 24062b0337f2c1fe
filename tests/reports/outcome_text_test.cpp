#include "reports/outcome_text.hpp"

#include <sstream>

#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/reports/sample_outcome.hpp"

using namespace headrace;

TEST_CASE("the text of an outcome", "[golden]") {
  const std::string text = reports::outcome_text(reports::testing::sample_outcome(), {.title = "A sample"}, {});
  INFO(text);
  CHECK(headrace::testing::matches_golden(text, "tests/reports/outcome_text.golden.txt"));
}

TEST_CASE("no line is wider than a terminal and none ends in blanks") {
  std::istringstream lines(reports::outcome_text(reports::testing::sample_outcome(), {.title = "A sample"}, {}));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
    CHECK((line.empty() || line.back() != ' '));
  }
}

TEST_CASE("thresholds stand in the text, with their decision and why there is none") {
  const models::Outcome outcome = reports::testing::sample_outcome();
  const auto judged = [&](models::Ruling ruling, const char* reason) {
    models::Judgement judgement;
    judgement.threshold = {"gpu_idle_fraction", models::Relation::less, 0.05, "< 5 %", "/slo/gpu_idle_fraction"};
    judgement.value = 0.032;
    judgement.interval = models::Interval{0.031, 0.033};
    judgement.decision = ruling;
    judgement.reason = reason;
    return reports::outcome_text(outcome, {.title = {}, .judgements = {judgement}}, {});
  };
  const std::string passed = judged(models::Ruling::pass, "");
  CHECK(passed.find("gpu_idle_fraction < 5 %") != std::string::npos);
  CHECK(passed.find("3.100 % to 3.300 %") != std::string::npos);
  CHECK(passed.find("pass\n") != std::string::npos);
  CHECK(judged(models::Ruling::fail, "").find("fail\n") != std::string::npos);
  CHECK(judged(models::Ruling::undecided, "not enough data").find("gpu_idle_fraction: not enough data") !=
        std::string::npos);
  CHECK(reports::outcome_text(outcome, {}, {}).find("Thresholds") == std::string::npos);
}

TEST_CASE("colour adds nothing but colour") {
  const models::Outcome outcome = reports::testing::sample_outcome();
  std::string coloured = reports::outcome_text(outcome, {}, {.colour = true});
  CHECK(coloured.find("\033[1;31mingest-bound") != std::string::npos);
  for (std::size_t at = coloured.find('\033'); at != std::string::npos; at = coloured.find('\033'))
    coloured.erase(at, coloured.find('m', at) - at + 1);
  CHECK(coloured == reports::outcome_text(outcome, {}, {}));
}

TEST_CASE("an outcome without a single number still reads") {
  models::Outcome outcome;
  outcome.verdict = models::Verdict::infeasible;
  CHECK(reports::outcome_text(outcome, {}, {}).find("\ninfeasible: this configuration cannot run\n") !=
        std::string::npos);
}
