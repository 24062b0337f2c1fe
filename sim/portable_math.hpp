// Elementary and special functions with the same bits on every compiler, flag set and IEEE-754 machine. They use only
// + - * / and sqrt of doubles, comparisons and integers, in a fixed order; libm's exp, log, pow and sin differ between
// versions and with fused multiply-add, so nothing of libm but sqrt may enter a simulated path. The names carry a `p`
// (portable) so that a forgotten namespace cannot find libm's function instead. Build with -ffp-contract=off.
#pragma once

#include <cstdint>
#include <limits>

namespace headrace::sim {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Neither infinite nor NaN.
constexpr bool is_finite(double x) { return x - x == 0.0; }

/// e^x, within 1 ulp (subnormal results included); +infinity above 709.78, 0 below -745.13, NaN for NaN.
double pexp(double x);

/// Natural logarithm, within 1 ulp; -infinity at 0, NaN below 0.
double plog(double x);

/// log(1 + x), within 3 ulp; -infinity at -1, NaN below.
double plog1p(double x);

/// e^x - 1, within 4 ulp.
double pexpm1(double x);

/// x^y for x >= 0, within 2 ulp; NaN for every x < 0 (also for integer y: no caller needs it). 0^0 = 1.
double ppow(double x, double y);

struct SinCos {
  double sin;
  double cos;
};
/// Sine and cosine of 2 pi u, within 2 ulp of the larger, for |u| < 2^50. Multiples of 1/4 give exact 0 and +-1.
SinCos psincos_2pi(double u);

/// Inverse of the standard normal distribution function, absolute error below 1e-14. Defined on (0, 1): -infinity at 0,
/// +infinity at 1, NaN outside. u and 1 - u give exactly opposite values where 1 - u is exact. Neighbouring u may fall
/// by 2 ulp; where strict monotony matters, use the tabulated normal of sim/distribution.hpp.
/// Source: Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988).
double normal_quantile(double u);

/// Standard normal distribution function, relative error below 1e-12 for z > -37; for tables and tests (about 1 us).
double normal_cdf(double z);

/// log Gamma(a) for a > 0: relative error 3e-14 (absolute 3e-14 near its zeros 1 and 2); NaN for a <= 0.
double plgamma(double a);

struct GammaTails {
  double lower;  ///< P(a, x)
  double upper;  ///< Q(a, x) = 1 - P(a, x)
};
/// Regularised incomplete gamma functions for a > 0, x >= 0: the smaller tail to a relative 1e-12 for a up to 1e4, for
/// building tables. `log_gamma_a` = plgamma(a). Source: DLMF 8.7.1 (series) and 8.9.2 (continued fraction, by Lentz).
GammaTails incomplete_gamma(double a, double log_gamma_a, double x);

}  // namespace headrace::sim
