#include "scenarios/requirements/store_axis.hpp"

#include "models/describe/to_distribution.hpp"

namespace headrace::scenarios {

using models::DistributionSpec;
using models::Store;

namespace {

constexpr double kAmpleBytesPerS = 1e15;
constexpr double kAmplePerS = 1e9;
constexpr double kShortestS = 1e-9;
constexpr double kTail = 0.99;
constexpr double kAssumedCv = 1.0;

}  // namespace

const std::array<AxisTraits, kStoreAxes> kAxisTraits{{
    {StoreAxis::read, "read_bytes_per_s", "read bandwidth", "B/s", false},
    {StoreAxis::write, "write_bytes_per_s", "write bandwidth", "B/s", false},
    {StoreAxis::connection, "connection_bytes_per_s", "one connection", "B/s", false},
    {StoreAxis::requests, "read_requests_per_s", "read requests", "1/s", false},
    {StoreAxis::metadata, "metadata_operations_per_s", "metadata operations", "1/s", false},
    {StoreAxis::latency, "latency_p99_s", "latency, 99th percentile", "s", true},
}};

const AxisTraits& traits_of(StoreAxis axis) { return kAxisTraits[static_cast<std::size_t>(axis)]; }

TailShape tail_shape(const Store& store) {
  const bool varies = store.latency_s.family != models::Family::constant && mean_of(store.latency_s) > 0.0;
  const DistributionSpec law = varies ? store.latency_s : DistributionSpec::lognormal(1.0, kAssumedCv);
  return {scaled(law, 1.0 / models::to_distribution(law).quantile(kTail)), !varies};
}

Store ample(const Store& store) {
  Store all = store;
  all.bandwidth_bytes_per_s = kAmpleBytesPerS;
  all.write_bandwidth_bytes_per_s = kAmpleBytesPerS;
  all.write_cache.reset();
  all.front_end_bytes_per_s.reset();
  all.stream_bytes_per_s.reset();
  all.latency_s = DistributionSpec::constant(0.0);
  all.requests_per_s = kAmplePerS;
  all.capacity_bytes = 0.0;
  all.metadata = {DistributionSpec::constant(1.0 / kAmplePerS), 1};
  all.limit.requests_per_s_per_prefix.reset();
  all.drives.reset();
  all.redundancy.reset();
  all.cache.reset();
  all.schedule.reset();
  return all;
}

void set_axis(Store& store, StoreAxis axis, double figure, const TailShape& shape) {
  switch (axis) {
    case StoreAxis::read:
      store.bandwidth_bytes_per_s = figure;
      return;
    case StoreAxis::write:
      store.write_bandwidth_bytes_per_s = figure;
      return;
    case StoreAxis::connection:
      store.stream_bytes_per_s = figure;
      return;
    case StoreAxis::requests:
      store.requests_per_s = figure;
      return;
    case StoreAxis::metadata:
      store.metadata = {DistributionSpec::constant(1.0 / figure), 1};
      return;
    case StoreAxis::latency:
      store.latency_s = scaled(shape.law, figure);
      return;
  }
}

double strength_of(StoreAxis axis, double figure) { return traits_of(axis).less_is_better ? 1.0 / figure : figure; }

double figure_of(StoreAxis axis, double strength) { return strength_of(axis, strength); }

double ample_strength(StoreAxis axis) {
  switch (axis) {
    case StoreAxis::requests:
    case StoreAxis::metadata:
      return kAmplePerS;
    case StoreAxis::latency:
      return 1.0 / kShortestS;
    default:
      return kAmpleBytesPerS;
  }
}

double power_together(StoreAxis axis) {
  return axis == StoreAxis::latency || axis == StoreAxis::connection ? 4.0 : 1.0;
}

}  // namespace headrace::scenarios
