// Limits, which are std::nullopt where there is none.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>

#include "sim/fluid_tree.hpp"

namespace headrace::models {

/// The rate of what no limit holds back.
inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// The limit behind a figure of which 0 says that there is none.
inline std::optional<double> stated_limit(double figure) {
  return figure != 0.0 ? std::optional(figure) : std::nullopt;
}

/// As files write it.
inline double as_written(std::optional<double> limit) { return limit.value_or(0.0); }

/// The least of the limits that there are.
inline std::optional<double> tightest(std::initializer_list<std::optional<double>> limits) {
  std::optional<double> least;
  for (const std::optional<double>& limit : limits)
    if (limit && (!least || *limit < *least)) least = limit;
  return least;
}

inline bool exceeds(double figure, std::optional<double> limit) { return limit && figure > *limit; }

/// A figure that a limit holds back.
inline double capped(double figure, std::optional<double> limit) { return limit ? std::min(figure, *limit) : figure; }

/// The limit of something that has `factor` times as much.
inline std::optional<double> times(std::optional<double> limit, double factor) {
  return limit ? std::optional(*limit * factor) : std::nullopt;
}

/// The limit of one of `parts` equal parts.
inline std::optional<double> divided(std::optional<double> limit, double parts) {
  return limit ? std::optional(*limit / parts) : std::nullopt;
}

/// Time that an amount takes at a rate; none without a limit.
inline double time_at(double amount, std::optional<double> rate) { return rate ? amount / *rate : 0.0; }

/// For arithmetic.
inline double or_no_limit(std::optional<double> limit) { return limit.value_or(kNoLimit); }

/// As a fluid network wants it.
inline double or_unlimited(std::optional<double> bytes_per_s) { return bytes_per_s.value_or(sim::kUnlimitedBytesPerS); }

}  // namespace headrace::models
