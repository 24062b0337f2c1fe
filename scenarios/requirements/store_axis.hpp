// The figures that a store has to deliver, one by one: each can be set, or taken as ample.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/spec/store.hpp"

namespace headrace::scenarios {

enum class StoreAxis : std::uint8_t { read, write, connection, requests, metadata, latency };
inline constexpr std::size_t kStoreAxes = 6;

struct AxisTraits {
  StoreAxis axis;
  std::string_view key;   ///< in documents
  std::string_view name;  ///< in words
  std::string_view unit;  ///< "B/s", "1/s", "s"
  bool less_is_better;
};
extern const std::array<AxisTraits, kStoreAxes> kAxisTraits;
const AxisTraits& traits_of(StoreAxis axis);

/// How the latency of one request varies: the law of a store whose 99th percentile is 1 s.
struct TailShape {
  models::DistributionSpec law;
  bool assumed = false;  ///< the scenario's store has none, or a constant
};

/// The scenario's own law; a log-normal one with coefficient of variation 1 where it does not vary.
TailShape tail_shape(const models::Store& store);

/// A store of which nothing is a limit: without drives, copies, caches and request limits of its own.
models::Store ample(const models::Store& store);

/// A figure is a rate in bytes or operations per second, or the 99th percentile of the latency in seconds. Metadata
/// operations are served one by one, each in 1 / rate.
void set_axis(models::Store& store, StoreAxis axis, double figure, const TailShape& shape);

/// Larger is better on every axis: the figure itself, or 1 / latency.
double strength_of(StoreAxis axis, double figure);
double figure_of(StoreAxis axis, double strength);

/// More than any job asks for.
double ample_strength(StoreAxis axis);

/// Rates are dear and latency is cheap: where figures have to be better together than each alone, a rate gets better by
/// a factor, latency and the rate of one connection by this power of it.
double power_together(StoreAxis axis);

}  // namespace headrace::scenarios
