#include "sim/student_t.hpp"

#include <cmath>

#include "sim/portable_math.hpp"

namespace headrace::sim {
namespace {

constexpr double kPi = 3.14159265358979323846;

double integer_power(double base, std::int64_t exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result *= base;
    base *= base;
  }
  return result;
}

// Gamma((n + 1) / 2) / Gamma(n / 2): by its recurrence in steps of two, for large n by the asymptotic series (Tricomi
// and Erdelyi, 1951; the first term left out is below 1e-13 from n = 200 on).
double gamma_ratio(std::int64_t n) {
  const double real = static_cast<double>(n);
  if (n > 200) {
    const double u = 1.0 / real;
    const double series =
        1.0 + u * (-1.0 / 4 + u * (1.0 / 32 + u * (5.0 / 128 + u * (-21.0 / 2048 + u * (-399.0 / 8192)))));
    return std::sqrt(real / 2.0) * series;
  }
  double ratio = n % 2 == 1 ? 1.0 / std::sqrt(kPi) : std::sqrt(kPi) / 2.0;
  for (std::int64_t i = n % 2 == 1 ? 1 : 2; i < n; i += 2) {
    ratio *= static_cast<double>(i + 1) / static_cast<double>(i);
  }
  return ratio;
}

// The continued fraction of I_x(a, b) without its factor x^a (1-x)^b / (a B(a, b)); modified Lentz evaluation (Thompson
// and Barnett, 1986). Converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away_from_zero = [](double value) { return value < kTiny && value > -kTiny ? kTiny : value; };
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double fraction = d;
  for (int i = 1; i < 10'000; ++i) {
    const double m = i;
    const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
    d = 1.0 / away_from_zero(1.0 + even * d);
    c = away_from_zero(1.0 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    d = 1.0 / away_from_zero(1.0 + odd * d);
    c = away_from_zero(1.0 + odd / c);
    const double factor = d * c;
    fraction *= factor;
    if (factor - 1.0 < 1e-16 && factor - 1.0 > -1e-16) break;
  }
  return fraction;
}

struct TailAndDensity {
  double tail;
  double density;
};

// For t >= 0.
TailAndDensity tail_and_density(double t, std::int64_t n) {
  const double nu = static_cast<double>(n);
  const double sum = nu + t * t;
  const double x = nu / sum;
  const double complement = t * t / sum;
  double power = integer_power(x, n / 2);  // x^(nu / 2)
  if (n % 2 == 1) power *= std::sqrt(x);
  const double inverse_beta = gamma_ratio(n) / std::sqrt(kPi);
  const double density = inverse_beta / std::sqrt(nu) * power * std::sqrt(x);
  const double a = nu / 2.0;
  const double factor = inverse_beta * power * std::sqrt(complement);
  if (x < (a + 1.0) / (a + 2.5)) return {0.5 * factor / a * beta_fraction(a, 0.5, x), density};
  return {0.5 - 0.5 * factor / 0.5 * beta_fraction(0.5, a, complement), density};
}

}  // namespace

double student_t_upper_tail(double t, std::int64_t degrees_of_freedom) {
  if (degrees_of_freedom < 1 || std::isnan(t)) return kNaN;
  if (t < 0.0) return 1.0 - student_t_upper_tail(-t, degrees_of_freedom);
  if (std::isinf(t)) return 0.0;
  return tail_and_density(t, degrees_of_freedom).tail;
}

double student_t_quantile(double probability, std::int64_t degrees_of_freedom) {
  if (degrees_of_freedom < 1 || !(probability >= 0.0 && probability <= 1.0)) return kNaN;
  if (probability == 0.5) return 0.0;
  if (probability < 0.5) {
    if (probability == 0.0) return -kInfinity;
  } else if (probability == 1.0) {
    return kInfinity;
  }
  const double tail = probability < 0.5 ? probability : 1.0 - probability;
  // The tail is convex for t >= 0, so Newton's steps from 0 rise to the root and never pass it: they end when rounding
  // stops the rise.
  double t = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const TailAndDensity at = tail_and_density(t, degrees_of_freedom);
    const double step = (at.tail - tail) / at.density;
    if (!(step > 1e-15 * t)) break;
    t += step;
  }
  return probability < 0.5 ? -t : t;
}

}  // namespace headrace::sim
