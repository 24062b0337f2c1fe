// Small simulations of what has no closed form or whose closed form the reference wants checked by one.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/distribution.hpp"
#include "sim/random_stream.hpp"
#include "tests/validation/cases/simulated.hpp"

namespace headrace::cases {
namespace {

constexpr std::uint64_t kSmallSeed = 20240602;
constexpr int kLeastReplications = 16;

/// Successive draws of one stream.
class Draws {
 public:
  explicit Draws(std::uint32_t replication)
      : key_{.seed = kSmallSeed, .replication = replication, .purpose = sim::Purpose{2}, .entity = 0} {}
  double uniform() { return sim::uniform(key_, index_++); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }

 private:
  sim::StreamKey key_;
  std::uint64_t index_ = 0;
};

/// Mean over replications of `once(replication)` until its half-width is at most half the reference's, after `enough`
/// replications at most 1.5 times it.
template <class Once>
void replicate(Prediction& prediction, const char* key, double reference_half_width, int enough, int most,
               const Once& once) {
  double sum = 0.0;
  double squares = 0.0;
  double half_width = 0.0;
  int n = 0;
  while (n < most) {
    const double x = once(static_cast<std::uint32_t>(n++));
    sum += x;
    squares += x * x;
    if (n < kLeastReplications) continue;
    half_width = 2.13 * std::sqrt(std::max(0.0, squares - sum * sum / n) / (n - 1) / n);  // t of at least 15 degrees
    if (half_width <= (n < enough ? 0.5 : 1.5) * reference_half_width) break;
  }
  prediction.values[key] = sum / n;
  prediction.half_width[key] = half_width;
}

double fifo_hit_ratio(std::size_t items, std::size_t capacity, std::size_t nodes, int epochs, Draws& draws) {
  std::vector<std::uint32_t> order(items);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint32_t> ring(capacity);
  std::vector<char> present(items, 0);
  std::size_t filled = 0;
  std::size_t oldest = 0;
  std::uint64_t hits = 0;
  const int warm_up = nodes > 1 ? 5 + 6 * static_cast<int>(nodes) : 5;
  const std::size_t reads = items / nodes;
  for (int epoch = 0; epoch < warm_up + epochs; ++epoch) {
    for (std::size_t i = 0; i < reads; ++i) {
      std::swap(order[i], order[i + draws.below(items - i)]);
      const std::uint32_t item = order[i];
      if (present[item]) {
        hits += epoch >= warm_up;
        continue;
      }
      if (filled < capacity) {
        ring[filled++] = item;
      } else {
        present[ring[oldest]] = 0;
        ring[oldest] = item;
        oldest = oldest + 1 == capacity ? 0 : oldest + 1;
      }
      present[item] = 1;
    }
  }
  return static_cast<double>(hits) / (static_cast<double>(epochs) * static_cast<double>(reads));
}

/// Share of useful work in the time that a job takes; a failure loses what was not written, a restart may fail too.
double checkpointed_efficiency(double work, double interval, double write, double restart,
                               const sim::Distribution& life, Draws& draws) {
  double elapsed = 0.0;
  double next_failure = life.quantile(draws.uniform());
  const auto survives = [&](double duration) {
    if (elapsed + duration <= next_failure) {
      elapsed += duration;
      return true;
    }
    elapsed = next_failure;
    next_failure = elapsed + life.quantile(draws.uniform());
    return false;
  };
  for (double done = 0.0; done < work;) {
    const double piece = std::min(interval, work - done);
    if (survives(piece + write)) {
      done += piece;
      continue;
    }
    while (!survives(restart)) {
    }
  }
  return work / elapsed;
}

}  // namespace

std::optional<Prediction> simulate_fifo_cache(const ReferenceCase& c) {
  if (!c.has("c")) return std::nullopt;
  const auto items = static_cast<std::size_t>(c.number("simN", 100000.0));
  const auto capacity = static_cast<std::size_t>(std::llround(c.number("c") * static_cast<double>(items)));
  const auto nodes = static_cast<std::size_t>(c.number("n", 1.0));
  if (capacity == 0 || nodes == 0) return std::nullopt;
  Prediction prediction;
  replicate(prediction, "hit", c.half_width_of("hit"), 24, 200, [&](std::uint32_t replication) {
    Draws draws(replication);
    return fifo_hit_ratio(items, capacity, nodes, 6, draws);
  });
  prediction.values["sim"] = prediction.values["hit"];
  prediction.half_width["sim"] = prediction.half_width["hit"];
  return prediction;
}

std::optional<Prediction> simulate_checkpoints(const ReferenceCase& c) {
  const auto life = sim::Distribution::exponential(c.number("M"));
  Prediction prediction;
  replicate(prediction, "eff", c.half_width_of("eff"), 2000, 4000, [&](std::uint32_t replication) {
    Draws draws(replication);
    return checkpointed_efficiency(c.number("work"), c.number("tau"), c.number("C"), c.number("R", 0.0), life, draws);
  });
  return prediction;
}

std::optional<Prediction> simulate_hot_spots(const ReferenceCase& c) {
  const auto requests = static_cast<std::size_t>(c.number("n"));
  const auto targets = static_cast<std::size_t>(c.number("m"));
  if (requests == 0 || targets == 0) return std::nullopt;
  std::vector<int> load(targets);
  Prediction prediction;
  replicate(prediction, "sim", c.half_width_of("sim"), 20'000, 100'000, [&](std::uint32_t replication) {
    Draws draws(replication);
    std::fill(load.begin(), load.end(), 0);
    int fullest = 0;
    for (std::size_t i = 0; i < requests; ++i) fullest = std::max(fullest, ++load[draws.below(targets)]);
    return static_cast<double>(fullest);
  });
  prediction.values["mean_load"] = c.number("n") / c.number("m");
  return prediction;
}

}  // namespace headrace::cases
