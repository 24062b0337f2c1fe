// Polynomials: Chebyshev interpolation of the named function at 60 digits, coefficients rounded to double.
#include "sim/portable_math.hpp"

#include <bit>
#include <cmath>  // std::sqrt only: IEEE-754 rounds it correctly everywhere
#include <limits>

namespace headrace::sim {
namespace {

constexpr double kSmallestNormal = 0x1p-1022;
constexpr double kRoundToInteger = 0x1.8p52;  // adding it rounds to an integer and leaves that in the low mantissa bits
constexpr double kLog2E = 0x1.71547652b82fep+0;
constexpr double kLn2High = 0x1.62e42fef00000p-1;  // 32 bits: its product with an exponent is exact
constexpr double kLn2Low = 0x1.473de6af278edp-34;
constexpr double kLn2 = 0x1.62e42fefa39efp-1;
constexpr std::uint64_t kMantissaMask = 0x000fffffffffffff;
constexpr std::uint64_t kBitsOfOne = 0x3ff0000000000000;
constexpr std::uint64_t kBitsOfSqrtHalf = 0x3fe6a09e667f3bcd;

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
double double_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// An unevaluated sum of two doubles (Dekker 1971).
struct TwoPart {
  double high;
  double low;
};

/// Exact sum, for |a| >= |b|.
TwoPart fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// Exact product by Veltkamp splitting: no fused multiply-add, so that every machine computes the same.
TwoPart two_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double a_scaled = a * kSplit;
  const double a_high = a_scaled - (a_scaled - a);
  const double a_low = a - a_high;
  const double b_scaled = b * kSplit;
  const double b_high = b_scaled - (b_scaled - b);
  const double b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// (e^r - 1 - r) / r^2 on |r| <= ln(2) / 2.
double exp_tail(double r) {
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double p01 = 0x1.0000000000001p-1 + r * 0x1.5555555555556p-3;
  const double p23 = 0x1.5555555553d5ep-5 + r * 0x1.11111111109b2p-7;
  const double p45 = 0x1.6c16c1788dc33p-10 + r * 0x1.a01a01a7c54aep-13;
  const double p67 = 0x1.a019b905bafb1p-16 + r * 0x1.71de0da9d06acp-19;
  const double p89 = 0x1.28918e390a71ep-22 + r * 0x1.af38b4925be09p-26;
  return (p01 + r2 * p23) + r4 * ((p45 + r2 * p67) + r4 * p89);
}

/// e^(x + x_low) with |x_low| at most an ulp of x: x = k ln 2 + r (Cody and Waite 1980), and 2^k in two factors so that
/// overflow and subnormal results round as they should.
double exp_of_two_part(double x, double x_low) {
  if (x != x) return x;
  double clamped = x < -746.0 ? -746.0 : x;
  clamped = clamped > 710.0 ? 710.0 : clamped;
  const double shifted = clamped * kLog2E + kRoundToInteger;
  const double k = shifted - kRoundToInteger;
  const double high = clamped - k * kLn2High;
  const double low = k * kLn2Low - x_low;
  const double r = high - low;
  const double r_error = (high - r) - low;
  const double mantissa = 1.0 + (r + (r * r * exp_tail(r) + r_error));
  const double shifted_half = k * 0.5 + kRoundToInteger;
  const std::uint64_t k1 = bits_of(shifted_half);
  const std::uint64_t k2 = bits_of(shifted) - k1;
  return mantissa * double_of((k1 + 1023) << 52) * double_of((k2 + 1023) << 52);
}

/// x = 2^exponent (1 + fraction) with 1 + fraction in [sqrt(1/2), sqrt(2)); for positive, finite, normal x.
struct Reduced {
  double exponent;
  double fraction;
};
Reduced reduce(double x) {
  const std::uint64_t bits = bits_of(x) + (kBitsOfOne - kBitsOfSqrtHalf);
  return {double_of((bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023.0),
          double_of((bits & kMantissaMask) + kBitsOfSqrtHalf) - 1.0};
}

/// With s = f / (2 + f): log(1 + f) = 2 s + s^3 L(s^2); this is s^2 L(s^2) for z = s^2.
double log_tail(double z) {
  const double z2 = z * z;
  const double z4 = z2 * z2;
  const double p01 = 0x1.5555555555558p-1 + z * 0x1.9999999995273p-2;
  const double p23 = 0x1.2492492dfd86cp-2 + z * 0x1.c71c62d5e53e0p-3;
  const double p45 = 0x1.7462b91b8df65p-3 + z * 0x1.39fdcceb4bb45p-3;
  return z * ((p01 + z2 * p23) + z4 * (p45 + z2 * 0x1.2b5f68a50d903p-3));
}

double log_of_normal(double x) {
  const Reduced reduced = reduce(x);
  const double f = reduced.fraction;
  const double s = f / (2.0 + f);
  const double half_square = 0.5 * f * f;
  const double correction = s * (half_square + log_tail(s * s)) + reduced.exponent * kLn2Low;
  return reduced.exponent * kLn2High - ((half_square - correction) - f);
}

/// log x in about 65 bits for positive, finite, normal x; `shift` is subtracted from the exponent.
TwoPart log_in_two_parts(double x, double shift) {
  const Reduced reduced = reduce(x);
  const double exponent = reduced.exponent - shift;
  const double f = reduced.fraction;
  const double g = 2.0 + f;
  const double g_low = f - (g - 2.0);
  const double s = f / g;
  const TwoPart sg = two_product(s, g);
  const double s_low = (((f - sg.high) - sg.low) - s * g_low) / g;
  TwoPart z = two_product(s, s);
  z.low += 2.0 * s * s_low;
  const double y = z.high;
  const double tail = y * (0x1.999999999999ap-2 +
                           y * (0x1.2492492492491p-2 +
                                y * (0x1.c71c71c71cfe7p-3 +
                                     y * (0x1.745d1745124c7p-3 +
                                          y * (0x1.3b13b1bd0ead0p-3 +
                                               y * (0x1.1110df7e2b9b8p-3 +
                                                    y * (0x1.e1f80a4c22cd4p-4 +
                                                         y * (0x1.ac4927065cf5ap-4 + y * 0x1.b8e0c07ef591ap-4))))))));
  TwoPart series = fast_two_sum(0x1.5555555555555p-1, tail);
  series.low += 0x1.5555555555555p-55;  // 2/3 in two parts
  TwoPart square_term = two_product(y, series.high);
  square_term.low += y * series.low + z.low * series.high;
  TwoPart cube_term = two_product(s, square_term.high);
  cube_term.low += s * square_term.low + s_low * square_term.high;
  TwoPart mantissa = fast_two_sum(2.0 * s, cube_term.high);
  mantissa.low += cube_term.low + 2.0 * s_low;
  if (exponent == 0.0) return fast_two_sum(mantissa.high, mantissa.low);
  const TwoPart head = fast_two_sum(exponent * kLn2High, mantissa.high);
  const TwoPart with_low = fast_two_sum(head.high, exponent * kLn2Low);
  return fast_two_sum(with_low.high, (head.low + mantissa.low) + with_low.low);
}

double pow_special(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y || x < 0.0) return kNaN;
  return (x == 0.0) == (y > 0.0) ? 0.0 : kInfinity;  // x is 0 or infinity
}

double as241_centre(double q) {
  const double r = 0.180625 - q * q;
  const double numerator =
      ((((((2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r + 6.7265770927008700853e4) * r +
          4.5921953931549871457e4) *
             r +
         1.3731693765509461125e4) *
            r +
        1.9715909503065514427e3) *
           r +
       1.3314166789178437745e2) *
          r +
      3.3871328727963666080;
  const double denominator =
      ((((((5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r + 3.9307895800092710610e4) * r +
          2.1213794301586595867e4) *
             r +
         5.3941960214247511077e3) *
            r +
        6.8718700749205790830e2) *
           r +
       4.2313330701600911252e1) *
          r +
      1.0;
  return q * numerator / denominator;
}

double as241_tail(double t) {
  if (t <= 5.0) {
    const double r = t - 1.6;
    const double numerator =
        ((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r + 2.41780725177450611770e-1) * r +
            1.27045825245236838258) *
               r +
           3.64784832476320460504) *
              r +
          5.76949722146069140550) *
             r +
         4.63033784615654529590) *
            r +
        1.42343711074968357734;
    const double denominator =
        ((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r + 1.51986665636164571966e-2) * r +
            1.48103976427480074590e-1) *
               r +
           6.89767334985100004550e-1) *
              r +
          1.67638483018380384940) *
             r +
         2.05319162663775882187) *
            r +
        1.0;
    return numerator / denominator;
  }
  const double r = t - 5.0;
  const double numerator =
      ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.24266094738807843860e-3) * r +
          2.65321895265761230930e-2) *
             r +
         2.96560571828504891230e-1) *
            r +
        1.78482653991729133580) *
           r +
       5.46378491116411436990) *
          r +
      6.65790464350110377720;
  const double denominator =
      ((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r + 1.84631831751005468180e-5) * r +
          7.86869131145613259100e-4) *
             r +
         1.48753612908506148525e-2) *
            r +
        1.36929880922735805310e-1) *
           r +
       5.99832206555887937690e-1) *
          r +
      1.0;
  return numerator / denominator;
}

/// x^a e^-x / Gamma(a), through (a log(x/a) - (x - a)) for large a, where the plain exponent would cancel.
double gamma_front(double a, double log_gamma_a, double x) {
  if (a < 16.0) return pexp(a * plog(x) - x - log_gamma_a);
  const double z = 1.0 / (a * a);  // Stirling's series replaces log Gamma(a), so that its large parts cancel on paper
  const double stirling = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) / a;
  const double relative = (x - a) / a;
  const double exponent = a * (plog1p(relative) - relative);
  return pexp(exponent - stirling) * std::sqrt(a * 0x1.45f306dc9c883p-3);  // sqrt(a / (2 pi))
}

}  // namespace

double pexp(double x) { return exp_of_two_part(x, 0.0); }

double plog(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -kInfinity : kNaN;
  if (x == kInfinity) return x;
  if (x < kSmallestNormal) return log_of_normal(x * 0x1p54) - 54.0 * kLn2;
  return log_of_normal(x);
}

double plog1p(double x) {
  if (!(x > -1.0)) return x == -1.0 ? -kInfinity : kNaN;
  const double sum = 1.0 + x;
  if (sum == 1.0) return x;
  if (sum == kInfinity) return sum;
  const double lost = x > 1.0 ? 1.0 - (sum - x) : x - (sum - 1.0);
  return plog(sum) + lost / sum;
}

double pexpm1(double x) {
  if (x > 0.34 || x < -0.34 || x != x) return pexp(x) - 1.0;
  return x + x * x * exp_tail(x);
}

double ppow(double x, double y) {
  const bool special = y == 0.0 || x == 1.0 || !(x > 0.0) || x == kInfinity || y != y;
  if (special) return pow_special(x, y);
  double exponent = y > 1e300 ? 1e300 : y;
  exponent = exponent < -1e300 ? -1e300 : exponent;
  const bool subnormal = x < kSmallestNormal;
  const TwoPart log_x = log_in_two_parts(subnormal ? x * 0x1p54 : x, subnormal ? 54.0 : 0.0);
  const double product = exponent * log_x.high;
  if (!(product < 800.0)) return kInfinity;
  if (!(product > -800.0)) return 0.0;
  if (exponent > 1e290 || exponent < -1e290) return pexp(product);  // the exact product would overflow
  TwoPart exact = two_product(exponent, log_x.high);
  exact.low += exponent * log_x.low;
  return exp_of_two_part(exact.high, exact.low);
}

SinCos psincos_2pi(double u) {
  const double shifted = u * 4.0 + kRoundToInteger;  // u = quarter / 4 + r exactly, |r| <= 1/8
  const double r = u - (shifted - kRoundToInteger) * 0.25;
  const std::uint64_t quarter = bits_of(shifted);
  const double z = r * r;
  const double sin_tail =
      -0x1.4abbce625be53p+5 +
      z * (0x1.466bc6775aae1p+6 +
           z * (-0x1.32d2cce62b872p+6 +
                z * (0x1.50783486fab1cp+5 +
                     z * (-0x1.e3074d25df4e9p+3 + z * (0x1.e8f036889ff68p+1 + z * -0x1.6cc564dff8a7ap-1)))));
  const double cos_tail =
      0x1.03c1f081b5ac4p+6 +
      z * (-0x1.55d3c7e3cbd74p+6 +
           z * (0x1.e1f5068830144p+5 +
                z * (-0x1.a6d1f0ab527ebp+4 + z * (0x1.f9cfc045b083cp+2 + z * -0x1.b3832af2a4f71p+0))));
  const double sin_r = r * 0x1.921fb54442d18p+2 + r * (z * sin_tail + 0x1.1a62633145c07p-52);
  const double half_square = z * 0x1.3bd3cc9be45dep+4;  // 2 pi^2 r^2
  const double head = 1.0 - half_square;
  const double cos_r = head + (((1.0 - head) - half_square) + z * (z * cos_tail));
  const bool odd = (quarter & 1) != 0;
  const std::uint64_t sin_sign = (quarter & 2) << 62;
  const std::uint64_t cos_sign = ((quarter + 1) & 2) << 62;
  return {double_of(bits_of(odd ? cos_r : sin_r) ^ sin_sign), double_of(bits_of(odd ? sin_r : cos_r) ^ cos_sign)};
}

double normal_quantile(double u) {
  const double q = u - 0.5;
  if (q >= -0.425 && q <= 0.425) return as241_centre(q);
  if (!(u > 0.0)) return u == 0.0 ? -kInfinity : kNaN;
  if (!(u < 1.0)) return u == 1.0 ? kInfinity : kNaN;
  const double z = as241_tail(std::sqrt(-plog(q < 0.0 ? u : 1.0 - u)));
  return q < 0.0 ? -z : z;
}

double normal_cdf(double z) {
  if (z != z) return z;
  constexpr double kLogSqrtPi = 0.57236494292470008707;
  const GammaTails tails = incomplete_gamma(0.5, kLogSqrtPi, 0.5 * z * z);
  return z < 0.0 ? 0.5 * tails.upper : 0.5 + 0.5 * tails.lower;
}

double plgamma(double a) {
  if (!(a > 0.0)) return kNaN;
  if (a == 1.0 || a == 2.0) return 0.0;
  double product = 1.0;
  while (a < 16.0) {
    product *= a;
    a += 1.0;
  }
  const double z = 1.0 / (a * a);
  const double stirling = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) / a;
  return (a - 0.5) * plog(a) - a + 0.91893853320467274178 + stirling - plog(product);
}

GammaTails incomplete_gamma(double a, double log_gamma_a, double x) {
  if (!(x > 0.0)) return {0.0, 1.0};
  if (x > 1e300) return {1.0, 0.0};
  const double front = gamma_front(a, log_gamma_a, x);
  if (x < a + 1.0) {
    double term = 1.0 / a;
    double sum = term;
    for (double n = 1.0; term > sum * 1e-17; n += 1.0) {
      term *= x / (a + n);
      sum += term;
    }
    const double lower = front * sum;
    return {lower, 1.0 - lower};
  }
  double b = x + 1.0 - a;
  double c = 1e300;
  double d = 1.0 / b;
  double fraction = d;
  for (double i = 1.0; i < 100000.0; i += 1.0) {
    const double numerator = -i * (i - a);
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    const double step = c * d;
    fraction *= step;
    if (step - 1.0 < 1e-16 && 1.0 - step < 1e-16) break;
  }
  const double upper = front * fraction;
  return {1.0 - upper, upper};
}

}  // namespace headrace::sim
