// One small golden file for each format. What changes there changes for everybody who reads it by machine.
#include "reports/gate_report.hpp"
#include "reports/html/backtest_page.hpp"
#include "reports/html/calibration_page.hpp"
#include "reports/html/gate_page.hpp"
#include "reports/html/plan_page.hpp"
#include "reports/open_metrics.hpp"
#include "reports/results_export.hpp"
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
    const std::size_t begin = page.find("<" + name + ">") + name.size() + 2;
    page.erase(begin, page.find("</" + name + ">") - begin);
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

TEST_CASE("pages as HTML", "[golden]") {
  CHECK(matches_golden(without_style(compare_page(testing::sample_compare_document(), {"", "headrace compare a b"})),
                       golden("compare.html")));
  CHECK(matches_golden(
      without_style(backtest_page(testing::sample_backtest_document(), {"Backtest", "headrace backtest x"})),
      golden("backtest.html")));
}

}  // namespace
}  // namespace headrace::reports
