// Batch means of a series and the statistics that judge them: building blocks of the warm-up rule and of intervals.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headrace::sim {

/// Means of the last `batch_count` whole batches of `batch_size` values; what does not fill a batch is left out at the
/// beginning. Needs batch_size * batch_count <= series.size().
std::vector<double> batch_means(std::span<const double> series, std::size_t batch_size, std::size_t batch_count);

/// Every (spacer + 1)-th value, from index `spacer` on: values apart by `spacer` others.
std::vector<double> spaced(std::span<const double> values, std::size_t spacer);

double mean_of(std::span<const double> values);

/// Unbiased variance about the mean; 0 for fewer than two values.
double variance_of(std::span<const double> values);

/// Sample skewness k sum (x - m)^3 / ((k - 1)(k - 2) s^3); 0 if all values are equal or there are fewer than three.
double skewness_of(std::span<const double> values);

/// Lag-1 autocorrelation; 0 if all values are equal.
double lag1_autocorrelation(std::span<const double> values);

/// Von Neumann's ratio (1941) in the form of Young (1941): 1 - sum (x_i - x_{i+1})^2 / (2 sum (x_i - m)^2), divided by
/// its standard deviation sqrt((k - 2) / (k^2 - 1)) under independence. Near standard normal; positive if neighbours
/// are alike.
double von_neumann_score(std::span<const double> values);

/// Whether the spread of the values is nothing but rounding: standard deviation within 1e-12 of their size.
bool is_constant(std::span<const double> values);

/// Standard error of the mean of correlated values: that of independent ones times sqrt((1 + r) / (1 - r)), the factor
/// of an AR(1) process with their lag-1 autocorrelation r. Negative r counts as 0 and r above 0.99 as 0.99.
double correlated_standard_error(std::span<const double> values);

/// The same about a straight line through the values instead of their mean, so that a drift is not taken for noise or
/// for correlation. Needs three values.
double standard_error_about_trend(std::span<const double> values);

}  // namespace headrace::sim
