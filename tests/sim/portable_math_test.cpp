#include "sim/portable_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

/// Distance from the exact value (long double has 11 more bits on x86; elsewhere the references round too) in units of
/// the exact value's last place.
double ulps(double found, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (found == rounded) return 0.0;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  const long double unit = std::max(std::ldexp(1.0L, exponent - 53), std::ldexp(1.0L, -1074));
  return static_cast<double>(std::abs(found - exact) / unit);
}

/// Calls f(t, i) with 1e5 keyed uniforms t.
template <class F>
void for_uniforms(F f) {
  const StreamKey key{2024, 0, Purpose{1}, 0};
  for (std::uint64_t i = 0; i < 100'000; ++i) f(uniform(key, i), static_cast<int>(i));
}

/// 2^e (1 + t) over the exponents [low, high).
double spread(double t, int i, int low, int high) { return std::ldexp(1.0 + t, low + i % (high - low)); }

}  // namespace

TEST_CASE("exp is within 1 ulp") {
  double worst = 0.0;
  for_uniforms([&](double t, int) {
    for (const double x : {t * 1454.0 - 744.5, 2.0 * t - 1.0, t * 1e-8}) {
      if (x < 709.78) worst = std::max(worst, ulps(pexp(x), std::exp(static_cast<long double>(x))));
    }
  });
  CHECK(worst < 1.0);
  CHECK(pexp(0.0) == 1.0);
  CHECK(pexp(-kInfinity) == 0.0);
  CHECK(pexp(kInfinity) == kInfinity);
  CHECK(pexp(710.0) == kInfinity);
  CHECK(pexp(-746.0) == 0.0);
  CHECK(pexp(-745.0) == std::exp(-745.0));  // subnormal
  CHECK(std::isnan(pexp(std::nan(""))));
}

TEST_CASE("log is within 1 ulp") {
  double worst = 0.0;
  for_uniforms([&](double t, int i) {
    for (const double x : {spread(t, i, -1073, 1023), 0.5 + 1.5 * t, 1.0 + (t - 0.5) * 1e-6}) {
      worst = std::max(worst, ulps(plog(x), std::log(static_cast<long double>(x))));
    }
  });
  CHECK(worst < 1.0);
  CHECK(plog(1.0) == 0.0);
  CHECK(plog(0.0) == -kInfinity);
  CHECK(plog(kInfinity) == kInfinity);
  CHECK(std::isnan(plog(-1.0)));
  CHECK(std::isnan(plog(std::nan(""))));
  CHECK(ulps(plog(5e-324), std::log(static_cast<long double>(5e-324))) < 1.0);
}

TEST_CASE("log1p and expm1 are within 3 and 4 ulp") {
  double worst_log = 0.0;
  double worst_exp = 0.0;
  for_uniforms([&](double t, int i) {
    const double size = spread(t, i, -60, 9);
    for (const double x : {size, -size}) {
      if (x > -1.0) worst_log = std::max(worst_log, ulps(plog1p(x), std::log1p(static_cast<long double>(x))));
      if (x < 700.0) worst_exp = std::max(worst_exp, ulps(pexpm1(x), std::expm1(static_cast<long double>(x))));
    }
  });
  CHECK(worst_log < 3.0);
  CHECK(worst_exp < 4.0);
  CHECK(plog1p(-1.0) == -kInfinity);
  CHECK(plog1p(kInfinity) == kInfinity);
  CHECK(std::isnan(plog1p(-1.5)));
  CHECK(pexpm1(-kInfinity) == -1.0);
}

TEST_CASE("pow is within 2 ulp") {
  double worst = 0.0;
  for_uniforms([&](double t, int i) {
    const double x = spread(t, i, -40, 40);
    const double y = (uniform({2024, 0, Purpose{2}, 0}, static_cast<std::uint64_t>(i)) * 1400.0 - 700.0) / std::log(x);
    if (std::abs(y) < 1e6) {
      worst = std::max(worst, ulps(ppow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))));
    }
    worst = std::max(worst, ulps(ppow(x, t), std::pow(static_cast<long double>(x), static_cast<long double>(t))));
  });
  CHECK(worst < 2.0);
}

TEST_CASE("pow at the edges") {
  CHECK(ppow(0.0, 0.0) == 1.0);
  CHECK(ppow(0.0, 2.0) == 0.0);
  CHECK(ppow(0.0, -2.0) == kInfinity);
  CHECK(ppow(kInfinity, 0.5) == kInfinity);
  CHECK(ppow(kInfinity, -0.5) == 0.0);
  CHECK(ppow(1.0, std::nan("")) == 1.0);
  CHECK(ppow(2.0, 10.0) == 1024.0);
  CHECK(ppow(2.0, -1074.0) == 5e-324);
  CHECK(ppow(5e-324, 0.5) == std::pow(5e-324, 0.5));
  CHECK(ppow(2.0, 1e308) == kInfinity);
  CHECK(ppow(2.0, -kInfinity) == 0.0);
  CHECK(ppow(0.5, kInfinity) == 0.0);
  CHECK(std::isnan(ppow(-2.0, 2.0)));
  CHECK(std::isnan(ppow(std::nan(""), 2.0)));
}

TEST_CASE("sine and cosine are within 2 ulp and exact at quarter turns") {
  double worst = 0.0;
  constexpr long double kTwoPi = 6.283185307179586476925286766559005768L;
  for_uniforms([&](double t, int i) {
    for (const double u : {t, -t, spread(t, i, -40, -2)}) {
      const SinCos found = psincos_2pi(u);
      // The reference is reduced exactly first: near a zero, rounding 2 pi u would cost it its last places.
      const double quarter = std::nearbyint(u * 4.0);
      const long double angle = kTwoPi * static_cast<long double>(u - quarter * 0.25);
      const long double s = std::sin(angle);
      const long double c = std::cos(angle);
      const int turn = static_cast<int>(quarter) & 3;
      const long double sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
      const long double cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
      worst = std::max({worst, ulps(found.sin, sine), ulps(found.cos, cosine)});
    }
  });
  CHECK(worst < 2.0);
  CHECK(psincos_2pi(0.25).sin == 1.0);
  CHECK(psincos_2pi(0.25).cos == 0.0);
  CHECK(psincos_2pi(0.5).cos == -1.0);
  CHECK(psincos_2pi(-0.25).sin == -1.0);
  CHECK(psincos_2pi(1e15).cos == 1.0);
}

TEST_CASE("the normal quantile is within 1e-14 and antithetic") {
  double worst = 0.0;
  bool opposite = true;
  for_uniforms([&](double t, int i) {
    for (const double u : {t, spread(t, i, -54, -1)}) {
      const double z = normal_quantile(u);
      // One Newton step of the exact distribution function from z gives the error of z. On the smaller tail.
      const bool upper = u > 0.5;
      const long double tail = upper ? 1.0L - u : u;
      const long double deviate = upper ? -z : z;
      const long double probability = std::erfc(-deviate / std::sqrt(2.0L)) / 2.0L;
      const long double density = std::exp(-deviate * deviate / 2.0L) / std::sqrt(6.283185307179586476925L);
      worst = std::max(worst, static_cast<double>(std::abs((probability - tail) / density)));
    }
    opposite = opposite && normal_quantile(1.0 - t) == -normal_quantile(t);
  });
  CHECK(worst < 1e-14);
  CHECK(opposite);
  CHECK(normal_quantile(0.5) == 0.0);
  CHECK(normal_quantile(0.0) == -kInfinity);
  CHECK(normal_quantile(1.0) == kInfinity);
  CHECK(std::isnan(normal_quantile(1.5)));
  CHECK(std::isnan(normal_quantile(-0.5)));
  CHECK(std::isnan(normal_quantile(std::nan(""))));
}

TEST_CASE("the normal distribution function inverts the quantile") {
  for (double z = -37.0; z < 8.0; z += 0.01) {
    CHECK(normal_cdf(z) == Approx(0.5 * std::erfc(-z / std::sqrt(2.0))).epsilon(1e-12).margin(0.0));
  }
  CHECK(normal_cdf(0.0) == 0.5);
  CHECK(normal_cdf(-kInfinity) == 0.0);
  CHECK(normal_cdf(kInfinity) == 1.0);
}

TEST_CASE("log Gamma and the incomplete gamma functions") {
  for (double a = 0.01; a < 300.0; a *= 1.01) {
    CHECK(plgamma(a) == Approx(std::lgamma(a)).epsilon(3e-14).margin(3e-14));
  }
  CHECK(plgamma(1.0) == 0.0);
  CHECK(std::isnan(plgamma(0.0)));
  for (const double x : {1e-9, 0.1, 1.0, 3.0, 10.0, 40.0}) {
    // Integer a: Q(a, x) = e^-x sum x^k / k!; a = 1/2: erfc.
    CHECK(incomplete_gamma(1.0, 0.0, x).upper == Approx(std::exp(-x)).epsilon(1e-13));
    CHECK(incomplete_gamma(3.0, plgamma(3.0), x).upper == Approx(std::exp(-x) * (1 + x + x * x / 2)).epsilon(1e-12));
    CHECK(incomplete_gamma(0.5, plgamma(0.5), x).lower == Approx(std::erf(std::sqrt(x))).epsilon(1e-12));
  }
  // Large a near the mean: both tails sum to one, and the median lies near a - 1/3 (DLMF 8.10.13 and following).
  const GammaTails tails = incomplete_gamma(1e4, plgamma(1e4), 1e4 - 1.0 / 3.0 + 8.0 / 405.0 / 1e4);
  CHECK(tails.lower == Approx(0.5).epsilon(1e-9));
  CHECK(tails.lower + tails.upper == Approx(1.0).epsilon(1e-12));
}
