// Keyed log-normal draws as the engines use them, against the bar of 16 ns and against libm's log-normal (the
// exponential of a normal by Box and Muller) on the same generator. Rounds of all candidates are interleaved and the
// median taken, so that a noisy neighbour hits them alike.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include "sim/binomial.hpp"
#include "sim/distribution.hpp"
#include "sim/feistel_permutation.hpp"
#include "sim/iid_sum.hpp"
#include "sim/random_stream.hpp"
#include "sim/time.hpp"

namespace {

using namespace headrace::sim;

constexpr int kRounds = 41;
constexpr std::uint32_t kDraws = 64 * 128;  // a round fits into a time slice of the scheduler
constexpr StreamKey kKey{17, 0, Purpose{1}, 0};
double sink = 0.0;

/// Draws over entities in blocks, as a model does for the workers of one batch.
void draw_blocks(const Distribution& law, std::size_t block_size) {
  std::array<double, 64> block{};
  const std::span<double> values(block.data(), block_size);
  for (std::uint32_t first = 0; first < kDraws; first += static_cast<std::uint32_t>(block_size)) {
    uniforms_over_entities(kKey, first, 3, values);
    law.quantiles(values, values);
    sink += values[0] + values[block_size - 1];
  }
}

/// The max-plus recursion of one worker pool: F[i] = max(F[i - N], S[i - K]) + X[i] with a draw per batch and node.
void max_plus(const Distribution& law) {
  constexpr std::size_t kNodes = 64;
  std::array<double, kNodes> uniform_block{};
  std::array<std::int64_t, kNodes> finish{};
  std::int64_t step = 0;
  for (std::uint32_t batch = 0; batch < kDraws / kNodes; ++batch) {
    uniforms_over_entities(kKey, 0, batch, uniform_block);
    law.quantiles(uniform_block, uniform_block);
    std::int64_t latest = 0;
    for (std::size_t node = 0; node < kNodes; ++node) {
      const auto service = duration_ns(uniform_block[node]);
      finish[node] = std::max(finish[node], step - 5'000'000) + service;
      latest = std::max(latest, finish[node]);
    }
    step = std::max(step + 1'000'000, latest);
  }
  sink += static_cast<double>(step);
}

void libm_lognormal() {
  for (std::uint32_t i = 0; i < kDraws; i += 2) {
    const UniformPair u = uniform_pair({kKey.seed, 0, kKey.purpose, i}, 3);
    const double radius = std::sqrt(-2.0 * std::log(u.first));
    const double angle = 6.283185307179586 * u.second;
    sink += std::exp(0.6 * radius * std::cos(angle)) + std::exp(0.6 * radius * std::sin(angle));
  }
}

void single_draws(const Distribution& law) {
  for (std::uint32_t i = 0; i < kDraws; ++i) sink += law.quantile(uniform({kKey.seed, 0, kKey.purpose, i}, 3));
}

void binomials() {
  for (std::uint32_t i = 0; i < kDraws; ++i) sink += binomial_quantile(256, 0.05, uniform(kKey, i));
}

void sums(const IidSum& sum) {
  for (std::uint32_t i = 0; i < kDraws; ++i) sink += sum.quantile(uniform(kKey, i));
}

void permuted(const FeistelPermutation& permutation) {
  for (std::uint64_t i = 0; i < kDraws; ++i) sink += static_cast<double>(permutation(i));
}

template <class Work>
double ns_per_draw(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kDraws;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

int main() {
  const Distribution law = Distribution::lognormal(0.01, 0.5);
  const IidSum sum(law, 32);
  const FeistelPermutation permutation(3, 4'500'000'000ull);
  struct Figure {
    const char* name;
    double bar_ns;  ///< 0: no bar
    std::vector<double> ns;
  };
  std::array<Figure, 8> figures = {{{"draws.lognormal_libm", 0.0, {}},
                                    {"draws.lognormal_block_64", 16.0, {}},
                                    {"draws.lognormal_block_16", 16.0, {}},
                                    {"draws.lognormal_single", 0.0, {}},
                                    {"draws.max_plus_64_nodes", 16.0, {}},
                                    {"draws.binomial_256", 200.0, {}},
                                    {"draws.sum_of_32", 0.0, {}},
                                    {"draws.permutation", 0.0, {}}}};
  for (int round = 0; round < kRounds; ++round) {
    figures[0].ns.push_back(ns_per_draw(libm_lognormal));
    figures[1].ns.push_back(ns_per_draw([&] { draw_blocks(law, 64); }));
    figures[2].ns.push_back(ns_per_draw([&] { draw_blocks(law, 16); }));
    figures[3].ns.push_back(ns_per_draw([&] { single_draws(law); }));
    figures[4].ns.push_back(ns_per_draw([&] { max_plus(law); }));
    figures[5].ns.push_back(ns_per_draw(binomials));
    figures[6].ns.push_back(ns_per_draw([&] { sums(sum); }));
    figures[7].ns.push_back(ns_per_draw([&] { permuted(permutation); }));
  }
  const double yardstick = median(figures[0].ns);
  bool all_ok = true;
  for (const Figure& figure : figures) {
    const double value = median(figure.ns);
    const bool ok = figure.bar_ns == 0.0 || value <= figure.bar_ns;
    all_ok = all_ok && ok;
    std::printf("{\"name\":\"%s\",\"value\":%.2f,\"unit\":\"ns\",\"ratio\":%.3f,\"against\":\"draws.lognormal_libm\",",
                figure.name, value, value / yardstick);
    if (figure.bar_ns == 0.0) {
      std::printf("\"bar\":null,\"ok\":true}\n");
    } else {
      std::printf("\"bar\":%.1f,\"ok\":%s}\n", figure.bar_ns, ok ? "true" : "false");
    }
  }
  return all_ok && sink > 0.0 ? 0 : 1;
}
