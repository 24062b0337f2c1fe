// What a ranking of a thousand scenarios of 64 nodes x 8 GPUs costs, on two threads, and what a sweep costs beside its
// answers: reading points, resolving them, storing them, drawing them as a page.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "models/answer/flow_bound.hpp"
#include "reports/html/sweep_page.hpp"
#include "reports/results_export.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/results/ranking.hpp"

namespace {

using namespace headrace;
using Clock = std::chrono::steady_clock;

scenarios::SweepSpace load(const std::string& name) {
  auto space = scenarios::load_space(name);
  if (!space) throw std::runtime_error("the shipped space " + name + " does not load");
  return std::move(*space);
}

std::string store_path() {
  const std::string path = (std::filesystem::temp_directory_path() / "headrace_sweep_bench.db").string();
  std::filesystem::remove(path);
  return path;
}

void print_line(const std::string& name, double value, const char* unit, double ratio, double bar,
                const std::string& against) {
  std::printf(
      "{\"name\": \"%s\", \"value\": %.4g, \"unit\": \"%s\", \"ratio\": %.3g, \"against\": \"%s\", \"bar\": %.4g, "
      "\"ok\": %s}\n",
      name.c_str(), value, unit, ratio, against.c_str(), bar, ratio <= bar ? "true" : "false");
  std::fflush(stdout);
}

scenarios::SweepOptions options() {
  scenarios::SweepOptions options;
  options.threads = 2;
  options.outcome_text = [](const models::Outcome& outcome) {
    std::string text = "{\"metrics\":{";
    for (const models::Metric& metric : outcome.metrics)
      text += (text.back() == '{' ? "\"" : ",\"") + metric.name + "\":{\"mean\":" + std::to_string(metric.mean) + "}";
    return text + "}}";
  };
  return options;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void bound() {
  const scenarios::SweepSpace space = load("image-cluster-1000");
  const std::string path = store_path();
  scenarios::SweepOptions how = options();
  how.answer.level = scenarios::AnswerLevel::bound;
  const Clock::time_point begin = Clock::now();
  scenarios::ResultsStore store(path, scenarios::ResultsStore::Access::write);
  const auto tally = run_sweep(space, store, how);
  const double each_ms = seconds_since(begin) / static_cast<double>(tally.computed) * 1e3;
  print_line("sweep/bound/point", each_ms, "ms", each_ms / 10.0, 1.0, "limit of 10 ms");
}

/// A space of so many designs, as a file would give it.
scenarios::SweepSpace space_of(std::uint64_t points) {
  const std::string path = (std::filesystem::temp_directory_path() / "headrace_sweep_bench.json").string();
  std::ofstream(path) << R"({"scenario": {"extends": "imagenet-1250-nodes",
    "cluster": {"pools": [{"name": "gpus", "nodes": 64, "nodes_per_leaf": 16}]}}, "axes": [
    {"parameter": "/jobs/0/loader/workers", "from": 1, "to": 20, "step": 1},
    {"parameter": "/jobs/0/loader/lanes", "from": 1, "to": 10, "step": 1},
    {"name": "decode", "parameter": "/jobs/0/loader/cpu_per_sample", "values": ["0.8 ms", "1 ms", "1.2 ms", "1.4 ms", "1.6 ms"]},
    {"name": "nic", "parameter": "/cluster/pools/0/nic/bandwidth", "values": ["50 Gb/s", "100 Gb/s"]},
    {"name": "store", "parameter": "/stores/0/bandwidth", "from": "100 GB/s", "to": ")"
                      << 99 + points / 2000 << R"( GB/s", "step": "1 GB/s"}]})";
  scenarios::SweepSpace space = load(path);
  std::filesystem::remove(path);
  return space;
}

/// Points per second of one core, the results store included: a batch front answers whole spaces.
void front(const std::string& name, scenarios::AnswerLevel level, std::uint64_t points, double least_per_s) {
  const scenarios::SweepSpace space = space_of(points);
  scenarios::SweepOptions how = options();
  how.outcome_text = [](const models::Outcome& outcome) { return reports::stored_outcome(outcome, ""); };
  how.answer.level = level;
  scenarios::ResultsStore store(store_path(), scenarios::ResultsStore::Access::write);
  const std::clock_t begin = std::clock();
  const auto tally = run_sweep(space, store, how);
  const double processor_s = static_cast<double>(std::clock() - begin) / static_cast<double>(CLOCKS_PER_SEC);
  const double per_s = static_cast<double>(tally.computed) / processor_s;
  print_line("sweep/front/" + name, per_s, "1/s", least_per_s / per_s, 1.0,
             "limit of " + std::to_string(static_cast<int>(least_per_s)) + "/s; " + std::to_string(tally.computed) +
                 " points, processor time");
}

void rank() {
  const scenarios::SweepSpace space = load("image-cluster-1000");
  const std::string path = store_path();
  const Clock::time_point begin = Clock::now();
  scenarios::ResultsStore store(path, scenarios::ResultsStore::Access::write);
  const auto ranked = rank_sweep(space, store, options(), {});
  const double all_s = seconds_since(begin);
  print_line("sweep/rank/image-cluster-1000", all_s, "s", all_s / 15.0, 1.0,
             "limit of 15 s; " + std::to_string(ranked.tally.points) + " points, " + std::to_string(ranked.runs) +
                 " runs, " + std::to_string(ranked.undecided) + " undecided");
}

/// A store of ten thousand points with all metrics of a bound, drawn as a page.
void page() {
  constexpr std::uint64_t kPoints = 10000;
  const auto answer = models::flow_bound(scenarios::load_scenario(std::vector<std::string>{"image-node"})->value);
  scenarios::ResultsStore store(":memory:", scenarios::ResultsStore::Access::write);
  scenarios::SweepRecord sweep;
  sweep.id = sweep.name = "grid";
  sweep.level = "bound";
  sweep.options = sweep.definition = sweep.scenario = "{}";
  sweep.points = kPoints;
  store.put_sweep(sweep);
  for (std::uint64_t point = 0; point < kPoints; ++point) {
    models::Outcome outcome = answer;
    for (models::Metric& metric : outcome.metrics) metric.mean *= 1.0 + 1e-4 * static_cast<double>(point % 997);
    scenarios::ResultRecord result;
    result.key = std::to_string(point);
    result.level = "bound";
    result.options = "{}";
    result.outcome = reports::stored_outcome(outcome, "");
    store.put("grid", point,
              "{\"workers\": " + std::to_string(point % 25) + ", \"depth\": " + std::to_string(point / 25 % 20) +
                  ", \"cache\": " + std::to_string(point / 500) + "}",
              result);
  }
  const Clock::time_point begin = Clock::now();
  const auto html = reports::sweep_page(store, {});
  const double all_s = seconds_since(begin);
  if (!html) throw std::runtime_error(html.error().message);
  print_line("sweep/report/10000-points", all_s, "s", all_s / 10.0, 1.0,
             "limit of 10 s; " + std::to_string(html->size()) + " bytes");
  print_line("sweep/report/10000-points/size", static_cast<double>(html->size()) / 1e6, "MB",
             static_cast<double>(html->size()) / 3e6, 1.0, "limit of 3 MB");
}

}  // namespace

int main() {
  bound();
  front("bound", scenarios::AnswerLevel::bound, 100'000, 2000.0);
  front("estimate", scenarios::AnswerLevel::estimate, 10'000, 200.0);
  page();
  rank();
  std::filesystem::remove(store_path());
}
