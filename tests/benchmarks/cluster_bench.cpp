// How fast whole jobs are simulated, with every node, its NIC, shared storage and blame: the shipped scenario of 10,000
// GPUs, the same with a saturated pool, ten times as many GPUs in both engines, the growth of the cost from 8 to
// 100,000 GPUs, and 64 nodes up to the default precision of the step time. Each case runs in a process of its own, so
// that its memory is its own. Processor time, which a busy machine disturbs less than the wall clock, unless a line
// says wall.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/engine/uncontended_run.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/study/study.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace {

using namespace headrace;
using Clock = std::chrono::steady_clock;
using Overrides = std::vector<std::string>;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double processor_s() { return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC); }

void print_line(const std::string& name, double value, const char* unit, double bar, bool at_most) {
  const bool ok = at_most ? value <= bar : value >= bar;
  std::printf(
      "{\"name\": \"%s\", \"value\": %.4g, \"unit\": \"%s\", \"ratio\": %.3g, \"against\": \"limit\", \"bar\": %.4g, "
      "\"ok\": %s}\n",
      name.c_str(), value, unit, value / bar, bar, ok ? "true" : "false");
  std::fflush(stdout);
}

models::Scenario load(const Overrides& overrides) {
  const std::vector<std::string> files = {std::string(HEADRACE_SOURCE_DIR) +
                                          "/scenarios/shipped/imagenet-1250-nodes.json"};
  auto loaded = scenarios::load_scenario(files, overrides);
  if (!loaded) throw std::runtime_error("the shipped scenario imagenet-1250-nodes does not load");
  return loaded->value;
}

/// The shipped cluster with another number of nodes of 8 GPUs, and a store that grows with it.
Overrides nodes(std::uint32_t count) {
  return {"/cluster/pools/0/nodes=" + std::to_string(count),
          "/stores/0/bandwidth=" + std::to_string(3.2 * count) + " GB/s",
          "/stores/0/limit/prefixes=" + std::to_string(1 + 256 * count / 1250)};
}

models::IngestPath path_of(const Overrides& overrides) {
  const models::Scenario scenario = load(overrides);
  models::IngestPath path = models::resolve_path(scenario, 0, {});
  path.hit_ratio = models::epoch_windows(scenario, 0, 1).front().hit_ratio;
  return path;
}

double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

/// Steps per second of the event engine, start-up left out.
double event_steps_per_s(const models::IngestPath& path, std::uint64_t before, std::uint64_t steps) {
  models::ClusterRun run(path, 1, 0, {});
  run.run_to(before);
  const double begin = processor_s();
  run.run_to(before + steps);
  return static_cast<double>(steps) / (processor_s() - begin);
}

void whole_cluster() {
  print_line("imagenet-1250-nodes/steps", event_steps_per_s(path_of({}), 40, 160), "1/s", 200.0, false);
  print_line("imagenet-1250-nodes/memory", megabytes(), "MB", 256.0, true);
}

void saturated_cluster() {
  const models::IngestPath path = path_of({"/stores/0/bandwidth=2.8 TB/s"});
  print_line("imagenet-1250-nodes/steps-saturated", event_steps_per_s(path, 40, 160), "1/s", 150.0, false);
}

void whole_cluster_to_precision() {
  const models::Scenario scenario = load({});
  const Clock::time_point begin = Clock::now();
  const models::Outcome outcome = models::simulate(scenario, {});
  const double wall_s = seconds_since(begin);
  std::printf(
      "{\"name\": \"imagenet-1250-nodes/wall-to-precision\", \"value\": %.3g, \"unit\": \"s\", \"ratio\": null, "
      "\"against\": null, \"bar\": null, \"ok\": %s}\n",
      wall_s, outcome.stopped_by == "precision" ? "true" : "false");
  std::fflush(stdout);
}

/// Some nodes for all, with the full run that they are held against, as a share of the time of a full study.
void sampled_cluster() {
  const models::Scenario scenario = load({});
  models::StudyOptions options;
  options.threads = 1;
  options.relief = false;
  const auto study_s = [&](models::Scale scale) {
    options.scale = scale;
    const double begin = processor_s();
    const models::Outcome outcome = models::simulate(scenario, options);
    return outcome.stopped_by == "precision" ? processor_s() - begin : 1e9;
  };
  const double full_s = study_s(models::Scale::full);
  const double sampled_s = study_s(models::Scale::sampled);
  std::printf(
      "{\"name\": \"imagenet-1250-nodes/sampled\", \"value\": %.3g, \"unit\": \"s\", \"ratio\": %.3g, \"against\": "
      "\"every node\", \"bar\": 0.35, \"ok\": %s}\n",
      sampled_s, sampled_s / full_s, sampled_s <= 0.35 * full_s ? "true" : "false");
  std::fflush(stdout);
}

void hundred_thousand() {
  const models::IngestPath path = path_of(nodes(12'500));
  models::RunSwitches off;
  off.contention = false;
  {
    const models::ItineraryMaker itineraries(path, 1, 0, off);
    models::UncontendedRun run(path, itineraries);
    run.run_to(5);
    const double begin = processor_s();
    run.run_to(45);
    print_line("100,000-gpus/max-plus-steps", 40.0 / (processor_s() - begin), "1/s", 100.0, false);
  }
  print_line("100,000-gpus/event-steps", event_steps_per_s(path, 20, 20), "1/s", 8.0, false);
  print_line("100,000-gpus/memory", megabytes(), "MB", 2000.0, true);
}

/// Microseconds per GPU and step, against those of 1,000 GPUs: 1 is linear growth.
void growth() {
  double reference_us = 0.0;
  for (const std::uint32_t count : {125U, 1U, 4U, 12U, 40U, 400U, 1'250U, 4'000U, 12'500U}) {
    const models::IngestPath path = path_of(nodes(count));
    const std::uint64_t steps = std::max<std::uint64_t>(10, 400'000 / path.gpus);
    const double us = 1e6 / event_steps_per_s(path, 20, steps) / path.gpus;
    if (count == 125) reference_us = us;
    std::printf(
        "{\"name\": \"growth/%u-gpus\", \"value\": %.3g, \"unit\": \"us per GPU and step\", \"ratio\": %.3g, "
        "\"against\": \"1,000 GPUs\", \"bar\": 3, \"ok\": %s}\n",
        path.gpus, us, us / reference_us, us <= 3.0 * reference_us ? "true" : "false");
    std::fflush(stdout);
  }
}

void to_precision() {
  const models::Scenario scenario = load({"/cluster/pools/0/nodes=64", "/stores/0/bandwidth=250 GB/s"});
  models::StudyOptions options;
  options.relief = false;
  const Clock::time_point begin = Clock::now();
  const models::Outcome outcome = models::simulate(scenario, options);
  const double wall_s = seconds_since(begin);
  print_line("64-nodes-8-gpus/one-percent", outcome.stopped_by == "precision" ? wall_s : 1e9, "s wall", 1.0, true);
}

void bound() {
  const models::Scenario scenario = load({});
  // A program that asks again keeps the path, and with it the tables of its distributions.
  const models::IngestPath keeps_tables = models::resolve_path(scenario, 0, {});
  constexpr int kRounds = 2000;
  double sum = 0.0;
  const double begin = processor_s();
  for (int i = 0; i < kRounds; ++i) sum += models::flow_bound(scenario).metrics.front().mean;
  print_line("flow-bound", sum > 0.0 ? (processor_s() - begin) / kRounds * 1e6 : 1e9, "us", 20.0, true);
}

/// Runs one case in a process of its own.
bool alone(void (*measure)()) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process for a benchmark");
  if (child == 0) {
    measure();
    _exit(0);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void estimate(const char* name, const std::vector<std::string>& overrides) {
  const models::Scenario scenario = load(overrides);
  double best_s = 1e9;
  for (int i = 0; i < 9; ++i) {
    const Clock::time_point begin = Clock::now();
    const models::Outcome outcome = models::queueing_estimate(scenario, 1);
    best_s = std::min(best_s, seconds_since(begin));
  }
  print_line(name, best_s * 1e3, "ms", 16.0, true);
}

void estimates() {
  estimate("estimate/10000-gpus", {});
  estimate("estimate/10000-gpus-at-the-knee", {"/jobs/0/loader/workers=5"});
  estimate("estimate/10000-gpus-any-order", {"/jobs/0/loader/order=any_order_shared"});
}

}  // namespace

int main() {
  bool ok = true;
  for (void (*const measure)() : {bound, estimates, to_precision, whole_cluster, saturated_cluster,
                                  whole_cluster_to_precision, sampled_cluster, hundred_thousand, growth})
    ok = alone(measure) && ok;
  return ok ? 0 : 1;
}
