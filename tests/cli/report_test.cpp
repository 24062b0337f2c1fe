#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace::testing {
namespace {

TEST_CASE("a report stands beside the document", "[cli]") {
  const Folder folder;
  const std::string page = folder.path("out.html");
  const Run simulated = run("simulate prefetch-queue --steps 3000 --json --report '" + page + "'");
  CHECK((simulated.status == 0 || simulated.status == 3));
  CHECK(simulated.out.starts_with("{"));
  const std::string html = file_text(page);
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.find("headrace simulate prefetch-queue <span class=\"option\">--steps</span> 3000") != std::string::npos);
  CHECK(html.find("shipped:prefetch-queue") != std::string::npos);
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a comparison that lacks a value is refused with place, cause and fix", "[cli]") {
  const Folder folder;
  const std::string good = file_text(HEADRACE_SOURCE_DIR "/tests/data/documents/compare.json");
  auto document = nlohmann::ordered_json::parse(good);
  document["differences"][1].erase("metric");
  const std::string lacking = folder.write("lacking.json", document.dump(1));
  for (const std::string format : {"html", "markdown", "junit", "csv"}) {
    CHECK(run("report '" + folder.write("good.json", good) + "' --format " + format).status == 0);
    const Run refused = run("report '" + lacking + "' --format " + format);
    INFO(refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(refused.err.find("E0132") != std::string::npos);
    CHECK(refused.err.find("lacking.json:") != std::string::npos);
    CHECK(refused.err.find("(/differences/1)") != std::string::npos);
    CHECK(refused.err.find("\"metric\" is missing") != std::string::npos);
    CHECK(refused.err.find("= help: write it again with the command that made it") != std::string::npos);
  }
}

TEST_CASE("a report is written also when the verdict is open", "[cli]") {
  const Folder folder;
  const Run simulated = run("simulate prefetch-queue --steps 20 --report '" + folder.path("short.html") + "'");
  CHECK(simulated.status == 3);
  CHECK(file_text(folder.path("short.html")).find("inconclusive") != std::string::npos);
}

TEST_CASE("a report that cannot be written is told before the run", "[cli]") {
  const Folder folder;
  const Run simulated = run("simulate prefetch-queue --report '" + folder.path("none/out.html") + "'");
  CHECK(simulated.status == 2);
  CHECK(simulated.err.find("none/out.html") != std::string::npos);
  CHECK(simulated.out.empty());
  const Run bound = run("bound prefetch-queue --report '" + folder.path("none/out.html") + "'");
  CHECK(bound.status == 2);
}

TEST_CASE("a timeline is a trace of the first steps", "[cli]") {
  const Folder folder;
  const Run simulated = run("simulate prefetch-queue --steps 3000 --timeline '" + folder.path("t.json") + "'");
  CHECK((simulated.status == 0 || simulated.status == 3));
  const nlohmann::json trace = nlohmann::json::parse(file_text(folder.path("t.json")));
  CHECK(trace["traceEvents"].size() > 1000);
  CHECK(run("simulate prefetch-queue --timeline '" + folder.path("none/t.json") + "'").status == 2);
}

TEST_CASE("a timeline shows checkpoints beside the first steps, and says what it rests on", "[cli][long_2]") {
  const Folder folder;
  const Run simulated = run("simulate async-checkpoints --steps 100 --timeline '" + folder.path("t.json") + "'");
  CHECK((simulated.status == 0 || simulated.status == 3));
  const nlohmann::json trace = nlohmann::json::parse(file_text(folder.path("t.json")));
  std::map<std::string, int> spans;
  for (const nlohmann::json& event : trace["traceEvents"])
    if (event["ph"] == "X" && event["args"].contains("basis")) ++spans[event["args"]["basis"].get<std::string>()];
  CHECK(spans["expected"] >= 3);
  CHECK(spans["drawn"] >= 30);
}

TEST_CASE("a bound has a report too", "[cli]") {
  const Folder folder;
  CHECK(run("bound prefetch-queue --inputs ranges --report '" + folder.path("b.html") + "'").status == 0);
  CHECK(file_text(folder.path("b.html")).find("Measure these next") != std::string::npos);
}

TEST_CASE("every verb that answers draws a report beside its document", "[cli]") {
  const Folder folder;
  const std::string page = folder.path("page.html");
  const std::string option = " --report '" + page + "'";
  const auto drawn = [&](const std::string& arguments, int status, const std::string& words) {
    std::filesystem::remove(page);
    const Run done = run(arguments + option);
    INFO(arguments << "\n" << done.err);
    CHECK(done.status == status);
    const std::string html = file_text(page);
    CHECK(html.starts_with("<!DOCTYPE html>"));
    CHECK(html.find(words) != std::string::npos);
  };
  const std::string small = " --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2";
  drawn("plan image-node --decide /jobs/0/loader/workers=6:8" + small, 0, "Take workers");
  drawn("check prefetch-queue --steps 3000 --slo 'gpu_idle_fraction < 4 %'", 1, "0 of 1 thresholds pass, 1 fail");
  drawn("compare prefetch-queue prefetch-queue --steps 600 --set-b /jobs/0/loader/prefetch=9", 0,
        "/jobs/0/loader/prefetch");
  drawn("backtest '" HEADRACE_SOURCE_DIR "/tests/validation/data/mlperf_storage_results.csv' --from smallest", 0,
        "aims met");
  drawn("sweep loader-workers --level bound --limit 4 -o '" + folder.path("r.db") + "'", 0, "Every point");
}

TEST_CASE("no verb runs for a report that cannot be written", "[cli]") {
  const std::string backtest =
      std::string("backtest '") + HEADRACE_SOURCE_DIR + "/tests/validation/data/mlperf_storage_results.csv'";
  for (const std::string& call : std::vector<std::string>{
           "plan image-node", "check prefetch-queue --slo 'step_time_s < 1 s'", "compare prefetch-queue prefetch-queue",
           "sweep loader-workers --level bound", "calibrate --path /tmp", "verify --path /tmp", backtest}) {
    const Run done = run(call + " --report /no/such/folder/out.html");
    INFO(call);
    CHECK(done.status == 2);
    CHECK(done.out.empty());
    CHECK(done.err.find("/no/such/folder/out.html") != std::string::npos);
  }
}

TEST_CASE("saved documents of every kind become the same pages", "[cli]") {
  const Folder folder;
  const std::string document = folder.path("check.json");
  CHECK(run("check prefetch-queue --steps 3000 --slo 'gpu_idle_fraction < 4 %' --json -o '" + document + "'").status ==
        1);
  const Run page = run("report '" + document + "'");
  CHECK(page.status == 0);
  CHECK(page.out.find("0 of 1 thresholds pass, 1 fail") != std::string::npos);
  CHECK(run("report '" + document + "' --format openmetrics").out.ends_with("# EOF\n"));
  CHECK(run("report '" + folder.write("x.json", "{\"a\": 1}") + "'").status == 2);
  CHECK(run("report '" + folder.write("y.json", "{\"a\": ") + "'").status == 2);
}

namespace {

/// A live call knows how long it took, a saved document does not.
std::string timeless(const std::string& xml) {
  return std::regex_replace(xml, std::regex("time=\"[0-9.]+\""), "time=\"\"");
}

}  // namespace

TEST_CASE("a saved document is told in the formats of other programs", "[cli]") {
  const Folder folder;
  const auto in = [&folder](const char* name) { return "'" + folder.path(name) + "'"; };
  CHECK(run("check prefetch-queue --steps 3000 --slo 'gpu_idle_fraction < 4 %' --json -o " + in("c.json") +
            " --junit " + in("c.xml") + " --markdown " + in("c.md"))
            .status == 1);
  const auto shown = [&](const std::string& format) { return run("report " + in("c.json") + " " + format); };
  CHECK(timeless(shown("--format junit").out) == timeless(file_text(folder.path("c.xml"))));
  CHECK(shown("--format markdown").out == file_text(folder.path("c.md")));
  CHECK(shown("--format csv").out.starts_with("metric,condition,unit,limit,value"));
  CHECK(shown("--json").out == file_text(folder.path("c.json")));
  CHECK(shown("--format json").out == file_text(folder.path("c.json")));
  CHECK(shown("--format ndjson").status == 2);
  CHECK(run("bound prefetch-queue --json -o " + in("o.json")).status == 0);
  const auto outcome = [&](const std::string& format) { return run("report " + in("o.json") + " --format " + format); };
  CHECK(outcome("csv").out.find("step_time_s,s,") != std::string::npos);
  CHECK(outcome("markdown").out.find("| step time |") != std::string::npos);
  CHECK(outcome("json").out == file_text(folder.path("o.json")));
  CHECK(outcome("junit").status == 2);
  CHECK(outcome("junit").err.find("csv, markdown or openmetrics") != std::string::npos);
}

TEST_CASE("a saved comparison is the JUnit XML and Markdown of the call", "[cli]") {
  const Folder folder;
  const auto in = [&folder](const char* name) { return "'" + folder.path(name) + "'"; };
  const Run compared = run(
      "compare prefetch-queue prefetch-queue --steps 600 --set-b /jobs/0/loader/prefetch=9 --fail-if 'step_time_s > "
      "+50 %' --json -o " +
      in("c.json") + " --junit " + in("c.xml"));
  CHECK(compared.status == 0);
  CHECK(timeless(run("report " + in("c.json") + " --format junit").out) == timeless(file_text(folder.path("c.xml"))));
  CHECK(run("report " + in("c.json") + " --format markdown").out.find("/jobs/0/loader/prefetch") != std::string::npos);
}

TEST_CASE("a live report has sliders, or the program says how to have a build that does") {
  const Folder folder;
  const std::string page = folder.path("page.html");
  CHECK(run("bound image-node --live").status == 2);  // there is no page to be live
  const auto made = run("bound image-node --live --report '" + page + "'");
  if (made.status == 2) {
    CHECK(made.err.find("HEADRACE_LIVE_PAGE") != std::string::npos);
    CHECK(made.out.empty());
    return;
  }
  CHECK(made.status == 0);
  const std::string text = file_text(page);
  CHECK(text.size() < 4'000'000);
  CHECK(text.find("id=\"live-data\"") != std::string::npos);
  CHECK(text.find("wasm-unsafe-eval") != std::string::npos);
}

}  // namespace
}  // namespace headrace::testing
