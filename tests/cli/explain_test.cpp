#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "models/outcome/outcome_metrics.hpp"
#include "models/spec/scenario.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/error_codes.hpp"
#include "scenarios/document/explain_visitor.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::matches_golden;
using headrace::testing::run;

TEST_CASE("explain knows the words that answers print", "[cli]") {
  for (
      const char* word :
      {"binding",         "bottleneck",   "peer wait",     "own wait",        "next limit",        "first remedy",
       "gain if removed", "waits caused", "spine",         "store bandwidth", "closed form",       "flow bound",
       "N_min",           "p99.9",        "runner-up",     "GB month",        "queueing",          "service",
       "step alone",      "busy",         "carries",       "confidence",      "near measurements", "measured here",
       "extrapolated",    "assumed",      "compute-bound", "ingest-bound",    "GPU idle time",     "samples per second",
       "cost per epoch",  "epoch time",   "precision",     "control variate", "verdict",           "evidence",
       "threshold",       "ledger",       "stage",         "decision",        "baseline"}) {
    const headrace::testing::Run result = headrace::testing::run(std::string("explain '") + word + "'");
    INFO(word << ": " << result.err);
    CHECK(result.status == 0);
    CHECK(result.out.size() > 40);
  }
}

TEST_CASE("explain lists shipped scenarios with their titles, and knows each by name", "[cli]") {
  const headrace::testing::Run listed = run("explain scenarios");
  REQUIRE(listed.status == 0);
  for (const auto& scenario : headrace::scenarios::embedded_scenarios())
    CHECK(listed.out.find("\n  " + std::string(scenario.name) + " ") != std::string::npos);
  CHECK(listed.out.find("headrace sweep NAME") != std::string::npos);
  const std::string one = run("explain image-node").out;
  CHECK(one.find("Images in tar shards on 4 nodes of 8 GPUs") != std::string::npos);
  CHECK(one.find("headrace simulate image-node") != std::string::npos);
}

TEST_CASE("a list that explain prints fits a terminal", "[cli]") {
  for (const char* what : {"explain", "explain scenarios", "explain image-node"}) {
    std::istringstream lines(run(what).out);
    std::string longest;
    for (std::string line; std::getline(lines, line);)
      if (line.size() > longest.size()) longest = line;
    INFO(longest);
    CHECK(longest.size() <= 80);
  }
}

TEST_CASE("explain knows metrics, stages, states, verdicts and error codes", "[cli]") {
  CHECK(run("explain step_time_s").out.find("lower is better") != std::string::npos);
  CHECK(run("explain transfer").out.find("stage") != std::string::npos);
  CHECK(run("explain fed").out.find("verdict") != std::string::npos);
  CHECK(run("explain ingest_wait_peer").out.find("barrier") != std::string::npos);
  CHECK(run("explain E0203").out.find("unknown key") != std::string::npos);
  CHECK(run("explain verdict").out.find("inconclusive") != std::string::npos);
  CHECK(run("explain jobs/loader/workers").out.find("/jobs/*/loader/workers") != std::string::npos);
  const auto json = nlohmann::json::parse(run("explain step_time_s fed --json").out);
  CHECK(json["topics"].size() == 2);
  CHECK(json["topics"][0]["unit"] == "s");
}

namespace {

/// Every one of the names must be explained, in one call.
void explains_all(const std::vector<std::string>& names, const std::string& kind, const char* part) {
  std::string arguments = "explain --json";
  for (const std::string& name : names) arguments += " '" + name + "'";
  const headrace::testing::Run done = run(arguments);
  INFO(done.err);
  REQUIRE(done.status == 0);
  std::set<std::string> told;
  const auto document = nlohmann::json::parse(done.out);
  for (const auto& topic : document["topics"])
    if (topic["kind"] == kind && topic.contains(part) && !topic[part].get<std::string>().empty())
      told.insert((kind == "model page" ? "models/" : "") +
                  topic[kind == "parameter" ? "pointer" : "name"].get<std::string>());
  for (const std::string& name : names) {
    INFO(name);
    CHECK(told.count(name) == 1);
  }
}

}  // namespace

TEST_CASE("explain covers every metric, parameter, model and error code", "[cli]") {
  std::vector<std::string> names;
  for (const auto& metric : headrace::models::kMetricDescriptions) names.emplace_back(metric.name);
  explains_all(names, "metric", "formula");
  names.clear();
  for (const auto& part : headrace::models::kPartDescriptions) names.emplace_back(part.name);
  explains_all(names, "outcome", "formula");
  names.clear();
  headrace::models::Scenario scenario;
  for (const auto& parameter : headrace::scenarios::list_parameters([&scenario](headrace::models::Visitor& visitor) {
         headrace::scenarios::describe_scenario(scenario, visitor);
       }))
    names.push_back(parameter.pointer);
  CHECK(names.size() > 200);
  explains_all(names, "parameter", "meaning");
  names.clear();
  for (const auto& page : headrace::scenarios::embedded_model_pages())
    names.push_back("models/" + std::string(page.name));
  CHECK(names.size() > 20);
  explains_all(names, "model page", "markdown");
  names.clear();
  for (const auto& code : headrace::scenarios::error_codes()) names.emplace_back(code.code);
  CHECK(names.size() > 20);
  explains_all(names, "error code", "meaning");
}

TEST_CASE("every page of a model says where its parameters come from") {
  for (const auto& page : headrace::scenarios::embedded_model_pages()) {
    // Of these the first two have no parameters of a scenario, and the third is about the measuring itself.
    if (page.name == "estimate" || page.name == "statistics" || page.name == "calibration") continue;
    if (page.text.find("**Not modelled.**") == std::string_view::npos) continue;
    INFO(page.name);
    CHECK(page.text.find("**Calibration.**") != std::string_view::npos);
  }
}

TEST_CASE("the committed reference pages are what the program prints", "[golden]") {
  CHECK(matches_golden(run("explain --reference metrics").out, "docs/reference/metrics.md"));
  CHECK(matches_golden(run("explain --reference parameters").out, "docs/reference/parameters.md"));
  CHECK(matches_golden(run("explain --reference cli").out, "docs/reference/cli.md"));
}

TEST_CASE("the manual page has every verb and flag of the reference page, and no stray macro", "[cli]") {
  const std::string page = run("explain --reference man").out;
  const std::string reference = run("explain --reference cli").out;
  std::istringstream lines(reference);
  std::size_t flags = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `-", 0) != 0) continue;
    std::string name = line.substr(3, line.find_first_of(" `,", 3) - 3);
    for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
    INFO(name);
    CHECK(page.find("\\fB" + name) != std::string::npos);
    ++flags;
  }
  CHECK(flags > 100);
  std::istringstream rows(page);
  for (std::string row; std::getline(rows, row);) {
    if (row.empty() || row[0] != '.') continue;
    INFO(row);
    const std::string macro = row.substr(0, row.find(' '));
    const std::vector<std::string> known{".TH", ".ad", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".BR"};
    CHECK(std::find(known.begin(), known.end(), macro) != known.end());
  }
}

TEST_CASE("the committed schemas are what the program prints", "[golden]") {
  CHECK(matches_golden(run("schema scenario").out, "schemas/scenario.schema.json"));
  CHECK(matches_golden(run("schema space").out, "schemas/space.schema.json"));
  CHECK(matches_golden(run("schema outcome").out, "schemas/outcome.schema.json"));
  CHECK(matches_golden(run("schema site").out, "schemas/site.schema.json"));
}
