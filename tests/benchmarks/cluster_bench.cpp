// How fast whole jobs are simulated, with every node, its NIC, shared storage and blame: the shipped scenario of 10,000
// GPUs, and 64 nodes of it up to the default precision of the step time.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "models/cluster_run.hpp"
#include "models/flow_bound.hpp"
#include "models/hit_profile.hpp"
#include "models/study.hpp"
#include "scenarios/scenario_file.hpp"

namespace {

using namespace headrace;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void print_line(const char* name, double value, const char* unit, double bar, const char* against, bool ok) {
  std::printf(
      "{\"name\": \"%s\", \"value\": %.4g, \"unit\": \"%s\", \"ratio\": %.3g, \"against\": \"%s\", \"bar\": %.4g, "
      "\"ok\": %s}\n",
      name, value, unit, value / bar, against, bar, ok ? "true" : "false");
  std::fflush(stdout);
}

models::Scenario load(const std::vector<std::string>& overrides) {
  const std::vector<std::string> files = {std::string(HEADRACE_SOURCE_DIR) + "/scenarios/imagenet-1250-nodes.json"};
  auto loaded = scenarios::load_scenario(files, overrides);
  if (!loaded) throw std::runtime_error("the shipped scenario imagenet-1250-nodes does not load");
  return loaded->value;
}

void whole_cluster() {
  const models::Scenario scenario = load({});
  models::IngestPath path = models::resolve_path(scenario, 0, {});
  path.hit_ratio = models::epoch_windows(scenario, 0, 1).front().hit_ratio;
  models::ClusterRun run(path, 1, 0, {});
  run.run_to(40);
  const Clock::time_point begin = Clock::now();
  run.run_to(160);
  const double steps_per_s = 120.0 / seconds_since(begin);
  print_line("imagenet-1250-nodes/steps", steps_per_s, "1/s", 50.0, "limit", steps_per_s >= 50.0);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double megabytes = static_cast<double>(usage.ru_maxrss) / 1e3;
  print_line("imagenet-1250-nodes/memory", megabytes, "MB", 512.0, "limit", megabytes <= 512.0);
}

void to_precision() {
  const models::Scenario scenario = load({"/cluster/pools/0/nodes=64", "/stores/0/bandwidth=250 GB/s"});
  models::StudyOptions options;
  options.relief = false;
  const Clock::time_point begin = Clock::now();
  const models::Outcome outcome = models::simulate(scenario, options);
  const double wall_s = seconds_since(begin);
  print_line("64-nodes-8-gpus/one-percent", wall_s, "s", 1.0, "limit",
             wall_s <= 1.0 && outcome.stopped_by == "precision");
}

void bound() {
  const models::Scenario scenario = load({});
  // A program that asks again keeps the path, and with it the tables of its distributions.
  const models::IngestPath keeps_tables = models::resolve_path(scenario, 0, {});
  constexpr int kRounds = 2000;
  double sum = 0.0;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < kRounds; ++i) sum += models::flow_bound(scenario).metrics.front().mean;
  const double micros = seconds_since(begin) / kRounds * 1e6;
  print_line("flow-bound", micros, "us", 20.0, "limit", micros <= 20.0 && sum > 0.0);
}

}  // namespace

int main() {
  bound();
  to_precision();
  whole_cluster();
}
