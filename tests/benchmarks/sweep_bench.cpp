// What a ranking of a thousand scenarios of 64 nodes x 8 GPUs costs, on two threads, and what a sweep costs beside its
// answers: reading points, resolving them, storing them, drawing them as a page.
#include <chrono>
#include <cstdio>
#include <filesystem>
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

void rank() {
  const scenarios::SweepSpace space = load("image-cluster-1000");
  const std::string path = store_path();
  const Clock::time_point begin = Clock::now();
  scenarios::ResultsStore store(path, scenarios::ResultsStore::Access::write);
  const auto ranked = rank_sweep(space, store, options(), {});
  const double all_s = seconds_since(begin);
  print_line("sweep/rank/image-cluster-1000", all_s, "s", all_s / 120.0, 1.0,
             "limit of 120 s; " + std::to_string(ranked.tally.points) + " points, " + std::to_string(ranked.runs) +
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
  page();
  rank();
  std::filesystem::remove(store_path());
}
