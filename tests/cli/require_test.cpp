// The inverse questions of a plan, and the tender pack that follows from them, as people call them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;
using headrace::testing::Run;
using headrace::testing::run;
using Json = nlohmann::json;

namespace {

const std::string kSmall =
    "image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2 --threads 2 "
    "--slo 'gpu_idle_fraction < 5 %' ";

/// The blocks of one language in a Markdown text.
std::vector<std::string> code_blocks(const std::string& markdown, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string begin = "```" + language + "\n";
  for (std::size_t at = markdown.find(begin); at != std::string::npos; at = markdown.find(begin, at)) {
    at += begin.size();
    const std::size_t end = markdown.find("```", at);
    blocks.push_back(markdown.substr(at, end - at));
    at = end + 3;
  }
  return blocks;
}

}  // namespace

TEST_CASE("a plan tells what a store must deliver, on one screen", "[cli][long_1]") {
  const Run result = run("plan " + kSmall + "--require");
  INFO(result.out << result.err);
  REQUIRE(result.status == 0);
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') <= 20);
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  CHECK(result.out.find("read bandwidth") != std::string::npos);
  CHECK(result.out.find("train: gpu_idle_fraction < 5 % (/slo/gpu_idle_fraction)") != std::string::npos);
}

TEST_CASE("questions that exclude each other, or have no meaning, are refused", "[cli][long_4]") {
  CHECK(run("plan image-node --require --max gpus").status == 2);
  CHECK(run("plan image-node --max nodes").status == 2);
  CHECK(run("plan image-node --margin 10%").status == 2);
  for (const char* flag : {"--decide /jobs/0/loader/workers=4:8", "--report a.html", "--emit torch", "--inputs nominal",
                           "--confidence-fed 80%", "--explain"}) {
    INFO(flag);
    const Run done = run("plan image-node --require " + std::string(flag));
    CHECK(done.status == 2);
    CHECK(done.err.find("belongs to the search") != std::string::npos);
  }
  const Run unknown = run("plan image-node --require nowhere");
  CHECK(unknown.status == 2);
  CHECK(unknown.err.find("its stores: storage") != std::string::npos);
  CHECK(run("plan image-node --require --set '/jobs/0/loader/cpu_per_sample=50 ms'").status == 1);
  CHECK(run("report '" HEADRACE_SOURCE_DIR "/schemas/scenario.schema.json' --rfp").status == 2);
}

TEST_CASE("requirements become a tender whose fio jobs parse, and their document keeps its bytes", "[cli][long_4]") {
  const Folder folder;
  const std::string saved = folder.path("r.json");
  REQUIRE(run("plan " + kSmall + "--require --margin 50% --json -o '" + saved + "'").status == 0);
  CHECK(run("report '" + saved + "' --json").out == file_text(saved));
  const auto document = Json::parse(file_text(saved));
  CHECK(document["kind"] == "requirements");
  CHECK(document["sure"] == true);
  CHECK(document["figures"].size() == 6);
  const auto& read = document["figures"][0];
  CHECK(read["asked"].get<double>() == Approx(1.5 * read["least"].get<double>()));

  const std::string pack = folder.path("rfp.md");
  REQUIRE(run("report '" + saved + "' --rfp -o '" + pack + "'").status == 0);
  const std::string text = file_text(pack);
  for (const char* part : {"## Requirements", "## Workload", "## Limits, layer by layer", "elbencho --hosts",
                           "mlpstorage training run", "## Scoring sheet", "the store 'storage'"})
    CHECK(text.find(part) != std::string::npos);
  CHECK(text.find("Not required: metadata operations") != std::string::npos);
  CHECK(text.find("mdtest") == std::string::npos);  // what is not required is not tested
  const auto jobs = code_blocks(text, "ini");
  REQUIRE(jobs.size() >= 3);
  if (std::system("fio --version >/dev/null 2>&1") != 0) {
    WARN("fio is not installed: its job files are not parsed");
    return;
  }
  for (const std::string& job : jobs) {
    INFO(job);
    CHECK(std::system(("fio --parse-only '" + folder.write("job.fio", job) + "' >/dev/null 2>&1").c_str()) == 0);
  }
}

TEST_CASE("the tender of a plan reads the user's own figures, shows progress and ends in time", "[cli][long_2]") {
  const Folder folder;
  const std::string mine = folder.write("mine.json", R"({"section": "gpu", "version": "2026-11-20", "entries": {
    "OURS-80GB": {"model": "OURS-80GB", "hbm": {"value": "80 GB", "source": "us", "as_of": "2026-11-20", "evidence": "read"},
                  "peak": {"value": "900 TFLOP/s", "source": "us", "as_of": "2026-11-20", "evidence": "read"}}}})");
  const std::string plan = folder.path("plan.json");
  const Run planned =
      run("plan image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2 "
          "--set '/prices/gpu_hour=$3/h' --set '/slo={\"gpu_idle_fraction\": \"< 5 %\"}' --inputs nominal "
          "--decide '/cluster/pools/0/gpu=OURS-80GB' --decide /jobs/0/loader/workers=6,7 --catalogue '" +
          mine + "' --json -o '" + plan + "'");
  INFO(planned.err);
  REQUIRE(planned.status == 0);
  const Run without = run("report '" + plan + "' --rfp");
  CHECK(without.status == 2);
  CHECK(without.err.find("--catalogue FILE") != std::string::npos);
  const std::string call = "report '" + plan + "' --rfp --catalogue '" + mine + "' ";
  const Run pack = run(call + "--progress always -o '" + folder.path("rfp.md") + "'");
  INFO(pack.err);
  CHECK(pack.status == 0);
  CHECK(pack.err.find("read bandwidth") != std::string::npos);
  const std::string text = file_text(folder.path("rfp.md"));
  CHECK(text.find("| figure | asked | needed together | needed alone |") != std::string::npos);
  CHECK(text.find("gpu_idle_fraction < 5 %") != std::string::npos);
  CHECK(text.find("The error of the models comes on top of the intervals") != std::string::npos);
  const Run late = run(call + "--max-wall 0.01");
  CHECK(late.status == 3);
  CHECK(late.err.find("--max-wall") != std::string::npos);
}

TEST_CASE("a redacted tender names nobody", "[cli][long_3]") {
  const Folder folder;
  const std::string saved = folder.path("r.json");
  REQUIRE(run("plan " + kSmall +
              "--slo 'cost_per_epoch_usd < $99' --set '/prices/gpu_hour=$0.001/h' --require --json -o '" + saved + "'")
              .status == 0);
  const Run open = run("report '" + saved + "' --rfp");
  const Run closed = run("report '" + saved + "' --rfp --redact prices,names");
  REQUIRE(closed.status == 0);
  for (const char* name : {"storage'", "train:", "$99", "Images in tar shards", ">images<"}) {
    INFO(name);
    CHECK(closed.out.find(name) == std::string::npos);
  }
  CHECK(open.out.find("train:") != std::string::npos);
  CHECK(open.out.find("$99") != std::string::npos);
  CHECK(closed.out.find("<h2 id=\"scoring-title\">") != std::string::npos);
}

namespace {

/// The scenario of kSmall with a store of these figures and no other limit: `share` of what is needed together, and of
/// one of them a share of its own.
std::string with_store(const Json& document, const std::string& weaker) {
  const auto figure = [&](const std::string& name, double ample) {
    for (const Json& one : document["figures"])
      if (one["figure"] == name && one["required"].get<bool>()) {
        const double share = name == weaker ? 0.95 : 1.0;
        const double least = one["least"].get<double>();
        return one["better"] == "less" ? least / share : least * share;
      }
    return ample;
  };
  const Json store = {{"name", "storage"},
                      {"kind", "parallel_fs"},
                      {"bandwidth", fmt::format("{} B/s", figure("read_bytes_per_s", 1e15))},
                      {"write_bandwidth", fmt::format("{} B/s", figure("write_bytes_per_s", 1e15))},
                      {"stream", fmt::format("{} B/s", figure("connection_bytes_per_s", 1e15))},
                      {"requests", fmt::format("{}/s", figure("read_requests_per_s", 1e9))},
                      {"latency",
                       {{"lognormal",
                         {{"mean", fmt::format("{} s", figure("latency_p99_s", 1e-9) *
                                                           document["latency_mean_over_p99"].get<double>())},
                          {"cv", 1}}}}},
                      {"metadata", {{"latency", "1 ms"}, {"servers", 1}}}};
  return "--set '/stores/0=" + store.dump() + "' ";
}

const std::string kSaving =
    "image-node --set /cluster/pools/0/nodes=1 --set /cluster/pools/0/gpus_per_node=2 --threads 2 "
    "--set '/jobs/0/checkpoint={\"bytes\": \"120 GB\", \"interval\": \"1 h\", \"store\": \"storage\"}' ";

/// GPU idle share and seconds of a checkpoint, on draws of their own.
std::pair<double, double> idle_and_save(const std::string& store) {
  const Run done = run("simulate " + kSaving + store + "--granularity batch --steps 16384 --seed 6 --json");
  INFO(done.err);
  REQUIRE((done.status == 0 || done.status == 3));
  const auto metrics = Json::parse(done.out)["metrics"];
  return {metrics["gpu_idle_fraction"]["mean"], metrics["checkpoint_save_s"]["mean"]};
}

}  // namespace

TEST_CASE("the figures that are needed together hold as one set, and 5 % less of one that binds does not",
          "[cli][long_1]") {
  const Run done =
      run("plan " + kSaving + "--slo 'gpu_idle_fraction < 5 %' --slo 'checkpoint_save_s < 60 s' --require --json");
  INFO(done.err);
  REQUIRE(done.status == 0);
  const auto document = Json::parse(done.out);
  REQUIRE(document["together"].is_object());
  constexpr double kNoise = 0.005;  // half-width of the interval of the idle share
  const auto [idle, save_s] = idle_and_save(with_store(document, ""));
  CHECK(idle < 0.05 + kNoise);
  CHECK(save_s < 60.0);
  int binding = 0;
  for (const Json& figure : document["figures"]) {
    if (!figure["required"].get<bool>()) continue;
    INFO(figure.dump());
    const auto [less_idle, less_save_s] = idle_and_save(with_store(document, figure["figure"]));
    if (figure["less_of_it_together"] == "fail") {
      ++binding;
      CHECK((less_idle > 0.05 - kNoise || less_save_s >= 60.0));
    } else {
      CHECK(less_idle < 0.05 + 2.0 * kNoise);
    }
    // Nothing else competes with writes: what they need alone they need together.
    if (figure["figure"] == "write_bytes_per_s") {
      CHECK(figure["least"] == figure["alone"]);
      CHECK(figure["less_of_it_together"] == "fail");
    }
  }
  CHECK(binding >= 2);
}

TEST_CASE("the most that can be fed names what stops it", "[cli]") {
  const Run result = run("plan " + kSmall + "--max gpus --set '/stores/0/bandwidth=2 GB/s' --json");
  INFO(result.err);
  REQUIRE(result.status == 0);
  const auto document = Json::parse(result.out);
  CHECK(document["kind"] == "most_fed");
  CHECK(document["one_step_above"].get<double>() == document["most"].get<double>() + 1.0);
  CHECK(document["stopped_by"]["resource"] == "store bandwidth");
  CHECK(document["confidence"]["grade"].is_string());
  const Run text = run("plan " + kSmall + "--max gpus --set '/stores/0/bandwidth=2 GB/s'");
  CHECK(text.out.find("Confidence in the scenario as it is: ") != std::string::npos);
}
