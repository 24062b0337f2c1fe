// Production times of batches, keyed by (loader, batch): the same bits in the max-plus recursion, which wants a row of
// all loaders per batch, and in an event-driven run, which wants one at a time. Drawn in blocks, over loaders where
// there are many and over batches where there are few.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/distribution.hpp"
#include "sim/random_stream.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// Time that a worker spends on one batch: a random part and a constant one, each rounded on its own to nanoseconds, so
/// that an engine that executes them as two stages gets the same sum; and what its node adds or saves.
struct ProductionLaw {
  sim::Distribution random_s;
  sim::TimeNs constant_ns = 0;
  std::vector<sim::TimeNs> extra_ns = {};  ///< per loader, added to each of its batches; empty: none
  /// The random part as a smooth table, where speed counts for more than exact bits of the law; nullptr: the law
  /// itself.
  std::shared_ptr<const sim::QuantileTable> table = nullptr;
  /// Random parts of the first batches of all loaders, batch by batch, where they are drawn already (drawn_parts.hpp).
  std::shared_ptr<const std::vector<sim::TimeNs>> drawn_ns = nullptr;
};

class ProductionDraws {
 public:
  /// The entity of `key` is replaced by the loader's number. @throws std::invalid_argument for no loader
  ProductionDraws(ProductionLaw law, sim::StreamKey key, std::uint32_t loaders);

  /// Times of batch `batch` of loaders 0 to loaders-1; valid until the next call. Cheapest in rising order of batches.
  std::span<const sim::TimeNs> row(std::uint64_t batch) {
    if (batch - first_batch_ >= rows_held_) fill(batch);
    return {times_.data() + (constant_ ? 0 : (batch - first_batch_) * loaders_), loaders_};
  }

  /// The same number for one loader, without the block.
  static sim::TimeNs single(const ProductionLaw& law, sim::StreamKey key, std::uint32_t loader, std::uint64_t batch);

 private:
  void fill(std::uint64_t batch);
  void fill_constant();
  bool fill_from_drawn(std::uint64_t batch);
  void fill_over_batches(std::uint64_t batch);
  void fill_over_loaders(std::uint64_t batch);
  sim::TimeNs time_ns(double random_s) const { return sim::duration_ns(random_s) + law_.constant_ns; }
  void add_extra(std::uint64_t rows);
  void draw_times(std::span<double> uniforms) const;

  ProductionLaw law_;
  sim::StreamKey key_;
  std::uint32_t loaders_;
  bool constant_;  ///< one row is the row of every batch
  std::uint64_t first_batch_ = 0;
  std::uint64_t rows_held_ = 0;
  std::vector<double> draws_;
  std::vector<sim::TimeNs> times_;
};

}  // namespace headrace::models
