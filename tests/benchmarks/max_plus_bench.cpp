// Cost of one batch draw through the in-order max-plus recursion: draw, rounding, recursion and barrier.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "models/engine/max_plus.hpp"

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double ns_per_draw(std::uint32_t loaders, std::uint64_t draws) {
  using namespace headrace;
  const models::LoaderShape shape{.loaders = loaders, .workers = 8, .outstanding = 16, .compute_ns = 1'000'000'000};
  const models::ProductionLaw law{sim::Distribution::lognormal(6.8, 0.3), 0};
  models::MaxPlusInOrder engine(shape, law, {.seed = 1, .replication = 0, .purpose = sim::Purpose{1}, .entity = 0});
  const std::uint64_t steps = draws / loaders;
  for (std::uint64_t i = 0; i < steps / 10 + 1; ++i) engine.advance();
  double best = 1e300;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const double start = seconds_now();
    for (std::uint64_t i = 0; i < steps; ++i) engine.advance();
    best = std::min(best, (seconds_now() - start) / static_cast<double>(steps * loaders));
  }
  return best * 1e9;
}

}  // namespace

int main() {
  constexpr double kBarNs = 16.0;
  for (const std::uint32_t loaders : {1U, 1250U, 10'000U}) {
    const double ns = ns_per_draw(loaders, 4'000'000);
    fmt::print(
        R"({{"name":"max_plus_draw_{}_loaders","value":{:.2f},"unit":"ns","ratio":{:.3f},"against":"bar","bar":{:.0f},"ok":{}}})"
        "\n",
        loaders, ns, ns / kBarNs, kBarNs, ns <= kBarNs);
  }
}
