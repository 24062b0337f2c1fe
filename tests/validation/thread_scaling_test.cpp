// V7 of docs/validation.md: samples/s of five ways to store ImageNet at 2, 4 and 8 threads, from one thread (A. Isenko
// et al., SIGMOD 2022; github.com/cirquit/presto at 5e41df3, analysis/ssd-experiments/imagenet-analysis.ipynb, 8,000
// samples). The closed form cannot fail by chance; simulated values lie within 5 % of it, at a standard error of 1 %
// and fixed seeds.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/path/host_contention.hpp"
#include "models/twins/closed_networks.hpp"
#include "tests/validation/csv_rows.hpp"
#include "tests/validation/shipped.hpp"

namespace headrace {
namespace {

constexpr std::array kThreads{2, 4, 8};
constexpr std::array kStrategies{"0-fully-online", "2-read-image", "3-decode-image", "4-resize-image",
                                 "5-center-pixel-values"};
constexpr double kLinkBytesPerS = 10e9 / 8.0 * 0.9415;  // 10 Gb/s of TCP
constexpr double kRawBytes = 114661.0;                  // of a JPEG, mean
constexpr int kSamples = 8000;
constexpr double kBeta = 0.35;  // the machine's, one for all strategies

struct Row {
  double samples_per_s = 0.0;
  double storage_bytes = 0.0;
};
using Table = std::map<std::pair<std::string, int>, Row>;  // strategy and threads

Table measured(int samples) {
  Table table;
  for (const std::vector<std::string>& cells : testing::csv_rows("presto_imagenet.csv")) {
    if (std::stoi(cells[2]) != samples) continue;
    table[{cells[0], std::stoi(cells[1])}] = {std::stod(cells[3]), std::stod(cells[4]) * 1e6};
  }
  REQUIRE(table.size() == 20);
  return table;
}

/// What one sample of a strategy costs one thread: all from the rows of one thread.
struct Cost {
  double bytes = 0.0;
  double latency_s = 0.0;
  double cpu_s = 0.0;
};

/// The first strategy opens a file per sample; the second does the same work on the same bytes from one file.
Cost cost_of(const Table& table, const std::string& strategy) {
  const auto one = [&](const char* name) { return 1.0 / table.at({name, 1}).samples_per_s; };
  Cost cost;
  cost.bytes = strategy == kStrategies[0] ? kRawBytes : table.at({strategy, 8}).storage_bytes / kSamples;
  if (strategy == kStrategies[0]) cost.latency_s = one(kStrategies[0]) - one(kStrategies[1]);
  cost.cpu_s = one(strategy.c_str()) - cost.latency_s - cost.bytes / kLinkBytesPerS;
  return cost;
}

double closed_form(const Cost& cost, double beta, int threads) {
  const double link_s = cost.bytes / kLinkBytesPerS;
  const double factor = models::contention_factor(beta, threads, cost.cpu_s, cost.latency_s + link_s);
  const std::array<double, 1> demands{link_s};
  return models::twins::mean_value_analysis(demands, cost.cpu_s * factor + cost.latency_s, threads).throughput_per_s;
}

double error(const Table& table, const std::string& strategy, double beta, int threads) {
  return closed_form(cost_of(table, strategy), beta, threads) / table.at({strategy, threads}).samples_per_s - 1.0;
}

/// The exponent with the least sum of absolute errors over all strategies but one.
double fitted_without(const Table& table, const std::string& left_out) {
  double best = 0.0;
  double least = 1e9;
  for (int i = 0; i <= 60; ++i) {
    double sum = 0.0;
    for (const std::string strategy : kStrategies)
      for (const int threads : kThreads)
        if (strategy != left_out) sum += std::abs(error(table, strategy, 0.01 * i, threads));
    if (sum >= least) continue;
    least = sum;
    best = 0.01 * i;
  }
  return best;
}

struct Errors {
  std::vector<double> sorted;
  void add(double relative) {
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), std::abs(relative)), std::abs(relative));
  }
  double median() const { return sorted[sorted.size() / 2]; }
  double largest() const { return sorted.back(); }
  std::ptrdiff_t within(double limit) const {
    return std::upper_bound(sorted.begin(), sorted.end(), limit) - sorted.begin();
  }
};

/// An exponential time, as the closed form has it for CPU work and latency.
std::string exponential(const std::string& path, double mean_s) {
  return testing::set(path + "={\"exponential\": {\"mean\": \"", mean_s * 1e6, "us\"}}");
}

models::Scenario scenario_of(const Cost& cost, int threads) {
  testing::Strings overrides{testing::set("/jobs/0/loader/workers=", threads),
                             testing::set("/datasets/0/sample_bytes=", cost.bytes, "B"),
                             exponential("/jobs/0/loader/cpu_per_sample", cost.cpu_s)};
  if (cost.latency_s > 0.0) overrides.push_back(exponential("/stores/0/latency", cost.latency_s));
  return testing::shipped("imagenet-threads", overrides);
}

}  // namespace

TEST_CASE("V7: samples/s at 2, 4 and 8 threads from one thread", "[validation]") {
  const Table table = measured(kSamples);
  CHECK(fitted_without(table, "") == Approx(kBeta).margin(0.011));
  Errors errors;
  Errors linear;
  for (const std::string strategy : kStrategies)
    for (const int threads : kThreads) {
      errors.add(error(table, strategy, kBeta, threads));
      linear.add(error(table, strategy, 0.0, threads));
    }
  INFO("median " << errors.median() << ", largest " << errors.largest() << ", within 10 %: " << errors.within(0.1));
  CHECK(errors.median() < 0.06);
  CHECK(errors.within(0.1) >= 12);  // of 15: 10 % for each was aimed at
  CHECK(errors.largest() < 0.19);
  CHECK(linear.median() > 0.25);  // threads that do not slow each other
}

TEST_CASE("V7: each strategy predicted with the exponent of the others", "[validation]") {
  const Table table = measured(kSamples);
  Errors errors;
  for (const std::string strategy : kStrategies) {
    const double beta = fitted_without(table, strategy);
    CHECK(beta > 0.32);
    CHECK(beta < 0.40);
    for (const int threads : kThreads) errors.add(error(table, strategy, beta, threads));
  }
  INFO("median " << errors.median() << ", largest " << errors.largest() << ", within 10 %: " << errors.within(0.1));
  CHECK(errors.median() < 0.08);
  CHECK(errors.within(0.1) >= 11);
  CHECK(errors.largest() < 0.21);
}

TEST_CASE("V7: a corpus that the exponent was not chosen on") {
  // The same machine reads 15 GB of synthetic samples from the other cluster of the paper (HDD), whose fio profile is
  // published: 219 MB/s for one thread, 910 MB/s for eight (analysis/synthetic-data-multithreading-analysis.ipynb at
  // 39abb9f0, means of four runs). Samples of 10 kB come at 8,600 /s however many threads there are: that is serial.
  constexpr double kStream = 219e6;
  constexpr double kLink = 910e6;
  std::map<std::pair<double, int>, double> rates;  // sample size and threads
  for (const std::vector<std::string>& cells : testing::csv_rows("presto_synthetic.csv"))
    rates[{std::stod(cells[0]) * 1e6, std::stoi(cells[2])}] = std::stod(cells[3]);
  REQUIRE(rates.size() == 48);
  const double serial_s = 1.0 / rates.at({10e3, 8});
  Errors errors;
  Errors linear;
  for (const auto& [row, rate] : rates) {
    const auto [bytes, threads] = row;
    if (threads == 1 || bytes == 10e3) continue;
    const double one_s = 1.0 / rates.at({bytes, 1});
    const double link_s = bytes / kLink;
    const double stream_s = std::min(bytes / kStream, one_s - serial_s) - link_s;
    const double cpu_s = one_s - serial_s - link_s - stream_s;
    const double factor = models::contention_factor(kBeta, threads, cpu_s, stream_s + link_s + serial_s);
    const std::array<double, 2> demands{link_s, serial_s};
    const double predicted =
        models::twins::mean_value_analysis(demands, cpu_s * factor + stream_s, threads).throughput_per_s;
    errors.add(predicted / rate - 1.0);
    linear.add(threads / one_s / rate - 1.0);
  }
  INFO("median " << errors.median() << ", largest " << errors.largest() << ", within 10 %: " << errors.within(0.1));
  CHECK(errors.median() < 0.2);  // 10 % each was aimed at
  CHECK(errors.within(0.1) >= 11);
  CHECK(errors.largest() < 0.8);
  CHECK(linear.median() > 0.5);
}

TEST_CASE("V7: simulation gives the closed form, and one thread what it was fitted to", "[validation]") {
  const Table table = measured(kSamples);
  for (const std::string strategy : kStrategies)
    for (const int threads : {1, 8}) {
      const Cost cost = cost_of(table, strategy);
      const models::Scenario scenario = scenario_of(cost, threads);
      const double rate = testing::mean(testing::simulated(scenario, 12000), "samples_per_s");
      INFO(strategy << ", " << threads << " threads: " << rate << " against " << closed_form(cost, kBeta, threads));
      CHECK(rate == Approx(closed_form(cost, kBeta, threads)).epsilon(0.05));
      CHECK(rate < testing::mean(models::flow_bound(scenario), "samples_per_s") * 1.05);
    }
}

}  // namespace headrace
