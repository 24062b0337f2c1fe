// Cost of one start/end pair of a flow in a fluid tree, for a lightly loaded pool whose flows run mostly at their caps
// (open80: Poisson arrivals that use 80 % of the pool) and for a pool that limits all flows (pool_bound: closed, eight
// flows per NIC). Draws are made beforehand.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "sim/fluid_tree.hpp"

using namespace headrace::sim;

namespace {

constexpr std::size_t kDraws = 1 << 16;
constexpr std::uint64_t kPairsPerSlice = 50'000;
constexpr int kSlices = 9;
constexpr double kCap = 2e9;
constexpr double kMeanBytes = 32e6;

/// Processor time, which a busy machine disturbs less than the wall clock.
double seconds_now() { return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC); }

/// Random inputs, so that only the network is timed.
struct Inputs {
  std::vector<double> bytes;
  std::vector<double> gaps;  // exponential, mean 1
  std::vector<std::uint32_t> nodes;
  std::size_t next = 0;

  explicit Inputs(std::uint32_t node_count) {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (std::size_t i = 0; i < kDraws; ++i) {
      bytes.push_back(std::floor(kMeanBytes * (0.5 + uniform(generator))));
      gaps.push_back(-std::log(1.0 - uniform(generator)));
      nodes.push_back(static_cast<std::uint32_t>(generator() % node_count));
    }
  }
  std::size_t draw() { return next++ & (kDraws - 1); }
};

FluidTreeSpec cluster(std::uint32_t nics) {
  const std::uint32_t leaves = std::min<std::uint32_t>(40, nics);
  FluidTreeSpec spec;
  spec.pool_bytes_per_s = 0.5e9 * nics;
  spec.leaves.resize(leaves);
  for (std::uint32_t i = 0; i < nics; ++i) {
    spec.nodes.push_back({static_cast<std::uint32_t>(std::uint64_t{i} * leaves / nics), 25e9});
  }
  return spec;
}

class Load {
 public:
  Load(std::uint32_t nics, bool open) : spec_(cluster(nics)), tree_(spec_), inputs_(nics), open_(open) {
    gap_ns_ = kMeanBytes / (0.8 * spec_.pool_bytes_per_s) * 1e9;
    if (!open_) {
      for (std::uint32_t i = 0; i < 8 * nics; ++i) start(0);
      tree_.settle(0);
    }
  }

  /// Runs until `pairs` more flows have ended.
  void run(std::uint64_t pairs) {
    for (const std::uint64_t until = ended_ + pairs; ended_ < until;) {
      const TimeNs end = tree_.next_completion();
      if (open_ && arrival_ns_ < static_cast<double>(end)) {
        const auto now = static_cast<TimeNs>(arrival_ns_);
        start(now);
        tree_.settle(now);
        arrival_ns_ += gap_ns_ * inputs_.gaps[inputs_.draw()];
        continue;
      }
      std::uint64_t due = 0;
      tree_.complete(end, [&due](std::uint64_t) { ++due; });
      ended_ += due;
      for (; !open_ && due > 0; --due) start(end);
      tree_.settle(end);
    }
  }

 private:
  void start(TimeNs now) {
    const std::size_t i = inputs_.draw();
    tree_.start(now, inputs_.nodes[i], inputs_.bytes[i], kCap, i);
  }

  FluidTreeSpec spec_;
  FluidTree tree_;
  Inputs inputs_;
  bool open_;
  double gap_ns_ = 0.0;
  double arrival_ns_ = 0.0;
  std::uint64_t ended_ = 0;
};

template <class Run>
double median_ns(Run&& run) {
  std::vector<double> slices;
  for (int i = 0; i < kSlices; ++i) {
    const double begin = seconds_now();
    run(kPairsPerSlice);
    slices.push_back((seconds_now() - begin) * 1e9 / static_cast<double>(kPairsPerSlice));
  }
  std::nth_element(slices.begin(), slices.begin() + kSlices / 2, slices.end());
  return slices[kSlices / 2];
}

double pair_ns(std::uint32_t nics, bool open) {
  Load load(nics, open);
  load.run(std::uint64_t{nics} * 16 + 20'000);
  return median_ns([&load](std::uint64_t pairs) { load.run(pairs); });
}

/// The yardstick: one pop and one push on a binary heap that holds `size` pending ends.
double hold_ns(std::size_t size) {
  using Entry = std::pair<std::int64_t, std::uint64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> heap;
  Inputs inputs(1);
  std::uint64_t sequence = 0;
  for (std::size_t i = 0; i < size; ++i)
    heap.push({static_cast<std::int64_t>(inputs.bytes[inputs.draw()]), sequence++});
  return median_ns([&](std::uint64_t pairs) {
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const Entry first = heap.top();
      heap.pop();
      heap.push({first.first + static_cast<std::int64_t>(inputs.bytes[inputs.draw()]), sequence++});
    }
  });
}

bool print(const std::string& name, double value, const char* unit, double ratio, const std::string& against,
           double bar, bool ok) {
  std::printf(
      "{\"name\": \"%s\", \"value\": %.1f, \"unit\": \"%s\", \"ratio\": %.2f, \"against\": \"%s\", \"bar\": %g, "
      "\"ok\": %s}\n",
      name.c_str(), value, unit, ratio, against.c_str(), bar, ok ? "true" : "false");
  std::fflush(stdout);
  return ok;
}

bool report(const std::string& load, bool open) {
  const double small = pair_ns(10, open);
  const double medium = pair_ns(1'250, open);
  const double large = pair_ns(12'500, open);
  const double hold = hold_ns(8 * 1'250);
  const std::string name = "fluid_pair_" + load;
  const std::string heap = "std::priority_queue hold of the same number of flows";
  bool ok = print(name + "_10", small, "ns", small / hold_ns(8 * 10), heap, 500.0, small <= 500.0);
  ok &= print(name + "_1250", medium, "ns", medium / hold, heap, 500.0, medium <= 500.0);
  ok &= print(name + "_12500_growth", large, "ns", large / medium, name + "_1250", 2.5, large / medium <= 2.5);
  return ok;
}

}  // namespace

int main() {
  const bool open = report("open80", true);
  const bool bound = report("pool_bound", false);
  return open && bound ? 0 : 1;
}
