#include "models/production_draws.hpp"

#include <algorithm>
#include <stdexcept>

namespace headrace::models {
namespace {

constexpr std::size_t kBlock = 512;        // 4 KiB of doubles: stays in the first-level cache
constexpr std::uint32_t kFewLoaders = 32;  // from here on a row is a good block by itself

}  // namespace

ProductionDraws::ProductionDraws(ProductionLaw law, sim::StreamKey key, std::uint32_t loaders)
    : law_(std::move(law)), key_(key), loaders_(loaders), draws_(kBlock) {
  if (loaders == 0) throw std::invalid_argument("a job has a loader");
  const std::size_t rows = loaders < kFewLoaders ? kBlock / loaders : 1;
  times_.resize(rows * loaders);
}

void ProductionDraws::fill(std::uint64_t batch) {
  first_batch_ = batch;
  if (loaders_ < kFewLoaders) {
    fill_over_batches(batch);
  } else {
    fill_over_loaders(batch);
  }
}

void ProductionDraws::fill_over_batches(std::uint64_t batch) {
  rows_held_ = times_.size() / loaders_;
  const std::span<double> draws(draws_.data(), rows_held_);
  for (std::uint32_t loader = 0; loader < loaders_; ++loader) {
    key_.entity = loader;
    sim::uniforms(key_, batch, draws);
    law_.random_s.quantiles(draws, draws);
    for (std::size_t row = 0; row < rows_held_; ++row) times_[row * loaders_ + loader] = time_ns(draws[row]);
  }
}

void ProductionDraws::fill_over_loaders(std::uint64_t batch) {
  rows_held_ = 1;
  for (std::uint32_t first = 0; first < loaders_; first += kBlock) {
    const std::size_t count = std::min<std::size_t>(kBlock, loaders_ - first);
    const std::span<double> draws(draws_.data(), count);
    sim::uniforms_over_entities(key_, first, batch, draws);
    law_.random_s.quantiles(draws, draws);
    for (std::size_t i = 0; i < count; ++i) times_[first + i] = time_ns(draws[i]);
  }
}

sim::TimeNs ProductionDraws::single(const ProductionLaw& law, sim::StreamKey key, std::uint32_t loader,
                                    std::uint64_t batch) {
  key.entity = loader;
  return sim::duration_ns(law.random_s.quantile(sim::uniform(key, batch))) + law.constant_ns;
}

}  // namespace headrace::models
