// headrace verify in small: what it prints and leaves behind, how it ends, and a job that ran against its scenario.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

namespace headrace {
namespace {

using testing::Folder;
using testing::Run;
using testing::run;
using Json = nlohmann::json;

/// Steps of `step_s` with waits of `wait_s`, a little uneven.
std::string steps_csv(double step_s, double wait_s) {
  std::string text = "step,step_time_s,load_wait_s,loss\n";
  for (int i = 0; i < 200; ++i) {
    const double more = 0.001 * (i % 7 - 3);
    text += std::to_string(i) + "," + std::to_string(step_s * (1.0 + more)) + "," + std::to_string(wait_s) + ",1\n";
  }
  return text;
}

const std::string kJob =
    "prefetch-queue --set '/stores/0/latency=500 ms' --set /jobs/0/loader/prefetch=2 --set '/jobs/0/step/step_time=1 "
    "s'";

}  // namespace

TEST_CASE("verify runs a pipeline, tells both sides of each point and leaves nothing behind", "[cli][long_2]") {
  const Folder folder;
  const Run result = run("verify --json --rounds 1 --window 16ms --size 16MiB --path '" + folder.path("") + "'");
  // Under load the loop may well miss its bars: that is a result, no failure of the program.
  CHECK((result.status == 0 || result.status == 1 || result.status == 3));
  const Json json = Json::parse(result.out);
  CHECK(json["points"].size() >= 12);
  for (const Json& point : json["points"]) {
    for (const char* side : {"predicted", "measured"}) {
      CHECK(point[side]["step_time_s"]["mean"].get<double>() >= 0.999 * point["compute_s"].get<double>());
      const double idle = point[side]["gpu_idle_fraction"]["mean"].get<double>();
      CHECK(idle >= 0.0);
      CHECK(idle <= 1.0);
    }
    CHECK(point["rounds"] == 1);
  }
  CHECK(json["idle_noise_points"]["mean"].get<double>() >= 0.0);
  CHECK(result.err.find("14 points") != std::string::npos);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("verify tells beforehand what it would do, and what it cannot do", "[cli]") {
  const Folder folder;
  const Run plan = run("verify --dry-run --grid full --path '" + folder.path("") + "'");
  CHECK(plan.status == 0);
  CHECK(plan.out.find("8 workers, K 16, in order, 8 x 128 KiB, load 1.25, sleeps") != std::string::npos);
  CHECK(folder.file_count() == 0);
  const Run nothing = run("verify");
  CHECK(nothing.status == 2);
  CHECK(nothing.err.find("headrace verify --path DIR") != std::string::npos);
  const Run nowhere = run("verify --path /nowhere/at/all");
  CHECK(nowhere.status == 2);
  CHECK(nowhere.err.find("give a folder that exists") != std::string::npos);
  CHECK(run("verify --path /tmp --update").status == 2);
}

TEST_CASE("a GPU computes the steps where there is one, and where there is none the report says why", "[cli][long_2]") {
  const Folder folder;
  const std::string verify =
      "verify --json --rounds 1 --window 10ms --size 16MiB --gpu 0 --path '" + folder.path("") + "'";
  const Run real = run(verify, "HEADRACE_CUDA_LIBRARY='" HEADRACE_FAKE_GPU_LIBRARY "'");
  const Json measured = Json::parse(real.out);
  CHECK(measured["gpu"] == "Fake 3000");
  CHECK(measured["points"][0]["consumer"] == "gpu");
  CHECK(measured["points"][0]["measured"]["overrun_s"] > 5e-5);  // the copy of a batch
  const Run none = run(verify, "HEADRACE_CUDA_LIBRARY=/nowhere");
  const Json without = Json::parse(none.out);
  CHECK(without["gpu"] == "");
  CHECK(without["points"][0]["consumer"] == "sleeps");
  bool told = false;
  for (const Json& downgrade : without["downgrades"])
    told = told || (downgrade["field"] == "gpu" && downgrade["value"] == "no_cuda_library");
  CHECK(told);
}

TEST_CASE("an interrupt ends verify with what there is, and nothing stays", "[cli]") {
  const Folder folder;
  const Folder out;
  const std::string target = folder.path("");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (std::freopen(out.path("out").c_str(), "w", stdout) == nullptr) ::_exit(97);
    if (std::freopen(out.path("err").c_str(), "w", stderr) == nullptr) ::_exit(97);
    ::execl(HEADRACE_PROGRAM, HEADRACE_PROGRAM, "verify", "--path", target.c_str(), "--size", "16MiB", nullptr);
    ::_exit(98);
  }
  for (int i = 0; i < 1000 && folder.file_count() == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(folder.file_count() == 1);
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("a job that ran is held against its scenario", "[cli]") {
  const Folder folder;
  const std::string good = folder.write("good.csv", steps_csv(1.0, 0.0));
  const Run agrees = run("verify --json --measured '" + good + "' " + kJob);
  CHECK(agrees.status == 0);
  const Json json = Json::parse(agrees.out);
  CHECK(json["points"][0]["verdict"] == "agrees");
  CHECK(json["points"][0]["measured"]["step_time_s"]["mean"].get<double>() == Approx(1.0).epsilon(0.01));
  const std::string slow = folder.write("slow.csv", steps_csv(1.3, 0.3));
  const std::string page = folder.path("job.html");
  const Run differs = run("verify --measured '" + slow + "' " + kJob + " --report '" + page + "'");
  CHECK(testing::file_text(page).find("Predicted against measured: differs") != std::string::npos);
  CHECK(differs.status == 1);
  CHECK(differs.out.find("differs") != std::string::npos);
}

TEST_CASE("step times that cannot be are refused with their place", "[cli]") {
  const Folder folder;
  const auto complaint = [&folder](const std::string& text) {
    const Run result = run("verify --measured '" + folder.write("s.csv", text) + "' prefetch-queue");
    CHECK(result.status == 2);
    return result.err;
  };
  CHECK(complaint("step,step_time_s\n1,2\n").find("there is no column 'load_wait_s'") != std::string::npos);
  CHECK(complaint("step,step_time_s,load_wait_s\n1,fast,0\n").find("'fast' is not a number") != std::string::npos);
  CHECK(complaint("step,step_time_s,load_wait_s\n1,fast,0\n").find("E0207") == std::string::npos);  // told once
  CHECK(complaint("step,step_time_s,load_wait_s\n1,1,2\n").find("s.csv:2") != std::string::npos);
  CHECK(complaint("step,step_time_s,load_wait_s\n1,1,0\n").find("at least 40 steps") != std::string::npos);
  CHECK(run("verify --measured '" + folder.write("g.csv", steps_csv(1.0, 0.0)) + "'").status == 2);
}

TEST_CASE("a verification is evidence for what is computed with its site", "[cli]") {
  const Folder folder;
  const std::string site = folder.write(
      "site.json", R"({"calibration": {"verified": {"date": "2026-11-21", "points": 14, "idle_error_points": 1.5,
      "idle_error_largest": 4.0}}})");
  const Run result = run("bound --json prefetch-queue '" + site + "'");
  REQUIRE(result.status == 0);
  const Json measured = Json::parse(result.out)["evidence"]["measured"];
  const auto is_own = [](const Json& one) {
    return one.value("machine", "") == "site.json" && one["source"] == "headrace verify" && one["date"] == "2026-11-21";
  };
  CHECK(std::count_if(measured.begin(), measured.end(), is_own) == 1);
  CHECK(run("bound --json prefetch-queue").out.find("site.json") == std::string::npos);
}

}  // namespace headrace
