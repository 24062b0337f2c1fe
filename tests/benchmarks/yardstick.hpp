// What the benchmarks of the event kernel share: a clock, cheap random durations, comparisons
// by Google Benchmark and the JSON line.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "sim/time.hpp"

namespace headrace::benchmarks {

/// Processor time of this thread: other programs on the machine do not count.
inline double thread_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// xoshiro256++ of Blackman and Vigna (2019).
class Bits {
 public:
  explicit Bits(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = seed = (seed + 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
  }
  std::uint64_t operator()() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  std::uint64_t state_[4];
};

/// Exponential durations by the ziggurat of Marsaglia and Tsang (2000), 256 layers: about as cheap as an exact draw can
/// be, so that the queue, not the draw, is measured.
class Durations {
 public:
  explicit Durations(double mean_ns, std::uint64_t seed = 1) : bits_(seed), mean_ns_(mean_ns) {
    constexpr double kArea = 3.9496598225815571993e-3;
    edge_[0] = kArea / std::exp(-kTail);
    edge_[1] = kTail;
    for (std::size_t i = 2; i < 256; ++i) edge_[i] = -std::log(std::exp(-edge_[i - 1]) + kArea / edge_[i - 1]);
    edge_[256] = 0;
    for (std::size_t i = 0; i <= 256; ++i) height_[i] = std::exp(-edge_[i]);
  }
  sim::TimeNs operator()() { return scaled(mean_ns_); }
  sim::TimeNs scaled(double mean_ns) { return static_cast<sim::TimeNs>(standard() * mean_ns) + 1; }
  std::uint64_t bits() { return bits_(); }

 private:
  static constexpr double kTail = 7.69711747013104972;

  double standard() {
    double shift = 0;
    while (true) {
      const std::uint64_t bits = bits_();
      const std::size_t layer = bits & 255;
      const double x = static_cast<double>(bits >> 11) * 0x1p-53 * edge_[layer];
      if (x < edge_[layer + 1]) [[likely]]
        return shift + x;
      if (layer == 0) {
        shift += kTail;
        continue;
      }
      const double u = static_cast<double>(bits_() >> 11) * 0x1p-53;
      if (height_[layer] + u * (height_[layer + 1] - height_[layer]) < std::exp(-x)) return shift + x;
    }
  }

  Bits bits_;
  double mean_ns_;
  double edge_[257];
  double height_[257];
};

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// One JSON line; `bar` is the largest ratio that is good enough. Returns whether it is.
inline bool report(const std::string& name, double value, const char* unit, double ratio, const char* against,
                   double bar) {
  std::printf(
      "{\"name\":\"%s\",\"value\":%.4g,\"unit\":\"%s\",\"ratio\":%.4g,\"against\":\"%s\",\"bar\":%.4g,\"ok\":%s}\n",
      name.c_str(), value, unit, ratio, against, bar, ratio <= bar ? "true" : "false");
  std::fflush(stdout);
  return ratio <= bar;
}

/// Keeps the time of every repetition by the name of its benchmark, and prints nothing.
class KeepTimes : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) times_ns_[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
  }
  double median_ns(const std::string& name) const { return median(times_ns_.at(name)); }

 private:
  std::map<std::string, std::vector<double>> times_ns_;
};

/// Runs `work` and `yardstick` (each returns its time in ns) `rounds` times, the repetitions interleaved at random so
/// that a busy or slow machine hits both alike; reports the medians and their ratio.
template <class Work, class Yardstick>
bool compare(const std::string& name, const char* unit, const char* against, double bar, int rounds, Work&& work,
             Yardstick&& yardstick) {
  const auto add = [rounds](const char* who, auto& run) {
    benchmark::RegisterBenchmark(who,
                                 [&run](benchmark::State& state) {
                                   for ([[maybe_unused]] auto _ : state) state.SetIterationTime(run() * 1e-9);
                                 })
        ->Iterations(1)
        ->Repetitions(rounds)
        ->UseManualTime()
        ->Unit(benchmark::kNanosecond);
  };
  add("yardstick", yardstick);
  add("work", work);
  KeepTimes times;
  benchmark::RunSpecifiedBenchmarks(&times);
  benchmark::ClearRegisteredBenchmarks();
  return report(name, times.median_ns("work"), unit, times.median_ns("work") / times.median_ns("yardstick"), against,
                bar);
}

/// To be called first in main().
inline void interleave_repetitions() {
  std::string program = "benchmark";
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program.data(), interleave.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
}

}  // namespace headrace::benchmarks
