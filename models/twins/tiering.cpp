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

}  // namespace headrace::models::twins
