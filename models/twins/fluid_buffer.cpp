#include "models/twins/fluid_buffer.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::models::twins {

namespace {

double deviation(double low, double high, double share_high) {
  return (high - low) * std::sqrt(share_high * (1.0 - share_high));
}

/// Integrals of e^(z x) and x e^(z x) from 0 to b, divided by e^(z b) where z > 0, which cannot overflow then.
struct Integrals {
  double at_zero;  ///< e^(z x) at 0
  double at_end;   ///< at b
  double mass;     ///< integral
  double moment;   ///< integral times x
};

Integrals integrals(double z, double b) {
  const double zb = z * b;
  if (std::abs(zb) < 1e-6) return {1.0, 1.0 + zb, b * (1.0 + zb / 2.0), b * b * (0.5 + zb / 3.0)};
  if (zb > 0.0) {
    const double start = std::exp(-zb);
    return {start, 1.0, (1.0 - start) / z, (b - (1.0 - start) / z) / z};
  }
  const double end = std::exp(zb);
  return {1.0, end, (end - 1.0) / z, (b * end - (end - 1.0) / z) / z};
}

}  // namespace

FluidBuffer fluid_buffer(const OnOffFluid& fluid) {
  FluidBuffer result;
  const double on = fluid.off_s > 0.0 ? fluid.on_s / (fluid.on_s + fluid.off_s) : 1.0;
  const double mean = on * fluid.on_rate + (1.0 - on) * fluid.off_rate;
  const double c = fluid.drain_rate;
  if (fluid.on_rate <= c) {  // never anything in it
    result.empty = 1.0;
    result.passed_rate = mean;
    return result;
  }
  if (on == 1.0 || fluid.off_rate >= c) {  // always full
    result.full = 1.0;
    result.content = fluid.buffer;
    result.passed_rate = c;
    result.loss = fluid.loses ? 1.0 - c / mean : 0.0;
    result.smoothing = 0.0;
    return result;
  }
  const double lambda = 1.0 / fluid.off_s;
  const double mu = 1.0 / fluid.on_s;
  const double a = c - fluid.off_rate;
  const double b = fluid.on_rate - c;
  const Integrals in = integrals(lambda / a - mu / b, fluid.buffer);
  // A burst that is held up goes on until its bytes are through.
  const double mu_full = fluid.loses ? mu : mu * c / fluid.on_rate;
  const double empty = a * in.at_zero / lambda;
  const double full = a * in.at_end / mu_full;
  const double all = empty + (1.0 + a / b) * in.mass + full;
  result.empty = empty / all;
  result.full = full / all;
  result.content = ((1.0 + a / b) * in.moment + full * fluid.buffer) / all;
  result.passed_rate = c * (1.0 - result.empty) + fluid.off_rate * result.empty;
  if (fluid.loses) result.loss = std::max(0.0, 1.0 - result.passed_rate / mean);
  result.smoothing = deviation(fluid.off_rate, c, 1.0 - result.empty) / deviation(fluid.off_rate, fluid.on_rate, on);
  return result;
}

}  // namespace headrace::models::twins
