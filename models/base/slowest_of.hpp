// The slowest of n that take independent times of one law: what a barrier waits for.
//
// Source: H. A. David, H. N. Nagaraja, Order Statistics, 2003, eq. 2.1.1: with n, the quantile p of the largest is that
// of p^(1/n) of one.
#pragma once

#include "sim/distribution.hpp"

namespace headrace::models {

/// ceil(log2 n): levels of a tree, rounds of a barrier.
double doublings(double count);

/// Quantile p of the slowest of `count`.
double slowest_quantile(const sim::Distribution& law, double count, double p);

/// E[max of n] by the trapezoidal rule over the Gumbel variable of the maximum; relative error below 1e-5 for
/// log-normal laws with cv up to 3 and for exponential ones, below 4e-3 for laws with jumps.
double mean_of_slowest(const sim::Distribution& law, double count);

/// E[max of n] / E[X] of log-normal X with this coefficient of variation.
double slowest_over_mean(double count, double cv);

}  // namespace headrace::models
