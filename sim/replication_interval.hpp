// Confidence intervals from independent replications, and from pairs of them under common random numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "sim/interval.hpp"

namespace headrace::sim {

struct ReplicationResult {
  double mean = 0.0;
  std::optional<Interval> interval;  ///< Absent without enough data.
  std::size_t replications = 0;
  double standard_error = 0.0;
  std::string_view reason;  ///< Static text; empty if there is an interval.

  bool enough_data() const { return interval.has_value(); }
};

/// Student-t interval of the mean of independent values, one per replication; absent below `minimum` (at least 2).
ReplicationResult replication_interval(std::span<const double> values, double confidence = 0.95,
                                       std::size_t minimum = 5);

/// The same for the mean of after[i] - before[i], where replication i of both used the same random numbers.
ReplicationResult paired_difference_interval(std::span<const double> before, std::span<const double> after,
                                             double confidence = 0.95, std::size_t minimum = 5);

}  // namespace headrace::sim
