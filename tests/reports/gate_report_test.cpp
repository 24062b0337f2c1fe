#include "reports/gate_report.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "reports/gate_cases.hpp"
#include "reports/gate_json.hpp"
#include "tests/catch.hpp"

using namespace headrace;
using namespace headrace::reports;
using models::Ruling;

namespace {

GateReport sample() {
  GateReport report;
  report.verb = "check";
  report.title = "a \"title\" with <marks> & more";
  report.headline = "1 of 3 thresholds hold, 1 fail, 1 undecided";
  report.decision = Ruling::fail;
  report.cases = {{"slo", "step_time_s < 1 s", Ruling::pass, "0.5 s", "0.4 s to 0.6 s", ""},
                  {"slo", "gpu_idle_fraction < 5 %", Ruling::fail, "32 %", "31 % to 33 %", "", "a,b:c.json", 7, 5},
                  {"slo", "x|y \x01\xff]]> < 1", Ruling::undecided, "", "", "line one\nline two: 100%"}};
  report.tables = {{"Inputs that differ", {"value at", "A", "B"}, {{"/stores/0/bandwidth", "1 GB/s", "2 GB/s"}}}};
  report.notes = {"a note with `ticks`"};
  report.properties = {{"seed", "1"}, {"model_version", "2026.5"}};
  return report;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

}  // namespace

TEST_CASE("an input that differs says what 0 stands for, where the parameter says so") {
  const InputDifference per_core{"/fabric/transport/per_core", "0 B/s", "5 GB/s", "--set"};
  CHECK(per_core.before_text() == "0 B/s (no core is needed)");
  CHECK(per_core.after_text() == "5 GB/s");
  const InputDifference bytes{"/cluster/pools/0/cache/bytes", "0 B", "", ""};
  CHECK(bytes.before_text() == "0 B");
  CHECK(bytes.after_text() == "-");
}

TEST_CASE("JUnit XML has one test case per limit, failures for what failed and errors for doubt") {
  const std::string xml = junit_xml(sample());
  CHECK(contains(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
  CHECK(count(xml, "<testcase ") == 3);
  CHECK(count(xml, "<failure ") == 1);
  CHECK(count(xml, "<error ") == 1);
  CHECK(contains(xml, "tests=\"3\" failures=\"1\" errors=\"1\""));
  CHECK(contains(xml, "gpu_idle_fraction &lt; 5 %"));
  CHECK(contains(xml, "&lt;marks&gt; &amp; more"));
  CHECK_FALSE(contains(xml, "\x01"));
  CHECK_FALSE(contains(xml, "\xff"));
}

TEST_CASE("JUnit XML is read by an XML parser, whatever the names hold") {
  if (std::system("python3 -c 'import xml.etree.ElementTree' >/dev/null 2>&1") != 0) {
    WARN("skipped: no python3 here to parse XML with");
    return;
  }
  const std::string path = (std::filesystem::temp_directory_path() / "headrace-junit-test.xml").string();
  std::ofstream(path, std::ios::binary) << junit_xml(sample());
  const std::string command =
      "python3 -c \"import sys, xml.etree.ElementTree as e; r = e.parse(sys.argv[1]).getroot(); "
      "assert r.tag == 'testsuites' and len(r.findall('.//testcase')) == 3 and "
      "r.findall('.//failure')[0].get('message').startswith('gpu_idle_fraction < 5 %')\" '" +
      path + "'";
  CHECK(std::system(command.c_str()) == 0);
  std::filesystem::remove(path);
}

TEST_CASE("a report that held nothing against a limit does not say that it passed") {
  GateReport report = sample();
  report.cases.clear();
  report.decision = models::Ruling::pass;
  for (const std::string& text : {github_annotations(report), gate_markdown(report), gate_text(report, {})}) {
    INFO(text);
    CHECK(text.find("pass") == std::string::npos);
  }
  report.decision = models::Ruling::undecided;
  CHECK(github_annotations(report).find("undecided: ") != std::string::npos);
}

TEST_CASE("annotations stay on their lines and name their places") {
  const std::string text = github_annotations(sample());
  CHECK(contains(text,
                 "::error file=a%2Cb%3Ac.json,line=7,col=5,title=headrace check failed::gpu_idle_fraction < 5 %25"));
  CHECK(contains(text, "::warning title=headrace check undecided::"));
  CHECK(contains(text, "line one%0Aline two: 100%25"));
  CHECK(contains(text, "::notice title=headrace check::fail: 1 of 3"));
  CHECK(count(text, "\n") == 3);
}

TEST_CASE("Markdown keeps its tables whole") {
  const std::string text = gate_markdown(sample());
  CHECK(contains(text, "## headrace check: fail"));
  CHECK(contains(text, "x\\|y"));
  CHECK(contains(text, "### Inputs that differ"));
  CHECK(contains(text, "- a note with \\`ticks\\`"));
  std::size_t at = text.find("| Limit |");
  REQUIRE(at != std::string::npos);
  for (int row = 0; row < 5; ++row) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    CHECK(bars == 6);
    at += line.size() + 1;
  }
}

TEST_CASE("the text says pass, fail or undecided in words") {
  const std::string text = gate_text(sample(), {});
  CHECK(contains(text, "fail: 1 of 3 thresholds hold"));
  CHECK(contains(text, "undecided"));
  CHECK(contains(text, "31 % to 33 %"));
  CHECK_FALSE(contains(text, "\033"));
}

TEST_CASE("values are told in the unit of their metric") {
  CHECK(metric_unit("step_time_s") == "s");
  CHECK(metric_unit("jobs/a/gpu_idle_fraction") == "1");
  CHECK(metric_unit("batch_load_time_s.p99") == "s");
  CHECK(metric_text("gpu_idle_fraction", 0.05) == "5.000 %");
  CHECK(metric_better("blame/transfer") == models::Better::lower);
  CHECK(metric_better("jobs/a/samples_per_s") == models::Better::higher);
  models::Judgement judgement;
  judgement.threshold.metric = "gpu_idle_fraction";
  judgement.threshold.condition = "< 5 %";
  judgement.value = 0.05;
  judgement.interval = models::Interval{0.04, 0.06};
  const GateCase item = gate_case(judgement);
  CHECK(item.name == "gpu_idle_fraction < 5 %");
  CHECK(item.decision == Ruling::undecided);
  CHECK_FALSE(item.reason.empty());
  models::PairedDifference difference;
  difference.metric = "gpu_idle_fraction";
  difference.mean = 0.012;
  CHECK(change_text(difference) == "+1.20 points");
  difference.metric = "mlperf_au_percent";
  difference.mean = -1.2;
  CHECK(change_text(difference) == "-1.20 points");
  CHECK(relative_text(0.031) == "+3.10 %");
}
