#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "models/hops/resource.hpp"
#include "models/outcome/measured_groups.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/sizing/sizing.hpp"
#include "models/spec/scenario.hpp"
#include "scenarios/document/embedded_texts.hpp"
#include "scenarios/document/error_codes.hpp"
#include "scenarios/document/explain_visitor.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::matches_golden;
using headrace::testing::run;

TEST_CASE("the page of a record lists its keys, those that are required first", "[cli]") {
  const std::string page = run("explain /jobs/0/checkpoint").out;
  INFO(page);
  CHECK(page.find("keys       store (required), interval") != std::string::npos);
  for (const std::string& word : {std::string("bytes"), std::string("parameters"), std::string("mode")})
    CHECK(page.find(word) != std::string::npos);
  CHECK(run("explain /faults").out.find("keys       node_mtbf") != std::string::npos);
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = page.find('\n', begin);
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
}

TEST_CASE("explain knows the words that answers print", "[cli]") {
  for (const char* word : {"binding",
                           "bottleneck",
                           "peer wait",
                           "own wait",
                           "next limit",
                           "first remedy",
                           "gain if removed",
                           "waits caused",
                           "spine",
                           "store bandwidth",
                           "closed form",
                           "flow bound",
                           "N_min",
                           "p99.9",
                           "runner-up",
                           "GB month",
                           "TB month",
                           "uncontended twin",
                           "one connection",
                           "races",
                           "rails",
                           "queueing",
                           "service",
                           "step alone",
                           "busy",
                           "carries",
                           "confidence",
                           "near measurements",
                           "measured here",
                           "extrapolated",
                           "assumed",
                           "compute-bound",
                           "ingest-bound",
                           "GPU idle time",
                           "samples per second",
                           "cost per epoch",
                           "epoch time",
                           "precision",
                           "control variate",
                           "verdict",
                           "evidence",
                           "threshold",
                           "ledger",
                           "stage",
                           "decision",
                           "baseline",
                           "simulation noise",
                           "P(fed)",
                           "doing nothing",
                           "regret",
                           "payback",
                           "budget",
                           "offer",
                           "bakeoff",
                           "memo",
                           "tco",
                           "break-even",
                           "net present value",
                           "derating",
                           "evidence class",
                           "saturation date",
                           "lead time",
                           "requirement",
                           "price of robustness"}) {
    const headrace::testing::Run result = headrace::testing::run(std::string("explain '") + word + "'");
    INFO(word << ": " << result.err);
    CHECK(result.status == 0);
    CHECK(result.out.size() > 40);
  }
}

namespace {

/// One shell word.
std::string shell_word(const std::string& word) { return "'" + word + "'"; }

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string::npos && at < line.size();) {
    const std::size_t end = std::min(line.find("  ", at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return cells;
}

/// Words alone, as headings and labels are; what stands in parentheses or behind a comma says more about it.
void add_label(std::string cell, std::set<std::string>& labels) {
  cell = cell.substr(0, cell.find(" ("));
  cell = cell.substr(0, cell.find_first_of(",:"));
  const bool words =
      cell.size() > 1 &&
      cell.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -_$") == std::string::npos;
  if (words && std::count(cell.begin(), cell.end(), ' ') < 5) labels.insert(cell);
}

/// Headings, the first cells of rows, and the cells of rows without figures.
std::set<std::string> labels_of(const std::string& text) {
  std::set<std::string> labels;
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    const bool figures = line.find_first_of("0123456789") != std::string::npos;
    const bool heads = i + 1 < lines.size() && lines[i + 1].starts_with("  ");
    const std::vector<std::string> cells = cells_of(line);
    if (!line.empty() && line[0] != ' ' && heads && !figures && !line.ends_with('.')) add_label(line, labels);
    if (!line.starts_with("  ") || cells.size() < 2) continue;
    if (line.size() > 2 && line[2] != ' ') add_label(cells[0], labels);
    if (figures) continue;
    for (const std::string& cell : cells) add_label(cell, labels);
  }
  return labels;
}

std::string before_colon(const std::string& text) { return text.substr(0, text.find(':')); }

/// Those of the names that explain refuses. All of them in one call, and one by one where that fails.
std::vector<std::string> not_explained(const std::set<std::string>& names) {
  std::string all = "explain --";
  for (const std::string& name : names) all += " " + shell_word(name);
  std::vector<std::string> unknown;
  if (run(all).status == 0) return unknown;
  for (const std::string& name : names)
    if (run("explain -- " + shell_word(name)).status != 0) unknown.push_back(name);
  return unknown;
}

}  // namespace

TEST_CASE("explain knows every heading and label that answers print", "[cli][long_2]") {
  const std::string golden = HEADRACE_SOURCE_DIR "/tests/reports/";
  std::string texts = headrace::testing::file_text(golden + "outcome_text.golden.txt") +
                      headrace::testing::file_text(golden + "golden/plan.txt") +
                      headrace::testing::file_text(golden + "golden/gate.txt");
  for (const char* call : {"check image-node --slo 'gpu_idle_fraction < 5 %'", "campaign llm-pretraining-90-days",
                           "growth growing-fleet --simulate off --verbose",
                           "tco image-node --level estimate --set '/prices/gpu_hour=$2/h' --do-nothing unet3d-h100",
                           "bakeoff vision-cluster-offers --offers offer-a offer-b --draws 8 --steps 64 --verbose",
                           "evidence unet3d-h100", "evidence fuse-mount", "bound shared-store --verbose",
                           "bound llm-pretraining-90-days --verbose", "bound tiered-cache --verbose",
                           "bound sizing-sheet --sizing", "bound remote-preprocessing --level estimate --verbose",
                           "compare image-node imagenet-threads --steps 256", "bound image-node --verbose",
                           "plan image-node --decide /jobs/0/loader/workers=4,8 --inputs nominal --verbose"}) {
    const headrace::testing::Run done = run(call);
    INFO(call << done.err);
    REQUIRE((done.status == 0 || done.status == 1 || done.status == 3));
    texts += done.out;
  }
  // Names that the scenarios give, values of them, and sentences.
  const std::set<std::string> own = {"GPUs twice as fast",
                                     "a thing seen",
                                     "its fix",
                                     "measure the store",
                                     "drives",
                                     "file servers",
                                     "files",
                                     "images",
                                     "A sample",
                                     "A plan",
                                     "is met",
                                     "use headrace simulate instead",
                                     "default",
                                     "generic",
                                     "vm",
                                     "ceph",
                                     "resized",
                                     "train",
                                     "preprocess",
                                     "later",
                                     "no price",
                                     "small",
                                     "datasheet"};
  std::set<std::string> labels = labels_of(texts);
  for (const std::string& name : own) labels.erase(name);
  CHECK(labels.size() > 100);
  CHECK(not_explained(labels) == std::vector<std::string>());
}

TEST_CASE("explain knows what the descriptions of the models name", "[cli][long_4]") {
  std::set<std::string> names;
  for (const std::string_view stage : headrace::models::kStageNames) {
    names.insert("ingest-bound by " + std::string(stage));
    names.emplace(stage);
  }
  for (std::size_t i = 0; i < headrace::models::kResourceCount; ++i)
    names.emplace(headrace::models::name(static_cast<headrace::models::Resource>(i)));
  for (const std::string_view state : headrace::models::kGpuStateNames) names.emplace(state);
  for (const std::string_view verdict : headrace::models::kVerdictNames) names.emplace(verdict);
  for (const std::string_view grade : headrace::models::kConfidenceGradeNames) names.emplace(grade);
  for (const auto* section : headrace::models::sizing_rooms()) {
    names.emplace(section->title);
    names.emplace(section->key);
  }
  // What evidence names: dimensions, groups of computed cases, and parts without a measurement.
  using namespace headrace::models;
  for (const MeasuredGroup* group :
       {&kMeasuredLoader, &kMeasuredRanks, &kMeasuredCacheSize, &kMeasuredContention, &kMeasuredLanding,
        &kMeasuredHostLoad, &kMeasuredBarrier, &kMeasuredBatchCost, &kMeasuredListing})
    names.insert(group->dimension);
  for (const char* scenario :
       {"unet3d-h100", "fuse-mount", "torch-batch-cost", "shared-store", "sizing-sheet", "tiered-cache",
        "packed-documents", "streaming-source", "elastic-store", "llm-pretraining-90-days", "async-checkpoints"}) {
    const headrace::testing::Run done = run(std::string("evidence ") + scenario + " --json");
    REQUIRE(done.status == 0);
    const auto evidence = nlohmann::json::parse(done.out)["evidence"];
    for (const auto& dimension : evidence["extrapolates"]) names.insert(dimension["dimension"]);
    for (const auto& part : evidence["not_validated"]) names.insert(before_colon(part));
    const std::string group = evidence["nearest_case"];
    names.insert(before_colon(group));
    names.insert(group.substr(group.find(": ") + 2, group.find(',') - group.find(": ") - 2));
  }
  names.erase("one loader");
  names.erase("1,000 loaders on leaves and a pool");
  names.erase("1");
  CHECK(names.size() > 90);
  CHECK(not_explained(names) == std::vector<std::string>());
}

TEST_CASE("explain says what a word is, how it is computed, in which unit, and what to do", "[cli]") {
  const auto said = [](const std::string& word) { return headrace::testing::unbroken(run("explain " + word).out); };
  const auto all_of = [&](const std::string& word, std::initializer_list<const char*> parts) {
    const std::string text = said(word);
    INFO(text);
    for (const char* part : parts) CHECK(text.find(part) != std::string::npos);
  };
  all_of("waits caused", {"Share of GPU time, in %", "cut along the timeline", "first remedy"});
  all_of("ingest-bound by request", {"request: Waiting for the first byte", "How it is found:", "in % of GPU time",
                                     "What to do:", "see: verdict, request"});
  all_of("Ingest-bound by metadata", {"metadata: Opening and looking up files", "What to do:"});
  all_of("workers", {"makes one batch at a time", "Unit: workers for each GPU",
                     "If they are the bottleneck:", "/jobs/*/loader/workers"});
  all_of("if an input is wrong", {"5 % or 10 % off", "GPU idle time in %", "measure that input"});
  all_of("synchronized loaders", {"take each step together"});
  CHECK(said("workers 8 to 4") == said("workers"));
  CHECK(said("job train").find("One training run") != std::string::npos);
}

TEST_CASE("explain without a word is a short overview whose examples work, and --all lists every name", "[cli]") {
  const std::string overview = run("explain").out;
  INFO(overview);
  CHECK(std::count(overview.begin(), overview.end(), '\n') <= 20);
  std::size_t examples = 0;
  for (std::size_t at = overview.find("  headrace explain "); at != std::string::npos;
       at = overview.find("  headrace explain ", at + 1)) {
    const std::string words = overview.substr(at + 19, overview.find('\n', at) - at - 19);
    if (words.starts_with("--all")) continue;
    INFO(words);
    CHECK(run("explain " + words).status == 0);
    ++examples;
  }
  CHECK(examples >= 10);
  const std::string all = run("explain --all").out;
  for (const char* name : {"peer wait", "step_time_s", "E0219", "models/loader", "accuracy", "synchronized loaders"})
    CHECK(headrace::testing::unbroken(all).find(name) != std::string::npos);
  CHECK(run("explain no_such_thing_at_all").err.find("headrace explain --all") != std::string::npos);
}

TEST_CASE("explain takes a term of several words without quotes", "[cli]") {
  CHECK(run("explain peer wait").out == run("explain 'peer wait'").out);
  const std::string both = run("explain peer wait step_time_s").out;
  CHECK(both.find("peer wait (term)") == 0);
  CHECK(both.find("\nstep_time_s (metric)") != std::string::npos);
  CHECK(run("explain 'peer wiat'").err.find("did you mean 'peer wait'?") != std::string::npos);
  CHECK(run("explain peer wiat").err.find("did you mean 'peer wait'?") != std::string::npos);
}

TEST_CASE("explain knows verbs and their flags", "[cli]") {
  CHECK(headrace::testing::unbroken(run("explain bakeoff").out).find("headrace bakeoff --help shows its options") !=
        std::string::npos);
  CHECK(run("explain -- --max-wall").out.find("--max-wall (flag)") == 0);
  CHECK(run("explain max-wall").out.find("--max-wall (flag)") == 0);
  CHECK(run("explain 'bound --level estimate'").out.find("--level (flag)") == 0);
}

TEST_CASE("explain names no other word that it does not explain", "[cli][long_1]") {
  const auto document = nlohmann::json::parse(run("explain --json").out);
  std::set<std::string> names;
  for (const auto& topic : document["topics"]) {
    std::istringstream list(topic.value("see", ""));
    for (std::string name; std::getline(list, name, ',');) names.insert(name.substr(name.find_first_not_of(' ')));
  }
  CHECK(names.size() > 40);
  CHECK(not_explained(names) == std::vector<std::string>());
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
  for (const char* what : {"explain", "explain --all", "explain scenarios", "explain image-node"}) {
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

TEST_CASE("explain covers every metric, parameter, model and error code", "[cli][long_1]") {
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
  for (const std::string document :
       {"scenario", "space",   "outcome", "site",         "campaign", "fleet",    "tco",
        "offer",    "bakeoff", "growth",  "requirements", "plan",     "most_fed", "backtest",
        "compare",  "check",   "sweep",   "verify",       "validate", "timeline"})
    CHECK(matches_golden(run("schema " + document).out, "schemas/" + document + ".schema.json"));
}
