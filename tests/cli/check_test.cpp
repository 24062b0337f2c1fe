// headrace check and headrace compare as a pipeline calls them: exit status, files, annotations.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace {
namespace {

using Json = nlohmann::json;
using testing::Folder;
using testing::Run;
using testing::run;

/// The shipped prefetch queue is idle for 6.4 % of the time.
const std::string kQueue = "check prefetch-queue --max-wall 20s ";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a threshold that holds passes, one that does not fails, and doubt is neither", "[cli]") {
  const Run passed = run(kQueue + "--slo 'gpu_idle_fraction < 10 %'");
  INFO(passed.err);
  CHECK(passed.status == 0);
  CHECK(contains(passed.out, "pass: 1 of 1 thresholds pass"));
  const Run failed = run(kQueue + "--slo 'gpu_idle_fraction < 4 %' --slo 'step_time_s < 1 h'");
  CHECK(failed.status == 1);
  CHECK(contains(failed.out, "fail: 1 of 2 thresholds pass, 1 fail"));
  const Run undecided = run("check prefetch-queue --steps 3000 --slo 'gpu_idle_fraction < 6.4 %'");
  CHECK(undecided.status == 3);
  CHECK(contains(undecided.out, "undecided"));
  const Run short_run = run("check prefetch-queue --steps 40 --slo 'gpu_idle_fraction < 99 %'");
  CHECK(short_run.status == 3);  // no data never passes
  CHECK(contains(short_run.out, "not enough data"));
}

TEST_CASE("the quick mode proves failures by bounds and passes no time", "[cli]") {
  const Run failed = run("check prefetch-queue --quick --slo 'step_time_s < 1 ms' --json");
  CHECK(failed.status == 1);
  CHECK(Json::parse(failed.out)["thresholds"][0]["decision"] == "fail");
  const Run open = run("check prefetch-queue --quick --slo 'step_time_s < 1 h'");
  CHECK(open.status == 3);
  CHECK(contains(open.out, "by bounds"));
  CHECK(run("check prefetch-queue --quick --nightly --slo 'step_time_s < 1 h'").status == 2);
}

// Its failures take 0.9 % of the time in the bound and 5.6 % in simulated courses, so that waits take less of it.
TEST_CASE("the quick mode proves no share of waits beside failures", "[cli]") {
  const Run idle = run("check grid-cluster --quick --slo 'gpu_idle_fraction < 42 %'");
  INFO(idle.out);
  CHECK(idle.status == 3);
  CHECK(headrace::testing::unbroken(idle.out).find("share of the time: simulate it") != std::string::npos);
  CHECK(run("check grid-cluster --quick --slo 'gpu_utilization > 60 %'").status == 1);
}

TEST_CASE("what cannot be checked is bad input", "[cli]") {
  const Run nothing = run("check prefetch-queue");
  CHECK(nothing.status == 2);
  CHECK(contains(nothing.err, "no thresholds to check"));
  const Run unknown = run("check prefetch-queue --slo 'gpu_idle_fracton < 5 %'");
  CHECK(unknown.status == 2);
  CHECK(contains(unknown.err, "E0218"));
  CHECK(contains(unknown.err, "did you mean 'gpu_idle_fraction'?"));
  const Run unit = run("check prefetch-queue --slo 'step_time_s < 5'");
  CHECK(unit.status == 2);
  CHECK(contains(unit.err, "E0204"));
  CHECK(run("check prefetch-queue --slo 'step_time_s 5 s'").status == 2);
  CHECK(run("check prefetch-queue --slo 'step_time_s < 5 s' --require '120 % of inputs'").status == 2);
  CHECK(run("check prefetch-queue --slo 'step_time_s < 5 s' --promote").status == 2);
  CHECK(run("check prefetch-queue --slo 'step_time_s < 5 s' --github --json").status == 2);
  CHECK(run("check prefetch-queue --slo 'step_time_s < 5 s' --junit /no/such/folder/x.xml").status == 2);
}

TEST_CASE("a failing gate still writes JUnit XML, Markdown, JSON and annotations", "[cli]") {
  const Folder folder;
  const std::string scenario = folder.write("gate.json", R"({
  "extends": "prefetch-queue",
  "slo": {
    "gpu_idle_fraction": "< 4 %",
    "step_time_s": "< 1 h"
  }
})");
  const Run failed = run("check '" + scenario + "' --max-wall 20s --github --json -o '" + folder.path("check.json") +
                         "' --junit '" + folder.path("junit.xml") + "' --markdown '" + folder.path("summary.md") + "'");
  INFO(failed.err);
  CHECK(failed.status == 1);
  CHECK(contains(failed.out, "::error file=" + folder.path("gate.json") + ",line=4"));
  CHECK(contains(failed.out, "::notice title=headrace check::fail: 1 of 2"));
  const Json document = Json::parse(testing::file_text(folder.path("check.json")));
  CHECK(document["ok"] == false);
  CHECK(document["thresholds"].size() == 2);
  CHECK(document["thresholds"][0]["pointer"] == "/slo/gpu_idle_fraction");
  CHECK(document["outcome"]["metrics"].contains("step_time_s"));
  const std::string junit = testing::file_text(folder.path("junit.xml"));
  CHECK(contains(junit, "tests=\"2\" failures=\"1\" errors=\"0\""));
  CHECK(contains(junit, "line=\"4\""));
  if (std::system("command -v python3 >/dev/null 2>&1") == 0)
    CHECK(std::system(
              ("python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' '" + folder.path("junit.xml") + "'")
                  .c_str()) == 0);
  CHECK(contains(testing::file_text(folder.path("summary.md")), "## headrace check: fail"));
  CHECK(folder.file_count() == 4);  // nothing else is left behind
}

TEST_CASE("input ranges are gated by the share of draws that pass", "[cli]") {
  const std::string draws = "check prefetch-queue --quick --require '90 % of inputs' --json --slo ";
  const Run failed = run(draws + "'step_time_s < 1 ms'");
  CHECK(failed.status == 1);
  CHECK(Json::parse(failed.out)["inputs"]["decision"] == "fail");
  CHECK(Json::parse(failed.out)["inputs"]["failed"].get<int>() > 0);
  const Run passed = run(draws + "'step_time_s > 1 ms'");
  CHECK(passed.status == 0);
  CHECK(Json::parse(passed.out)["inputs"]["share"][0].get<double>() >= 0.9);
}

TEST_CASE("a baseline finds regressions, and only what passes is promoted", "[cli]") {
  const Folder folder;
  const std::string file = "'" + folder.path("baseline.json") + "'";
  const std::string base = kQueue + "--baseline " + file + " ";
  CHECK(run(base).status == 2);  // nothing accepted yet
  const Run first = run(base + "--promote");
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(contains(first.err, "accepted into"));
  const std::string accepted = testing::file_text(folder.path("baseline.json"));
  const Run same = run(base);
  CHECK(same.status == 0);
  CHECK(contains(same.out, "no regression"));
  const Run slower = run(base + "--promote --set /jobs/0/loader/prefetch=1 --json");
  CHECK(slower.status == 1);
  const Json document = Json::parse(slower.out);
  CHECK(document["baseline"]["paired"] == true);
  CHECK(document["baseline"]["inputs_that_differ"].get<int>() >= 1);
  CHECK(testing::file_text(folder.path("baseline.json")) == accepted);
  CHECK(run(base + "--allow '50 %' --set /jobs/0/loader/prefetch=1").status == 0);
  CHECK(run(base + "--promote --force --set /jobs/0/loader/prefetch=1").status == 1);
  CHECK(testing::file_text(folder.path("baseline.json")) != accepted);
  const std::string store = kQueue + "--baseline '" + folder.path("results.db") + "' ";  // SQLite
  CHECK(run(store).status == 2);
  CHECK(run(store + "--promote").status == 0);
  CHECK(run(store + "--steps 2048 --promote").status == 0);  // in place of the first
  CHECK(run(store).status == 0);
  CHECK(run(store + "--set /jobs/0/loader/prefetch=1").status == 1);
  CHECK(run(store + "--key other").status == 2);
  const std::string broken = folder.write("broken.json", "{\"accepted\": 5}");
  CHECK(run(kQueue + "--baseline '" + broken + "'").status == 2);
}

TEST_CASE("the pipelines of the how-to page call what there is", "[cli]") {
  const std::string help = run("check --help").out;
  std::size_t commands = 0;
  for (const char* file : {"github-actions.yml", "gitlab-ci.yml"}) {
    std::istringstream lines(testing::file_text(std::string(HEADRACE_SOURCE_DIR "/docs/how-to/ci/") + file));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t begin = line.find("headrace check ");
      if (begin == std::string::npos) continue;
      ++commands;
      std::istringstream words(line.substr(begin));
      for (std::string word; words >> word;) {
        INFO(word);
        if (word.rfind("--", 0) == 0) CHECK(contains(help, word));
        if (word == "||") break;
      }
    }
  }
  CHECK(commands == 5);
}

TEST_CASE("a saved gate gives the Markdown that the gate itself wrote", "[cli]") {
  const Folder folder;
  const auto written_again = [&](const std::string& call) {
    const std::string json = folder.path("gate.json");
    const std::string markdown = folder.path("gate.md");
    const Run gate = run(call + " --json -o '" + json + "' --markdown '" + markdown + "'");
    INFO(gate.err);
    REQUIRE((gate.status == 0 || gate.status == 1 || gate.status == 3));
    CHECK(run("report '" + json + "' --format markdown").out == testing::file_text(markdown));
  };
  written_again(kQueue + "--quick --slo 'gpu_idle_fraction < 5 %' --slo 'step_time_s < 1 ms'");
  written_again(kQueue + "--steps 64 --slo 'gpu_idle_fraction < 6.4 %' --baseline '" + folder.path("base.json") +
                "' --promote --force");
  written_again(kQueue + "--steps 64 --slo 'gpu_idle_fraction < 6.4 %' --baseline '" + folder.path("base.json") + "'");
}

TEST_CASE("a comparison shows inputs first, paired differences, and fails as it is told to", "[cli]") {
  const Folder folder;
  const std::string deep = folder.write(
      "deep.json", R"({"extends": "prefetch-queue", "jobs": [{"name": "train", "loader": {"prefetch": 9}}]})");
  const Run plain = run("compare prefetch-queue '" + deep + "' --max-wall 30s --json");
  INFO(plain.err);
  REQUIRE(plain.status == 0);
  const Json document = Json::parse(plain.out);
  CHECK(document["inputs"].size() == 1);
  CHECK(document["inputs"][0]["pointer"] == "/jobs/0/loader/prefetch");
  const Json& step = document["differences"][0];
  CHECK(step["metric"] == "step_time_s");
  CHECK(step["pairing"] == "steps");
  CHECK(step["relative"]["ci"][1].get<double>() < 0.0);
  const Run text = run("compare prefetch-queue '" + deep + "' --max-wall 30s --fail-if 'step_time_s > +3 %'");
  CHECK(text.status == 0);
  CHECK(text.out.find("Inputs that differ") < text.out.find("Outcome differences"));
  CHECK(run("compare '" + deep + "' prefetch-queue --max-wall 30s --fail-if 'step_time_s > +3 %'").status == 1);
  CHECK(run("compare '" + deep + "' prefetch-queue --steps 40 --fail-if 'step_time_s > +3 %'").status == 3);
  CHECK(run("compare prefetch-queue '" + deep + "' --fail-if 'step_tim > +3 %'").status == 2);
  CHECK(run("compare prefetch-queue").status == 2);
  CHECK(run("compare prefetch-queue no-such-scenario").status == 2);
}

TEST_CASE("a comparison names the stage that binds and what was not validated", "[cli]") {
  const Run compared = run("compare image-node image-node --set-b /jobs/0/loader/workers=3 --steps 2048 --json");
  const Json document = Json::parse(compared.out);
  CHECK(document["b"]["verdict"] == "ingest_bound");
  CHECK(document["b"]["binding"] == "decode");
  CHECK(document["b"]["evidence"].contains("extrapolates"));
  const auto headline = document["headline"].get<std::string>();
  CHECK(headline.find("B is ingest-bound by decode") != std::string::npos);
  CHECK(headline.starts_with("A is faster: an epoch of B takes "));
  CHECK(headline.find("; 95 % interval +") != std::string::npos);
  const bool may_change = document["b"]["confidence"]["may_change_verdict"];
  const bool told = compared.out.find("B: The verdict may be wrong") != std::string::npos;
  CHECK(may_change == told);
}

TEST_CASE("a result is compared by its embedded scenario, and changes of the models are told apart", "[cli]") {
  const Folder folder;
  const Run recorded = run("simulate prefetch-queue --steps 3000 --json");
  REQUIRE(recorded.status == 0);
  Json old = Json::parse(recorded.out);
  const std::string same = folder.write("same.json", old.dump());
  const Run nothing = run("compare '" + same + "' prefetch-queue --steps 3000 --json");
  INFO(nothing.err);
  CHECK(nothing.status == 0);
  CHECK(Json::parse(nothing.out)["inputs"].empty());
  // As if earlier models had said 10 % more.
  old["model_version"] = "2020.1";
  const double step = old["metrics"]["step_time_s"]["mean"].get<double>();
  old["metrics"]["step_time_s"]["mean"] = 1.1 * step;
  const std::string earlier = folder.write("earlier.json", old.dump());
  const Run changed = run("compare '" + earlier + "' prefetch-queue --steps 3000 --json");
  REQUIRE(changed.status == 0);
  const Json parts = Json::parse(changed.out)["parts"];
  const auto change = [&parts](const char* part) {
    for (const Json& difference : parts[part]["differences"])
      if (difference["metric"] == "step_time_s") return difference["difference"]["mean"].get<double>();
    return 0.0;
  };
  CHECK(change("model") == Approx(-0.1 * step).margin(0.02 * step));  // the recorded run used a control variate
  CHECK(change("scenario") == 0.0);
  CHECK(parts["catalogue"]["differences"].empty());
  // The same result under another version: what is left is noise, and is not called a change.
  old["metrics"]["step_time_s"]["mean"] = step;
  const std::string renamed = folder.write("renamed.json", old.dump());
  const Run unchanged = run("compare '" + renamed + "' prefetch-queue --steps 3000");
  CHECK(contains(unchanged.out, "no change seen"));
  const std::string broken = folder.write("broken.json", R"({"metrics": {}, "model_version": "1"})");
  const Run refused = run("compare '" + broken + "' prefetch-queue");
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "E0306"));
}

TEST_CASE("simulate and bound show the thresholds of their scenario", "[cli]") {
  const std::string slo = " --set '/slo={\"gpu_idle_fraction\": \"< 5 %\", \"step_time_s\": \"< 1 h\"}'";
  const Run simulated = run("simulate prefetch-queue --steps 3000 --no-relief --verbose" + slo);
  INFO(simulated.out);
  CHECK(simulated.out.find("Thresholds: 1 of 2 passed; gpu_idle_fraction < 5 % fails.") != std::string::npos);
  CHECK(simulated.out.find("Thresholds of the scenario") != std::string::npos);
  CHECK(simulated.out.find("fail") != std::string::npos);  // 6.4 % of idle
  CHECK(simulated.out.find("pass") != std::string::npos);
  const Run bound = run("bound prefetch-queue" + slo);
  CHECK(bound.out.find("undecided") != std::string::npos);
  CHECK(run("bound prefetch-queue").out.find("Thresholds of") == std::string::npos);
}

TEST_CASE("a price that the catalogue changed is told apart from a change of the scenario", "[cli]") {
  const Folder folder;
  const std::string file = folder.write("a.json", R"({
  "cluster": {"pool": {"name": "p", "catalogue": "DGX-H100", "nodes": 4}},
  "store": {"name": "nas", "bandwidth": "20 GB/s"},
  "dataset": {"name": "d", "store": "nas", "files": 100000, "sample_bytes": "1 MB"},
  "job": {"name": "j", "pool": "p", "datasets": {"dataset": "d"}, "step": {"batch": 64, "step_time": "200 ms"}},
  "prices": "H100/lambda_8x"})");
  const std::string earlier = folder.write("prices.json", R"({"section": "price", "version": "2026-01-01", "entries": {
    "H100/lambda_8x": {"gpu_hour": {"value": "$2/h", "source": "an older list", "as_of": "2026-01-01", "evidence": "read"}}}})");
  const Run recorded = run("simulate '" + file + "' --catalogue '" + earlier + "' --steps 600 --json");
  REQUIRE(recorded.status == 0);
  const std::string before = folder.write("before.json", recorded.out);
  const Run compared =
      run("compare '" + before + "' '" + file + "' --set-b '/jobs/0/step/step_time=220 ms' --steps 600 --json");
  INFO(compared.err);
  REQUIRE(compared.status == 0);
  const Json outcome = Json::parse(compared.out);
  const auto change = [](const Json& differences, const char* metric) {
    for (const Json& difference : differences)
      if (difference["metric"] == metric) return difference["difference"]["mean"].get<double>();
    return 0.0;
  };
  const Json& catalogue = outcome["parts"]["catalogue"]["differences"];
  const Json& scenario = outcome["parts"]["scenario"]["differences"];
  CHECK(change(catalogue, "step_time_s") == 0.0);
  CHECK(change(scenario, "step_time_s") == Approx(0.02));
  // Nothing but hours of GPUs costs money here: 2 to 3.99 at the old step time, then a tenth more of the new price.
  const double price_part = change(catalogue, "cost_per_epoch_usd");
  const double scenario_part = change(scenario, "cost_per_epoch_usd");
  CHECK(price_part > 0.0);
  CHECK(scenario_part == Approx(price_part / (3.99 - 2.0) * 3.99 * 0.1));
  CHECK(price_part + scenario_part == Approx(change(outcome["differences"], "cost_per_epoch_usd")));
}

}  // namespace headrace
