#include "models/describe/distribution_spec.hpp"

#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "models/describe/describe.hpp"

namespace headrace::models {

DistributionSpec DistributionSpec::constant(double value) {
  DistributionSpec spec;
  spec.mean = value;
  return spec;
}

DistributionSpec DistributionSpec::uniform(double low, double high) {
  DistributionSpec spec;
  spec.family = Family::uniform;
  spec.low = low;
  spec.high = high;
  return spec;
}

DistributionSpec DistributionSpec::exponential(double mean) {
  DistributionSpec spec = constant(mean);
  spec.family = Family::exponential;
  return spec;
}

DistributionSpec DistributionSpec::lognormal(double mean, double cv) {
  DistributionSpec spec = constant(mean);
  spec.family = Family::lognormal;
  spec.cv = cv;
  return spec;
}

DistributionSpec DistributionSpec::gamma(double mean, double cv) {
  DistributionSpec spec = lognormal(mean, cv);
  spec.family = Family::gamma;
  return spec;
}

DistributionSpec DistributionSpec::weibull(double mean, double shape) {
  DistributionSpec spec = constant(mean);
  spec.family = Family::weibull;
  spec.shape = shape;
  return spec;
}

DistributionSpec DistributionSpec::pareto(double minimum, double shape) {
  DistributionSpec spec;
  spec.family = Family::pareto;
  spec.minimum = minimum;
  spec.shape = shape;
  return spec;
}

namespace {

double mean_of_quantiles(const std::vector<QuantilePoint>& points) {
  double sum = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    sum += (points[i].p - points[i - 1].p) * 0.5 * (points[i].value + points[i - 1].value);
  }
  return sum;
}

double mean_of_parts(const std::vector<MixturePart>& parts) {
  double weight = 0.0;
  double sum = 0.0;
  for (const MixturePart& part : parts) {
    weight += part.weight;
    sum += part.weight * mean_of(part.value);
  }
  return weight > 0.0 ? sum / weight : 0.0;
}

}  // namespace

double mean_of(const DistributionSpec& spec) {
  switch (spec.family) {
    case Family::uniform:
      return 0.5 * (spec.low + spec.high);
    case Family::pareto:
      return spec.shape > 1.0 ? spec.minimum * spec.shape / (spec.shape - 1.0)
                              : std::numeric_limits<double>::infinity();
    case Family::empirical:
      return mean_of_quantiles(spec.quantiles);
    case Family::mixture:
      return mean_of_parts(spec.parts);
    default:
      return spec.mean;
  }
}

DistributionSpec scaled(DistributionSpec spec, double factor) {
  spec.mean *= factor;
  spec.low *= factor;
  spec.high *= factor;
  spec.minimum *= factor;
  for (QuantilePoint& point : spec.quantiles) point.value *= factor;
  for (MixturePart& part : spec.parts) part.value = scaled(std::move(part.value), factor);
  return spec;
}

namespace {

constexpr std::array<std::string_view, 9> kFamilyNames = {"constant", "uniform", "exponential", "lognormal", "gamma",
                                                          "weibull",  "pareto",  "empirical",   "mixture"};

/// Facts of one number of a distribution: the hard limits of the parameter, with a meaning of its own.
Facts part_facts(const Facts& whole, std::string_view meaning) {
  Facts facts;
  facts.min = whole.min;
  facts.above = whole.above;
  facts.max = whole.max;
  facts.below = whole.below;
  facts.low = whole.low;
  facts.high = whole.high;
  facts.log_scale = whole.log_scale;
  facts.evidence = whole.evidence;
  facts.meaning = meaning;
  facts.source = whole.source;
  facts.required = true;
  return facts;
}

class QuantileList final : public ListAccess {
 public:
  QuantileList(std::vector<QuantilePoint>& points, Unit unit, const Facts& facts)
      : points_(points), unit_(unit), facts_(facts) {}
  std::size_t size() const override { return points_.size(); }
  void resize(std::size_t size) override { points_.resize(size); }
  void visit(std::size_t index, Visitor& visitor) override { visit_point(points_[index], visitor); }
  void visit_default(Visitor& visitor) const override {
    QuantilePoint fresh;
    visit_point(fresh, visitor);
  }

 private:
  void visit_point(QuantilePoint& point, Visitor& visitor) const {
    visitor.fraction("p", point.p, {.meaning = "share of all values at or below this one", .required = true});
    visitor.quantity("value", point.value, unit_, part_facts(facts_, "value at this share"));
  }

  std::vector<QuantilePoint>& points_;
  Unit unit_;
  const Facts& facts_;
};

class MixtureList final : public ListAccess {
 public:
  MixtureList(std::vector<MixturePart>& parts, Unit unit, const Facts& facts)
      : parts_(parts), unit_(unit), facts_(facts) {}
  std::size_t size() const override { return parts_.size(); }
  void resize(std::size_t size) override { parts_.resize(size); }
  void visit(std::size_t index, Visitor& visitor) override { visit_part(parts_[index], visitor); }
  void visit_default(Visitor& visitor) const override {
    MixturePart fresh;
    visit_part(fresh, visitor);
  }

 private:
  void visit_part(MixturePart& part, Visitor& visitor) const {
    visitor.number("weight", part.weight, {.above = 0, .meaning = "relative share of the draws", .required = true});
    visitor.distribution("value", part.value, unit_, part_facts(facts_, "distribution of these draws"));
  }

  std::vector<MixturePart>& parts_;
  Unit unit_;
  const Facts& facts_;
};

bool rises_from_0_to_1(const std::vector<QuantilePoint>& points) {
  if (points.size() < 2 || points.front().p != 0.0 || points.back().p != 1.0) return false;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!(points[i].p > points[i - 1].p) || !(points[i].value >= points[i - 1].value)) return false;
  }
  return true;
}

class FamilyAccess final : public VariantAccess {
 public:
  FamilyAccess(DistributionSpec& spec, Unit unit, const Facts& facts) : spec_(spec), unit_(unit), facts_(facts) {}
  std::span<const std::string_view> names() const override { return kFamilyNames; }
  std::size_t index() const override { return static_cast<std::size_t>(spec_.family); }
  void select(std::size_t index) override { spec_.family = static_cast<Family>(index); }
  std::optional<Unit> unit() const override { return unit_; }
  double mean() const override { return mean_of(spec_); }
  void scale(double factor) override { spec_ = scaled(std::move(spec_), factor); }
  void visit(Visitor& visitor) override { visit_family(spec_, visitor); }
  void visit_alternative(std::size_t index, Visitor& visitor) const override {
    DistributionSpec fresh;
    fresh.mean = mean_of(spec_);
    fresh.family = static_cast<Family>(index);
    visit_family(fresh, visitor);
  }

 private:
  void mean(DistributionSpec& spec, Visitor& v) const {
    v.quantity("mean", spec.mean, unit_, part_facts(facts_, "mean"));
  }
  void visit_family(DistributionSpec& spec, Visitor& v) const {
    constexpr Facts cv_facts = {.low = 0.05, .high = 3, .min = 0, .max = 50, .meaning = "standard deviation over mean"};
    switch (spec.family) {
      case Family::constant:
        v.quantity("value", spec.mean, unit_, part_facts(facts_, "the value"));
        break;
      case Family::uniform:
        v.quantity("low", spec.low, unit_, part_facts(facts_, "smallest value"));
        v.quantity("high", spec.high, unit_, part_facts(facts_, "largest value"));
        v.constraint("low <= high", spec.low <= spec.high, "the smallest value is above the largest", {"low", "high"});
        break;
      case Family::exponential:
        mean(spec, v);
        break;
      case Family::lognormal:
        mean(spec, v);
        v.number("cv", spec.cv, cv_facts);
        break;
      case Family::gamma: {
        mean(spec, v);
        Facts narrow = cv_facts;
        narrow.max = 4;
        v.number("cv", spec.cv, narrow);
        break;
      }
      case Family::weibull:
        mean(spec, v);
        v.number("shape", spec.shape,
                 {.low = 0.5, .high = 5, .min = 0.1, .max = 100, .meaning = "Weibull k; below 1 the tail is heavy"});
        break;
      case Family::pareto:
        v.quantity("minimum", spec.minimum, unit_, part_facts(facts_, "smallest value"));
        v.number("shape", spec.shape,
                 {.low = 1.1, .high = 5, .above = 1, .max = 1000, .meaning = "tail index; the mean needs more than 1"});
        break;
      case Family::empirical:
        visit_quantiles(spec, v);
        break;
      case Family::mixture: {
        MixtureList parts(spec.parts, unit_, facts_);
        v.list("parts", parts, {.min = 1, .meaning = "components of the mixture", .required = true});
        break;
      }
    }
  }
  void visit_quantiles(DistributionSpec& spec, Visitor& v) const {
    QuantileList points(spec.quantiles, unit_, facts_);
    v.list("quantiles", points, {.min = 2, .meaning = "quantile table, linear in between", .required = true});
    v.constraint("quantiles rise", spec.quantiles.size() < 2 || rises_from_0_to_1(spec.quantiles),
                 "p must rise from 0 to 1 and the values must not fall", {"quantiles"});
  }

  DistributionSpec& spec_;
  Unit unit_;
  const Facts& facts_;
};

}  // namespace

void Visitor::distribution(std::string_view key, DistributionSpec& value, Unit unit, const Facts& facts) {
  FamilyAccess access(value, unit, facts);
  on_variant(key, access, facts);
}

}  // namespace headrace::models
