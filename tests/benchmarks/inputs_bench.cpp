// What input ranges cost: the bound over 512 points against a wall limit, the simulation over ranges against one run
// of the same scenario on one thread, with relief as users run it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/study/input_study.hpp"
#include "scenarios/document/input_ranges.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace {

using namespace headrace;
using Clock = std::chrono::steady_clock;

struct Question {
  models::Scenario scenario;
  std::vector<models::UncertainInput> inputs;
};

Question load(const std::string& name, const std::vector<std::string>& overrides) {
  auto loaded = scenarios::load_scenario(std::vector<std::string>{name}, overrides);
  if (!loaded) throw std::runtime_error("the shipped scenario " + name + " does not load");
  auto inputs = scenarios::uncertain_inputs(loaded->value, loaded->composition);
  if (!inputs) throw std::runtime_error("the inputs of " + name + " cannot be told");
  return {loaded->value, std::move(*inputs)};
}

template <class F>
double seconds(F f) {
  const Clock::time_point begin = Clock::now();
  f();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void print_line(const std::string& name, double value, const char* unit, double ratio, double bar,
                const char* against) {
  std::printf(
      "{\"name\": \"%s\", \"value\": %.4g, \"unit\": \"%s\", \"ratio\": %.3g, \"against\": \"%s\", \"bar\": %.4g, "
      "\"ok\": %s}\n",
      name.c_str(), value, unit, ratio, against, bar, ratio <= bar ? "true" : "false");
  std::fflush(stdout);
}

void bound(const std::string& name) {
  const Question question = load(name, {});
  double best_s = 1e9;
  for (int i = 0; i < 5; ++i)
    best_s = std::min(best_s, seconds([&] { models::flow_bound_over(question.scenario, question.inputs, 1); }));
  print_line("input-ranges/bound/" + name, best_s * 1e3, "ms", best_s * 1e3 / 50.0, 1.0, "limit of 50 ms");
}

void simulation(const std::string& name, const std::vector<std::string>& overrides) {
  const Question question = load(name, overrides);
  models::StudyOptions options;
  options.threads = 1;
  std::vector<double> ratios;
  double over_s = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double one_s = seconds([&] { models::simulate(question.scenario, options); });
    over_s = seconds([&] { models::simulate_over(question.scenario, question.inputs, options); });
    ratios.push_back(over_s / one_s);
  }
  std::sort(ratios.begin(), ratios.end());
  print_line("input-ranges/simulate/" + name, over_s, "s", ratios[1], 20.0, "one run");
}

}  // namespace

int main() {
  bound("imagenet-1250-nodes");
  bound("unet3d-h100");
  simulation("unet3d-h100", {});
  simulation("dataloader-50ms", {});
  simulation("imagenet-1250-nodes",
             {"/cluster/pools/0/nodes=16", "/cluster/pools/0/nodes_per_leaf=8", "/stores/0/bandwidth=60 GB/s"});
}
