#include "models/twins/tiering.hpp"

#include <algorithm>
#include <cmath>

#include "sim/portable_math.hpp"

namespace headrace::models::twins {

double share_of_young_reads(double young_s, double oldest_s, double half_life_s) {
  constexpr double kLn2 = 0.69314718055994530942;
  const double young = -sim::pexpm1(-kLn2 * std::min(young_s, oldest_s) / half_life_s);
  const double all = -sim::pexpm1(-kLn2 * oldest_s / half_life_s);
  return all > 0.0 ? young / all : 1.0;
}

double share_of_hottest(double items, double hottest, double exponent) {
  double all = 0.0;
  double held = 0.0;
  for (double i = 1.0; i <= items; i += 1.0) {
    const double popularity = std::pow(i, -exponent);
    all += popularity;
    if (i <= hottest) held += popularity;
  }
  return held / all;
}

}  // namespace headrace::models::twins
