#include "models/hops/batch_time_law.hpp"

#include <algorithm>
#include <cmath>  // std::floor only
#include <functional>
#include <utility>
#include <vector>

#include "models/hops/drawn_times.hpp"
#include "models/hops/resource_floors.hpp"
#include "sim/binomial.hpp"
#include "sim/iid_sum.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

namespace {

struct Atom {
  double value = 0.0;
  double mass = 0.0;
};

constexpr int kBodyStrata = 64;
constexpr int kTailDecades = 6;
constexpr int kStrataPerDecade = 3;

/// Edges of the strata: even in the body, falling by decades towards 0 and 1.
const std::vector<double>& strata_edges() {
  static const std::vector<double> edges = [] {
    std::vector<double> tail;  // rising
    for (int k = kTailDecades * kStrataPerDecade; k > 0; --k)
      tail.push_back(sim::ppow(10.0, -static_cast<double>(k) / kStrataPerDecade) / kBodyStrata);
    std::vector<double> all{0.0};
    all.insert(all.end(), tail.begin(), tail.end());
    for (int i = 1; i < kBodyStrata; ++i) all.push_back(static_cast<double>(i) / kBodyStrata);
    for (auto p = tail.rbegin(); p != tail.rend(); ++p) all.push_back(1.0 - *p);
    all.push_back(1.0);
    return all;
  }();
  return edges;
}

/// A law as one atom per stratum, rising.
class StrataLaw {
 public:
  static StrataLaw constant(double value) { return StrataLaw({{value, 1.0}}); }

  /// From a quantile function: each stratum at its middle.
  static StrataLaw of(const std::function<double(double)>& quantile) {
    const std::vector<double>& edges = strata_edges();
    std::vector<Atom> atoms;
    for (std::size_t i = 1; i < edges.size(); ++i)
      atoms.push_back({quantile(0.5 * (edges[i - 1] + edges[i])), edges[i] - edges[i - 1]});
    return StrataLaw(std::move(atoms));
  }

  /// One law with probability `share`, otherwise the other.
  static StrataLaw mixed(const StrataLaw& one, double share, const StrataLaw& other) {
    std::vector<Atom> atoms;
    for (const Atom& atom : one.atoms_) atoms.push_back({atom.value, atom.mass * share});
    for (const Atom& atom : other.atoms_) atoms.push_back({atom.value, atom.mass * (1.0 - share)});
    return StrataLaw(stratified(std::move(atoms)));
  }

  /// The law of the sum of independent draws.
  StrataLaw plus(const StrataLaw& other) const {
    std::vector<Atom> atoms;
    atoms.reserve(atoms_.size() * other.atoms_.size());
    for (const Atom& a : atoms_)
      for (const Atom& b : other.atoms_) atoms.push_back({a.value + b.value, a.mass * b.mass});
    if (atoms_.size() == 1 || other.atoms_.size() == 1) return StrataLaw(std::move(atoms));
    return StrataLaw(stratified(std::move(atoms)));
  }

  double mean() const {
    double sum = 0.0;
    for (const Atom& atom : atoms_) sum += atom.value * atom.mass;
    return sum;
  }

  /// Straight between the middles of the strata, moved to `mean`.
  sim::Distribution distribution(double wanted_mean) const {
    if (atoms_.size() == 1) return sim::Distribution::constant(wanted_mean);
    std::vector<sim::QuantilePoint> points;
    double below = 0.0;
    for (const Atom& atom : atoms_) {
      // Means of neighbouring strata can round past each other.
      const double value = points.empty() ? atom.value : std::max(points.back().value, atom.value);
      points.push_back({std::min(1.0, below + 0.5 * atom.mass), value});
      below += atom.mass;
    }
    const double shift = wanted_mean - sim::Distribution::empirical(points).mean();
    for (sim::QuantilePoint& point : points) point.value = std::max(0.0, point.value + shift);
    return sim::Distribution::empirical(std::move(points));
  }

 private:
  explicit StrataLaw(std::vector<Atom> atoms) : atoms_(std::move(atoms)) {}

  /// Sorted and merged: each stratum takes its part of the mass at its mean, so that the whole mean is kept.
  static std::vector<Atom> stratified(std::vector<Atom> atoms) {
    std::sort(atoms.begin(), atoms.end(),
              [](const Atom& a, const Atom& b) { return a.value != b.value ? a.value < b.value : a.mass < b.mass; });
    const std::vector<double>& edges = strata_edges();
    std::vector<Atom> merged;
    std::size_t next = 0;
    double left = atoms.front().mass;
    for (std::size_t i = 1; i < edges.size(); ++i) {
      double wanted = edges[i] - edges[i - 1];
      Atom stratum{0.0, wanted};
      double sum = 0.0;
      double taken = 0.0;
      while (wanted > 0.0) {
        const bool last = next + 1 == atoms.size();
        const double part = last ? wanted : std::min(wanted, left);
        sum += part * atoms[next].value;
        taken += part;
        wanted -= part;
        left -= part;
        if (last || left > 0.0) break;
        left = atoms[++next].mass;
      }
      stratum.value = taken > 0.0 ? sum / taken : atoms[next].value;
      merged.push_back(stratum);
    }
    return merged;
  }

  std::vector<Atom> atoms_;
};

/// `terms` draws of a law, divided by `divisor`; a broken number of terms comes as the whole ones around it.
StrataLaw sum_of(const sim::Distribution& term, double terms, double divisor) {
  if (!(terms > 0.0) || !(term.mean() > 0.0)) return StrataLaw::constant(0.0);
  if (term.is_constant()) return StrataLaw::constant(term.mean() * terms / divisor);
  const auto whole = static_cast<std::uint32_t>(std::floor(terms));
  const double rest = terms - std::floor(terms);
  const auto law = [&](std::uint32_t count) {
    if (count == 0) return StrataLaw::constant(0.0);
    const sim::IidSum sum(term, count);
    return StrataLaw::of([&](double u) { return sum.quantile(u) / divisor; });
  };
  if (rest < 1e-9) return law(whole);
  return StrataLaw::mixed(law(whole + 1), rest, law(whole));
}

/// What a sample that misses takes longer than one that hits, times how the number of misses varies.
StrataLaw variation_of_hits(const IngestPath& path) {
  const double per_miss_s = (mean_batch_time_s(path, {}) - mean_batch_time_s(path, {1.0, {}})) / path.batch_samples;
  const double mean_misses = path.batch_samples * (1.0 - path.hit_ratio);
  return StrataLaw::of([&](double u) {
    const std::uint32_t misses = sim::binomial_quantile(path.batch_samples, 1.0 - path.hit_ratio, u);
    return (misses - mean_misses) * per_miss_s;
  });
}

/// How the number of samples varies that neither the node's cache nor another tier answers.
StrataLaw variation_of_tiers(const IngestPath& path) {
  const TierShares& shares = path.tiers.shares;
  const double samples = path.batch_samples;
  const double others = shares.read();
  const WindowShares from_tiers{0.0, {shares.page / others, shares.peer / others, shares.shared / others, 0.0}};
  const double longer_s = (mean_batch_time_s(path, {}) - mean_batch_time_s(path, from_tiers)) / samples;
  const double missed = path.miss_ratio() / (path.miss_ratio() + others);
  const auto rest = static_cast<std::uint32_t>(std::floor(samples * (path.miss_ratio() + others) + 0.5));
  if (!(missed > 0.0) || rest == 0) return StrataLaw::constant(0.0);
  return StrataLaw::of([&](double u) {
    // The law rises with u whichever of the two takes longer.
    if (longer_s >= 0.0) return (sim::binomial_quantile(rest, missed, u) - rest * missed) * longer_s;
    return (rest * (1.0 - missed) - sim::binomial_quantile(rest, 1.0 - missed, u)) * longer_s;
  });
}

}  // namespace

sim::Distribution batch_time_law(const IngestPath& path) {
  StrataLaw law = StrataLaw::constant(0.0);
  for (const DrawnTime& draw : drawn_times(path)) law = law.plus(sum_of(*draw.law, draw.terms, draw.per_s));
  if (path.tiers.shares.read() > 0.0) law = law.plus(variation_of_tiers(path));
  if (path.hit_ratio > 0.0 && path.hit_ratio < 1.0) law = law.plus(variation_of_hits(path));
  return law.distribution(mean_batch_time_s(path));
}

}  // namespace headrace::models
