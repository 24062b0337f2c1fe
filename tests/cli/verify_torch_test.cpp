// headrace verify --loader torch: the script, what it says without a Python that has torch, the report, an interrupt;
// and a real loader where there is one.
#include <chrono>
#include <csignal>
#include <filesystem>
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
using VerifyJson = nlohmann::json;

/// A program that stands for Python: `body` is shell, "$2" the file of runs.
std::string python_that(const Folder& folder, const std::string& body) {
  const std::string file = folder.write("python", "#!/bin/sh\n" + body + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

/// Says the same of every run.
const std::string kAnswers = R"(echo '{"torch": "9.9", "python": "3.99"}'
grep -o '"workers"' "$2" | while read -r each; do
  echo '{"step_s": 0.02, "wait_s": 0.002, "late_s": 0.0001, "sample_s": 0.01, "collate_s": 0.001, "start_s": 0.3, "steps": 50}'
done)";

bool has_torch(const std::string& python) {
  return std::system((python + " -c 'from torch.utils.data import default_collate' >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

TEST_CASE("verify prints the script that it runs", "[cli]") {
  const Run result = run("verify --print-script");
  CHECK(result.status == 0);
  CHECK(result.out == testing::file_text(HEADRACE_SOURCE_DIR "/cli/scripts/torch_loader.py"));
  CHECK(result.out.find("usage: python3 torch_loader.py RUNS.json") != std::string::npos);
}

TEST_CASE("verify of a PyTorch loader says what is missing and how to get it", "[cli]") {
  const Folder folder;
  const Run nowhere = run("verify --loader torch --python /nowhere/python3");
  CHECK(nowhere.status == 2);
  CHECK(nowhere.err.find("there is no Python '/nowhere/python3'") != std::string::npos);
  CHECK(nowhere.err.find("--python /path/to/python3") != std::string::npos);
  const std::string bare = python_that(folder, "echo \"$0: torch 1.11 or later is needed, found none\" >&2; exit 3");
  const Run without = run("verify --loader torch --python '" + bare + "'");
  CHECK(without.status == 2);
  CHECK(without.err.find("has no PyTorch to measure") != std::string::npos);
  CHECK(without.err.find("found none") != std::string::npos);
  CHECK(without.err.find("-m pip install torch") != std::string::npos);
  const std::string broken = python_that(folder, "echo 'RuntimeError: bus error' >&2; exit 1");
  const Run failing = run("verify --loader torch --python '" + broken + "'");
  CHECK(failing.status == 2);
  CHECK(failing.err.find("RuntimeError: bus error") != std::string::npos);
  CHECK(failing.err.find("--print-script") != std::string::npos);
  const Run silent = run("verify --loader torch --python true");
  CHECK(silent.status == 2);
  CHECK(silent.err.find("did not run the script") != std::string::npos);
  for (const std::string other : {"--gpu 0", "--size 16MiB", "--path /tmp"})
    CHECK(run("verify --loader torch " + other).status == 2);
}

TEST_CASE("verify of a PyTorch loader reports both kinds of samples with their bars", "[cli][long_3]") {
  const Folder folder;
  const std::string verify =
      "verify --loader torch --rounds 1 --window 10ms --python '" + python_that(folder, kAnswers) + "'";
  const std::string page = folder.path("page.html");
  const Run result = run(verify + " --json --report '" + page + "'");
  CHECK((result.status == 1 || result.status == 3));  // no loader is so
  CHECK(result.err.find("points of a real PyTorch loader") != std::string::npos);
  const VerifyJson json = VerifyJson::parse(result.out);
  CHECK(json["loader"] == "torch");
  CHECK(json["loader_version"] == "torch 9.9, Python 3.99");
  REQUIRE(json["groups"].size() >= 1);
  CHECK(json["groups"][0]["name"] == "sleeps");
  CHECK(json["groups"][0]["bar"]["idle_points"] == 1.5);
  CHECK(json["groups"][0]["within_bars"] == false);
  CHECK(json["points"][0]["measured"]["gpu_idle_fraction"]["mean"].get<double>() == Approx(0.1));
  CHECK_FALSE(json["points"][0]["measured"].contains("blame"));
  CHECK(testing::file_text(page).find("a real PyTorch loader") != std::string::npos);
  CHECK(testing::file_text(page).find("Idle (sleeps), mean error") != std::string::npos);
  const std::string again = folder.path("again.html");
  CHECK(run("report '" + folder.write("verify.json", result.out) + "' -o '" + again + "'").status == 0);
  CHECK(testing::file_text(again).find("Step time (sleeps), mean error") != std::string::npos);
  const Run text = run(verify);
  CHECK(text.out.find("DataLoader of torch 9.9, Python 3.99") != std::string::npos);
  CHECK(text.out.find("sleeps, 8 points") != std::string::npos);
  CHECK(text.out.find("bar 1.5") != std::string::npos);
  CHECK(result.out.find("all points of jpeg: this Python has no PIL") != std::string::npos);
  const Run plan = run("verify --loader torch --dry-run");
  CHECK(plan.status == 0);
  CHECK(plan.out.find("8 workers, K 16, in order, 8 x 10 ms, cv 1, load 0.6") != std::string::npos);
  CHECK(plan.out.find("32 x 588 KiB of JPEG, load 1.2") != std::string::npos);
}

TEST_CASE("calibrate of a PyTorch loader writes a layer for the loader of a job", "[cli]") {
  const Folder folder;
  const std::string answers = R"sh(echo '{"torch": "9.9", "python": "3.99"}'
grep -o '"batch":[0-9]*,"decoder":"zlib","first":[0-9]*,"frame_bytes":[0-9]*' "$2" | sed 's/[^0-9,]//g' |
while IFS=, read -r batch decoder first bytes; do
  awk -v b="$((batch * bytes))" 'BEGIN { printf "{\"step_s\": %.9f, \"wait_s\": %.9f, \"late_s\": 0, \"sample_s\": 0.001, " \
    "\"collate_s\": %.9f, \"start_s\": 0.3, \"steps\": 50}\n", 0.002 + b / 5e8, 0.002 + b / 2e9, 0.0001 + b / 1e9 }'
done)sh";
  const std::string layer = folder.path("loader.json");
  const Run result = run("calibrate --loader torch --job train --accept-noisy --quiet -o '" + layer + "' --python '" +
                         python_that(folder, answers) + "'");
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("loader.receive.bandwidth") != std::string::npos);
  CHECK(result.out.find("torch 9.9, Python 3.99") != std::string::npos);
  const VerifyJson loader = VerifyJson::parse(testing::file_text(layer))["jobs"][0]["loader"];
  CHECK(loader["receive"]["bandwidth"] == "2 GB/s");
  CHECK(loader["transport"].contains("per_batch"));
  CHECK(loader["epoch_start"].contains("worker_start"));
  const Run bound = run("bound torch-epochs '" + layer + "' --dry-run");
  CHECK(bound.status == 0);
  CHECK(bound.out.find("measured 20") != std::string::npos);
}

TEST_CASE("calibrate of a PyTorch loader plans, and refuses what belongs to other probes", "[cli]") {
  const Run plan = run("calibrate --loader torch --dry-run --json");
  CHECK(plan.status == 0);
  CHECK(VerifyJson::parse(plan.out)["planned_s"].get<double>() > 10.0);
  CHECK(run("calibrate --loader torch --path /tmp").status == 2);
  CHECK(run("calibrate --python python3").status == 2);
  const Run nowhere = run("calibrate --loader torch --python /nowhere/python3");
  CHECK(nowhere.status == 2);
  CHECK(nowhere.err.find("there is no Python '/nowhere/python3'") != std::string::npos);
}

TEST_CASE("an interrupt ends the PyTorch loader and what it started", "[cli]") {
  const Folder folder;
  const Folder temporary;
  // The first call tells the versions; the second never ends, and neither does its child.
  const std::string python = python_that(folder, "if grep -q workers \"$2\"; then sleep 1000 & echo $! >'" +
                                                     folder.path("child") + "'; wait; fi\n" + kAnswers);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (std::freopen(folder.path("out").c_str(), "w", stdout) == nullptr) ::_exit(97);
    if (std::freopen(folder.path("err").c_str(), "w", stderr) == nullptr) ::_exit(97);
    ::setenv("TMPDIR", temporary.path("").c_str(), 1);
    ::execl(HEADRACE_PROGRAM, HEADRACE_PROGRAM, "verify", "--loader", "torch", "--python", python.c_str(), nullptr);
    ::_exit(98);
  }
  for (int i = 0; i < 1000 && testing::file_text(folder.path("child")).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto begin = std::chrono::steady_clock::now();
  ::kill(child, SIGINT);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  CHECK(temporary.file_count() == 0);
  const std::string grandchild = testing::file_text(folder.path("child"));
  REQUIRE_FALSE(grandchild.empty());
  const std::string stat = "/proc/" + std::to_string(std::stol(grandchild)) + "/stat";
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {  // its new parent has yet to notice
    const std::string state = testing::file_text(stat);
    gone = state.empty() || state.find(") Z") != std::string::npos;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(gone);
}

// Needs a Python with torch (.ci/nightly installs Debian's). A loaded machine may miss the bars by far: the bounds only
// hold what a wrong model would miss on any machine.
TEST_CASE("a real PyTorch loader is predicted", "[cli][.nightly]") {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() && has_torch(candidate)) python = candidate;
  if (python.empty()) {
    WARN("skipped: neither python3 nor /usr/bin/python3 has torch 1.11 or later");
    return;
  }
  const Run result = run("verify --loader torch --json --quiet --rounds 1 --window 1s --python " + python);
  CHECK((result.status == 0 || result.status == 1 || result.status == 3));
  const VerifyJson json = VerifyJson::parse(result.out);
  CHECK(json["loader_version"].get<std::string>().find("torch") == 0);
  CHECK(json["points"].size() >= 8);
  CHECK(result.out.find("jpeg") != std::string::npos);  // as a group, or by name among what is left out
  CHECK(json["step_error_percent"]["mean"].get<double>() < 25.0);
  CHECK(json["idle_error_points"]["mean"].get<double>() < 15.0);
  for (const VerifyJson& point : json["points"])
    CHECK(point["measured"]["step_time_s"]["mean"].get<double>() > point["compute_s"].get<double>());
}

}  // namespace headrace
