#include "models/hops/drawn_times.hpp"

#include "models/hops/resource_floors.hpp"

namespace headrace::models {

ShortList<DrawnTime, kDrawCount> drawn_times(const IngestPath& path) {
  const Amounts means = mean_amounts(path, path.shares(), 1.0);
  const DerivedAmounts derived(path);
  const auto terms = terms_of(path);
  ShortList<DrawnTime, kDrawCount> times;
  for (const Draw& draw : kBatchDraws) {
    const sim::Distribution& law = draw.law(path);
    if (!(means[draw.of] > 0.0) || !(law.mean() > 0.0)) continue;
    Amounts unit;
    unit[draw.sum] = 1.0;
    derived.add_to(unit);
    std::optional<double> per_s;
    for (const StagedTerm& term : terms) {
      const double amount = term.amount(unit);
      if (!(amount > 0.0) || !term.rate) continue;
      const double rate = *term.rate / amount;
      per_s = per_s ? 1.0 / (1.0 / *per_s + 1.0 / rate) : rate;
    }
    if (per_s) times.push_back({&law, means[draw.of], *per_s});
  }
  return times;
}

double batch_time_variance(const IngestPath& path) {
  double variance = 0.0;
  for (const DrawnTime& draw : drawn_times(path))
    variance += draw.terms * draw.law->variance() / (draw.per_s * draw.per_s);
  if (!(path.hit_ratio > 0.0) || !(path.hit_ratio < 1.0)) return variance;
  const double samples = path.batch_samples;
  const double longer_s = (mean_batch_time_s(path, {}) - mean_batch_time_s(path, {1.0, {}})) / samples;
  return variance + samples * path.hit_ratio * (1.0 - path.hit_ratio) * longer_s * longer_s;  // binomial
}

}  // namespace headrace::models
