// Confidence interval for the mean of one long run, whose observations are correlated and skewed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "sim/interval.hpp"

namespace headrace::sim {

/// Mean of a stationary series and how sure it is. Without enough data there is no interval and `reason` says why; such
/// a result must never pass a threshold.
struct SteadyStateResult {
  double mean = 0.0;                 ///< Of the whole series.
  std::optional<Interval> interval;  ///< Absent without enough data, or rough (TooShort).
  std::size_t batches = 0;           ///< Final batches behind the interval.
  std::size_t batch_size = 0;        ///< Observations per final batch.
  std::size_t spacer = 0;            ///< Batches left out between those that passed the randomness test.
  double lag1 = 0.0;                 ///< Lag-1 autocorrelation of the final batch means.
  double skewness = 0.0;             ///< Of the final batch means.
  std::string_view reason;           ///< Static text; empty if there is an interval that holds.

  bool enough_data() const { return reason.empty(); }
};

/// What a series that is too short for an interval has: none, or a rough one, of sixteen long batches and their AR(1)
/// factor, whatever von Neumann's test says of them. Rough is for a search, which must weigh points by some error.
enum class TooShort : bool { none, rough };

/// Interval after Skart (Tafazzoli, Wilson, Lada and Steiger 2011) for a series whose warm-up has been cut off. Batch
/// and spacer grow until von Neumann's test at level 0.1 against alike neighbours (1941) passes on at least 256 spaced
/// batch means; then the series is cut into fewer, longer batches, at least 64, whose Student-t interval is widened by
/// the AR(1) factor (1 + r) / (1 - r) of their lag-1 autocorrelation r and bent for their skewness (Willink 2005).
///
/// Deviations from Skart: the whole series is used and its warm-up is found elsewhere; the test is one-sided and r is
/// not taken below 0, since unlike neighbours only make the interval too wide; the final batches must pass the test at
/// 0.01. A series that is constant up to rounding has an interval of zero length from 256 observations on.
SteadyStateResult steady_state_interval(std::span<const double> series, double confidence = 0.95,
                                        TooShort too_short = TooShort::none);

/// The same for the ratio sum(numerator) / sum(denominator), as a share of time: the interval of the series
/// numerator - R denominator divided by the mean of the denominator (delta method). The spans must be equally long.
SteadyStateResult ratio_interval(std::span<const double> numerator, std::span<const double> denominator,
                                 double confidence = 0.95, TooShort too_short = TooShort::none);

/// Willink's (2005) modified Cornish-Fisher function, applied to the t quantiles of a mean: (cbrt(1 + 6 b (t - b)) - 1)
/// / (2 b) with b = skewness / (6 sqrt(n)).
double skewness_adjusted(double t, double skewness, std::size_t n);

}  // namespace headrace::sim
