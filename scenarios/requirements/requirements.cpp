#include "scenarios/requirements/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/path/ingest_path.hpp"

namespace headrace::scenarios {

using models::Scenario;
using models::Store;
using models::UnusableRequest;

namespace {

constexpr std::array kShares{0.25, 0.5, 0.75};  ///< of the latency alone, along a trade curve
constexpr double kMostTogether = 100.0;
constexpr double kWithinOnCurves = 1.03;
constexpr double kNextToNothing = 1e-3;          ///< of what is asked: a job that lives with it does not need it
constexpr double kAnyStoresOperations = 1000.0;  ///< metadata operations per second, one by one in 1 ms each
constexpr double kLongestLatencyS = 10.0;
constexpr double kRestartS = 3600.0;  ///< in which a state may have to be moved

/// Scenarios that differ in their store only.
class StoreQuestion {
 public:
  StoreQuestion(const Scenario& scenario, std::size_t store)
      : scenario_(scenario), store_(store), shape_(tail_shape(scenario.stores[store])) {
    scenario_.stores[store] = ample(scenario.stores[store]);
  }

  const Scenario& ample_scenario() const { return scenario_; }
  const TailShape& shape() const { return shape_; }

  Scenario with(const std::vector<std::pair<StoreAxis, double>>& figures) const {
    Scenario changed = scenario_;
    for (const auto& [axis, figure] : figures) set_axis(changed.stores[store_], axis, figure, shape_);
    return changed;
  }

 private:
  Scenario scenario_;
  std::size_t store_;
  TailShape shape_;
};

std::string why_not(StoreAxis axis, const WorkloadProfile& profile, const Scenario& scenario, const Store& store) {
  const bool writes = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [&](const models::Job& job) {
    return job.checkpoint && job.checkpoint->store == store.name;
  });
  if (axis == StoreAxis::write) {
    if (!writes) return "no job writes checkpoints to it";
    return "no limit depends on how long checkpoints take; state one, such as checkpoint_save_s or goodput_fraction";
  }
  if (axis == StoreAxis::metadata && profile.opens_per_s > 0.0)
    return fmt::format(
        "{:.3g} operations per second at most, fewer than any store serves: the limits hold with 1 ms for "
        "each, one after the other",
        profile.opens_per_s);
  if (profile.read_bytes_per_s < 1.0) return "nothing is read from it: caches answer all";
  return "the limits hold however little it delivers";
}

/// So little that a job that lives with it does not need the figure at all.
double nothing_of(StoreAxis axis, const WorkloadProfile& profile) {
  const double state_bytes_per_s = profile.checkpoint_bytes / kRestartS;
  const double read = std::max(profile.read_bytes_per_s, state_bytes_per_s);
  switch (axis) {
    case StoreAxis::read:
      return kNextToNothing * read;
    case StoreAxis::write:
      return kNextToNothing * state_bytes_per_s;
    case StoreAxis::connection:
      return kNextToNothing * read / std::max(1.0, profile.connections);
    case StoreAxis::requests:
      return kNextToNothing * profile.requests_per_s;
    case StoreAxis::metadata:
      return profile.opens_per_s > 0.0 ? kAnyStoresOperations : 0.0;
    default:
      return strength_of(axis, kLongestLatencyS);
  }
}

StoreRequirement alone(Probe& probe, const StoreQuestion& question, StoreAxis axis, const WorkloadProfile& profile) {
  StoreRequirement figure;
  figure.axis = axis;
  probe.phase(std::string(traits_of(axis).name));
  const AtStrength at = [&](double strength) { return question.with({{axis, figure_of(axis, strength)}}); };
  const AtStrength below = [&](double strength) { return at((1.0 - kStepBelow) * strength); };
  const double nothing = nothing_of(axis, profile);
  if (!(nothing > 0.0)) return figure;
  const std::optional<double> critical = critical_strength(probe, at, {nothing, ample_strength(axis)});
  if (!critical) return figure;
  figure.required = true;
  figure.settled = settle(probe, at, below, *critical);
  figure.alone = figure.least = figure_of(axis, figure.settled.strength);
  figure.limit = figure.settled.below.tightest();
  return figure;
}

double together(const StoreRequirement& one, double factor) {
  return std::pow(factor, power_together(one.axis)) * one.settled.strength;
}

/// All figures that are required, each better by one factor, or a power of it.
void find_joint(Probe& probe, const StoreQuestion& question, Requirements& found) {
  const auto required = std::count_if(found.figures.begin(), found.figures.end(),
                                      [](const StoreRequirement& one) { return one.required; });
  if (required < 2) return;
  probe.phase("all together");
  const auto figures = [&found](double factor, double share) {
    std::vector<std::pair<StoreAxis, double>> values;
    for (const StoreRequirement& one : found.figures)
      if (one.required) values.emplace_back(one.axis, figure_of(one.axis, share * together(one, factor)));
    return values;
  };
  const AtStrength at = [&](double factor) { return question.with(figures(factor, 1.0)); };
  const AtStrength below = [&](double factor) { return question.with(figures(factor, 1.0 - kStepBelow)); };
  const std::optional<double> critical = critical_strength(probe, at, {1.0 - kStepBelow, kMostTogether});
  found.joint = settle(probe, at, below, critical.value_or(1.0));
  found.together = found.joint->strength;
  found.joint_limit = found.joint->below.tightest();
  for (StoreRequirement& one : found.figures)
    if (one.required) one.least = figure_of(one.axis, together(one, found.together));
}

void find_curves(Probe& probe, const StoreQuestion& question, Requirements& found) {
  const StoreRequirement& latency = found.figures[static_cast<std::size_t>(StoreAxis::latency)];
  if (!latency.required) return;
  for (const StoreRequirement& other : found.figures) {
    if (!other.required || other.axis == StoreAxis::latency) continue;
    probe.phase(fmt::format("latency against {}", traits_of(other.axis).name));
    TradeCurve curve{StoreAxis::latency, other.axis, {}};
    const double least = strength_of(other.axis, other.alone);
    for (const double share : kShares) {
      const double across = share * latency.alone;
      const AtStrength at = [&](double strength) {
        return question.with({{StoreAxis::latency, across}, {other.axis, figure_of(other.axis, strength)}});
      };
      const auto critical = critical_strength(
          probe, at, {least * (1.0 - 2.0 * kStepBelow), ample_strength(other.axis), kWithinOnCurves, true});
      curve.points.push_back({across, figure_of(other.axis, std::max(least, critical.value_or(least)))});
    }
    const bool level = curve.points.back().up < 1.01 * curve.points.front().up;
    if (!level) found.curves.push_back(std::move(curve));
  }
}

void add_margin(Requirements& found) {
  for (StoreRequirement& one : found.figures)
    if (one.required) one.asked = figure_of(one.axis, strength_of(one.axis, one.least) * (1.0 + found.margin));
  found.asked_capacity_bytes = found.profile.capacity_bytes() * (1.0 + found.margin);
}

}  // namespace

bool Requirements::any_required() const {
  return std::any_of(figures.begin(), figures.end(), [](const StoreRequirement& one) { return one.required; });
}

bool Requirements::sure() const {
  return (!joint || joint->sure()) && std::all_of(figures.begin(), figures.end(), [](const StoreRequirement& one) {
           return !one.required || one.settled.sure();
         });
}

std::size_t shared_store(const Scenario& scenario, const std::string& name) {
  const std::string wanted = name.empty() ? dataset_of(scenario, scenario.jobs.front()).store : name;
  std::string known;
  for (std::size_t i = 0; i < scenario.stores.size(); ++i) {
    known += (i > 0 ? ", " : "") + scenario.stores[i].name;
    if (scenario.stores[i].name != wanted) continue;
    if (!scenario.stores[i].is_shared())
      throw UnusableRequest(fmt::format("the store '{}' is a drive in each node", wanted),
                            "name a store that nodes share: --require NAME");
    return i;
  }
  throw UnusableRequest(fmt::format("the scenario has no store '{}'", wanted), fmt::format("its stores: {}", known));
}

tl::expected<Requirements, Diagnostics> require_of_store(const LoadedScenario& loaded,
                                                         const RequirementOptions& options) {
  const Scenario& scenario = loaded.value;
  const std::size_t store = shared_store(scenario, options.store);
  auto limits = limits_of(loaded);
  if (!limits) return tl::unexpected(limits.error());
  Requirements found;
  found.store = scenario.stores[store].name;
  found.margin = options.margin;
  found.seed = options.probe.seed;
  found.limits = *limits;
  for (const JobLimit& limit : found.limits) found.limit_texts.push_back(limit.text(scenario));
  const StoreQuestion question(scenario, store);
  found.tail_assumed = question.shape().assumed;
  found.tail_mean = mean_of(question.shape().law);

  Probe probe(*limits, options.probe);
  probe.phase("an ample store");
  const models::Outcome fed = probe.outcome(question.ample_scenario(), true);
  if (fed.binding) found.ample_waits = models::name(*fed.binding);
  found.profile = workload_profile(question.ample_scenario(), store, fed);
  found.at_ample = probe.decide(question.ample_scenario());
  found.possible = found.at_ample.decision != models::Ruling::fail;
  if (found.possible) {
    for (const AxisTraits& traits : kAxisTraits) {
      StoreRequirement figure = alone(probe, question, traits.axis, found.profile);
      if (!figure.required) figure.why_not = why_not(traits.axis, found.profile, scenario, scenario.stores[store]);
      found.figures.push_back(std::move(figure));
    }
    find_joint(probe, question, found);
    if (options.curves) find_curves(probe, question, found);
  }
  add_margin(found);
  found.runs = probe.runs();
  found.estimates = probe.estimates();
  return found;
}

}  // namespace headrace::scenarios
