#include "models/engine/production_draws.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace headrace::models {
namespace {

constexpr std::size_t kBlock = 512;        // 4 KiB of doubles: stays in the first-level cache
constexpr std::uint32_t kFewLoaders = 32;  // from here on a row is a good block by itself

}  // namespace

ProductionDraws::ProductionDraws(ProductionLaw law, sim::StreamKey key, std::uint32_t loaders)
    : law_(std::move(law)), key_(key), loaders_(loaders), constant_(law_.random_s.is_constant()), draws_(kBlock) {
  if (loaders == 0) throw std::invalid_argument("a job has a loader");
  const std::size_t rows = loaders < kFewLoaders ? kBlock / loaders : 1;
  times_.resize(rows * loaders);
}

void ProductionDraws::fill(std::uint64_t batch) {
  first_batch_ = batch;
  if (constant_) {
    fill_constant();
  } else if (!fill_from_drawn(batch)) {
    loaders_ < kFewLoaders ? fill_over_batches(batch) : fill_over_loaders(batch);
  }
  add_extra(constant_ ? 1 : rows_held_);
}

void ProductionDraws::fill_constant() {
  first_batch_ = 0;
  rows_held_ = std::numeric_limits<std::uint64_t>::max();
  std::fill_n(times_.begin(), loaders_, time_ns(law_.random_s.quantile(0.5)));
}

bool ProductionDraws::fill_from_drawn(std::uint64_t batch) {
  const std::uint64_t rows = law_.drawn_ns != nullptr ? law_.drawn_ns->size() / loaders_ : 0;
  if (batch >= rows) return false;
  rows_held_ = std::min<std::uint64_t>(times_.size() / loaders_, rows - batch);
  const sim::TimeNs* drawn = law_.drawn_ns->data() + batch * loaders_;
  std::transform(drawn, drawn + rows_held_ * loaders_, times_.begin(),
                 [this](sim::TimeNs random_ns) { return random_ns + law_.constant_ns; });
  return true;
}

/// Seconds in place of uniforms.
void ProductionDraws::draw_times(std::span<double> uniforms) const {
  if (law_.table == nullptr) return law_.random_s.quantiles(uniforms, uniforms);
  const sim::QuantileTable& table = *law_.table;
  for (double& value : uniforms) value = table(value);
}

/// Never below zero: a fast node does not finish before it began.
void ProductionDraws::add_extra(std::uint64_t rows) {
  if (law_.extra_ns.empty()) return;
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint32_t loader = 0; loader < loaders_; ++loader) {
      sim::TimeNs& time = times_[row * loaders_ + loader];
      time = std::max<sim::TimeNs>(0, time + law_.extra_ns[loader]);
    }
}

void ProductionDraws::fill_over_batches(std::uint64_t batch) {
  rows_held_ = times_.size() / loaders_;
  const std::span<double> draws(draws_.data(), rows_held_);
  for (std::uint32_t loader = 0; loader < loaders_; ++loader) {
    key_.entity = loader;
    sim::uniforms(key_, batch, draws);
    draw_times(draws);
    for (std::size_t row = 0; row < rows_held_; ++row) times_[row * loaders_ + loader] = time_ns(draws[row]);
  }
}

void ProductionDraws::fill_over_loaders(std::uint64_t batch) {
  rows_held_ = 1;
  for (std::uint32_t first = 0; first < loaders_; first += kBlock) {
    const std::size_t count = std::min<std::size_t>(kBlock, loaders_ - first);
    const std::span<double> draws(draws_.data(), count);
    sim::uniforms_over_entities(key_, first, batch, draws);
    draw_times(draws);
    for (std::size_t i = 0; i < count; ++i) times_[first + i] = time_ns(draws[i]);
  }
}

sim::TimeNs ProductionDraws::single(const ProductionLaw& law, sim::StreamKey key, std::uint32_t loader,
                                    std::uint64_t batch) {
  key.entity = loader;
  const double u = sim::uniform(key, batch);
  const double random_s = law.table != nullptr ? (*law.table)(u) : law.random_s.quantile(u);
  const sim::TimeNs extra_ns = law.extra_ns.empty() ? 0 : law.extra_ns[loader];
  return std::max<sim::TimeNs>(0, sim::duration_ns(random_s) + law.constant_ns + extra_ns);
}

}  // namespace headrace::models
