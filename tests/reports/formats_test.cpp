// One small golden file for each format. What changes there changes for everybody who reads it by machine.
#include <sstream>

#include "reports/backtest_text.hpp"
#include "reports/calibration_text.hpp"
#include "reports/export/document_export.hpp"
#include "reports/gate_report.hpp"
#include "reports/html/backtest_page.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/html/gate_page.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/html/plan_page.hpp"
#include "reports/html/sweep_page.hpp"
#include "reports/html/verification_page.hpp"
#include "reports/open_metrics.hpp"
#include "reports/outcome_json.hpp"
#include "reports/plan_text.hpp"
#include "reports/results_export.hpp"
#include "reports/timeline_json.hpp"
#include "reports/verification_text.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/reports/sample_documents.hpp"

namespace headrace::reports {
namespace {

using headrace::testing::matches_golden;

std::string golden(const std::string& name) { return "tests/reports/golden/" + name; }

std::string exported(ResultsFormat format) {
  scenarios::ResultsStore store(":memory:", scenarios::ResultsStore::Access::write);
  testing::fill_store(store, 2);
  ExportOptions options;
  options.format = format;
  std::string text;
  REQUIRE(export_results(store, options, [&text](std::string_view piece) { text += piece; }));
  return text;
}

/// The style and the scripts are the same on every page and no numbers stand in them.
std::string without_style(std::string page) {
  for (const std::string name : {"style", "script"}) {
    const std::size_t tag = page.find("<" + name + ">");
    if (tag == std::string::npos) continue;
    const std::size_t begin = tag + name.size() + 2;
    page.erase(begin, page.find("</" + name + ">", begin) - begin);
  }
  return page;
}

TEST_CASE("the outcome as JSON", "[golden]") {
  CHECK(matches_golden(json_text(testing::sample_outcome_document()), golden("outcome.json")));
}

TEST_CASE("the outcome as OpenMetrics", "[golden]") {
  const std::string text = open_metrics(testing::sample_outcome_document());
  CHECK(text.ends_with("# EOF\n"));
  CHECK(matches_golden(text, golden("outcome.openmetrics.txt")));
}

TEST_CASE("results of a sweep as CSV, NDJSON and JSON", "[golden]") {
  CHECK(matches_golden(exported(ResultsFormat::csv), golden("sweep.csv")));
  CHECK(matches_golden(exported(ResultsFormat::ndjson), golden("sweep.ndjson")));
  CHECK(matches_golden(exported(ResultsFormat::json), golden("sweep.json")));
}

TEST_CASE("a gate as text, JUnit XML, Markdown and annotations", "[golden]") {
  const GateReport report = testing::sample_gate_report();
  CHECK(matches_golden(gate_text(report, {}), golden("gate.txt")));
  CHECK(matches_golden(junit_xml(report), golden("gate.junit.xml")));
  CHECK(matches_golden(gate_markdown(report), golden("gate.md")));
  CHECK(matches_golden(github_annotations(report), golden("gate.github.txt")));
}

TEST_CASE("what terminals show of a plan, a backtest, a calibration and a verification", "[golden]") {
  const auto sample = testing::sample_backtest();
  CHECK(matches_golden(plan_text(testing::sample_plan(), "A plan", PlanDetail::search, {}), golden("plan.txt")));
  CHECK(matches_golden(backtest_text(sample.backtest, sample.runs, "A backtest", {}), golden("backtest.txt")));
  CHECK(matches_golden(calibration_text(testing::sample_calibration(), {}), golden("calibration.txt")));
  CHECK(matches_golden(verification_text(testing::sample_verification(), {}), golden("verification.txt")));
}

TEST_CASE("no text for terminals is wider than 80 columns or ends a line in blanks") {
  const auto sample = testing::sample_backtest();
  for (const std::string& text :
       {plan_text(testing::sample_plan(), "A plan", PlanDetail::search, {}),
        gate_text(testing::sample_gate_report(), {}), backtest_text(sample.backtest, sample.runs, "A backtest", {}),
        calibration_text(testing::sample_calibration(), {}), verification_text(testing::sample_verification(), {})}) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
      CHECK((line.empty() || line.back() != ' '));
    }
  }
}

TEST_CASE("documents of a plan, a backtest and a verification", "[golden]") {
  CHECK(matches_golden(json_text(testing::sample_plan_document()), golden("plan.json")));
  CHECK(matches_golden(json_text(testing::sample_backtest_document()), golden("backtest.json")));
  CHECK(matches_golden(json_text(testing::sample_verification_document()), golden("verification.json")));
}

TEST_CASE("pages as HTML", "[golden]") {
  CHECK(matches_golden(
      without_style(compare_page(read_comparison(testing::sample_compare_document()), {"", "headrace compare a b"})),
      golden("compare.html")));
  CHECK(matches_golden(without_style(backtest_page(testing::sample_backtest(), {"Backtest", "headrace backtest x"})),
                       golden("backtest.html")));
  CHECK(matches_golden(without_style(outcome_page(testing::sample_outcome_document(), {"", "headrace simulate x"})),
                       golden("outcome.html")));
  CHECK(
      matches_golden(without_style(check_page(read_check(testing::sample_check_document()), {"", "headrace check x"})),
                     golden("check.html")));
  CHECK(matches_golden(
      without_style(calibration_page(testing::sample_calibration(), {"Calibration", "headrace calibrate"})),
      golden("calibration.html")));
  CHECK(matches_golden(
      without_style(verification_page({testing::sample_verification()}, {"Verification", "headrace verify --path ."})),
      golden("verification.html")));
  CHECK(matches_golden(without_style(plan_page(testing::sample_plan_document(), {"Plan", "headrace plan x"})),
                       golden("plan.html")));
  scenarios::ResultsStore store(":memory:", scenarios::ResultsStore::Access::write);
  testing::fill_store(store, 3);
  CHECK(matches_golden(without_style(sweep_page(store, {}).value()), golden("sweep.html")));
}

TEST_CASE("saved documents as CSV, Markdown and JUnit XML", "[golden]") {
  const auto exported_as = [](const testing::Json& document, const char* format) {
    return document_export(document, format).value();
  };
  CHECK(matches_golden(exported_as(testing::sample_outcome_document(), "csv"), golden("outcome.csv")));
  CHECK(matches_golden(exported_as(testing::sample_outcome_document(), "markdown"), golden("outcome.md")));
  CHECK(matches_golden(exported_as(testing::sample_check_document(), "csv"), golden("check.csv")));
  CHECK(matches_golden(exported_as(testing::sample_check_document(), "junit"), golden("check.junit.xml")));
  CHECK(matches_golden(exported_as(testing::sample_compare_document(), "csv"), golden("compare.csv")));
  CHECK(matches_golden(exported_as(testing::sample_compare_document(), "markdown"), golden("compare.md")));
  CHECK_FALSE(document_export(testing::sample_outcome_document(), "junit"));
  CHECK_FALSE(document_export(testing::sample_plan_document(), "csv"));
  CHECK_FALSE(document_export(testing::Json::object(), "json"));
}

TEST_CASE("a timeline as a trace", "[golden]") {
  models::JobTimeline job;
  job.name = "train";
  job.loaders = job.watched = 1;
  job.batch_samples = 4;
  for (std::uint64_t n = 0; n < 4; ++n) {
    models::TimelineBatch batch;
    batch.batch = batch.step = n;
    const auto begin_ns = static_cast<sim::TimeNs>(n) * 1'000'000;
    batch.assigned_ns = begin_ns;
    batch.ready_ns = begin_ns + 800'000;
    batch.taken_ns = begin_ns + 1'000'000;
    batch.visits = {{models::Stage::transfer, begin_ns, begin_ns + 500'000, 400'000},
                    {models::Stage::decode, begin_ns + 500'000, begin_ns + 800'000, 300'000}};
    (n < 3 ? job.batches : job.loading).push_back(batch);
    if (n == 3) continue;
    job.steps.records.emplace_back();
    job.steps.records.back().start_ns = batch.taken_ns;
    job.steps.records.back().compute_ns = 700'000;
  }
  models::Timeline timeline = testing::sample_course();
  timeline.jobs = {job};
  CHECK(matches_golden(timeline_json(timeline).dump(1) + "\n", golden("timeline.json")));
}

}  // namespace
}  // namespace headrace::reports
