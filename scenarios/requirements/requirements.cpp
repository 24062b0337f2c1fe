#include "scenarios/requirements/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/base/abandoned.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::scenarios {

using models::Scenario;
using models::Store;
using models::UnusableRequest;

namespace {

constexpr std::array kShares{0.25, 0.5, 0.75};  ///< of the latency alone, along a trade curve
constexpr double kMostTogether = 100.0;
constexpr int kTriesToRaise = 8;
constexpr double kWithinOnCurves = 1.03;
constexpr double kNextToNothing = 1e-3;          ///< of what is asked: a job that lives with it does not need it
constexpr double kAnyStoresOperations = 1000.0;  ///< metadata operations per second, one by one in 1 ms each
constexpr double kLongestLatencyS = 10.0;
constexpr double kRestartS = 3600.0;  ///< in which a state may have to be moved

std::size_t index(StoreAxis axis) { return static_cast<std::size_t>(axis); }

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

/// A store by its figures, each as a strength; 0: ample.
using Strengths = std::array<double, kStoreAxes>;

/// One set of figures that holds as a whole: those of each alone, raised together, and what is not required at so
/// little that each alone holds with it.
class JointSet {
 public:
  JointSet(Probe& probe, const StoreQuestion& question, Requirements& found)
      : probe_(probe), question_(question), found_(found) {}

  void find() {
    const auto required = std::count_if(found_.figures.begin(), found_.figures.end(),
                                        [](const StoreRequirement& one) { return one.required; });
    if (required == 0) return;
    probe_.phase("all together");
    const bool alone_is_enough = required == 1 && probe_.look(scenario(raised(1.0))).holds();
    if (alone_is_enough) return;
    require_too();
    const AtStrength at = [this](double factor) { return scenario(raised(factor)); };
    const AtStrength below = [this](double factor) { return scenario(raised(factor), 1.0 - kStepBelow); };
    const std::optional<double> critical = critical_strength(probe_, at, {1.0 - kStepBelow, kMostTogether});
    Settled settled = settle(probe_, at, below, critical.value_or(1.0));
    for (int i = 0; i < kTriesToRaise && settled.at.decision != models::Ruling::pass; ++i) {
      settled.strength *= 1.0 + std::max(kStepBelow, found_.margin);
      const std::vector<Standing> both = probe_.decide_each({at(settled.strength), below(settled.strength)});
      settled = {settled.strength, both.front(), both.back()};
    }
    found_.together = settled.strength;
    loosen(raised(found_.together), std::move(settled));
  }

 private:
  Scenario scenario(const Strengths& strengths, double share = 1.0) const {
    std::vector<std::pair<StoreAxis, double>> values;
    for (const AxisTraits& one : kAxisTraits) {
      const StoreRequirement& figure = found_.figures[index(one.axis)];
      const double strength = strengths[index(one.axis)] * (figure.required ? share : 1.0);
      if (strength > 0.0) values.emplace_back(one.axis, figure_of(one.axis, strength));
    }
    return question_.with(values);
  }

  /// What is left of a figure that is not required. Writes stay ample: checkpoints that never end keep GPUs from
  /// training, and a share of the time that they wait for data says nothing then.
  double beside(StoreAxis axis) const { return axis == StoreAxis::write ? 0.0 : nothing_of(axis, found_.profile); }

  Strengths raised(double factor) const {
    Strengths strengths{};
    for (const StoreRequirement& one : found_.figures)
      strengths[index(one.axis)] = one.required ? together(one, factor) : beside(one.axis);
    return strengths;
  }

  /// A figure that no job needs where all others are ample may be needed where they are not.
  void require_too() {
    if (probe_.look(scenario(raised(kMostTogether))).holds()) return;
    for (StoreRequirement& one : found_.figures) {
      const double nothing = beside(one.axis);
      if (one.required || !(nothing > 0.0)) continue;
      Strengths others = raised(1.0 + found_.margin);
      for (const StoreRequirement& other : found_.figures)
        if (!other.required) others[index(other.axis)] = 0.0;
      const auto at = [&](double strength) {
        others[index(one.axis)] = strength;
        return scenario(others);
      };
      const auto critical = critical_strength(probe_, at, {nothing, ample_strength(one.axis)});
      if (!critical) continue;
      one.required = true;
      one.settled = settle(
          probe_, at, [&](double s) { return at((1.0 - kStepBelow) * s); }, *critical);
      one.alone = figure_of(one.axis, one.settled.strength);
      one.limit = one.settled.below.tightest();
    }
  }

  /// What holds beside the others as it is alone is not raised. Then what 5 % less of each figure does.
  void loosen(Strengths strengths, Settled settled) {
    for (const StoreRequirement& one : found_.figures) {
      const double alone = one.settled.strength;
      if (!one.required || !(alone < strengths[index(one.axis)])) continue;
      Strengths less = strengths;
      less[index(one.axis)] = alone;
      if (!probe_.look(scenario(less)).holds()) continue;
      Standing standing = probe_.decide(scenario(less));
      if (standing.decision != models::Ruling::pass) continue;
      strengths = less;
      settled.at = std::move(standing);
      settled.below = probe_.decide(scenario(strengths, 1.0 - kStepBelow));
    }
    std::vector<Scenario> below;
    for (StoreRequirement& one : found_.figures) {
      if (!one.required) continue;
      one.least = figure_of(one.axis, strengths[index(one.axis)]);
      Strengths less = strengths;
      less[index(one.axis)] *= 1.0 - kStepBelow;
      below.push_back(scenario(less));
    }
    std::vector<Standing> standings = probe_.decide_each(below);
    auto next = standings.begin();
    for (StoreRequirement& one : found_.figures)
      if (one.required) one.below_together = std::move(*next++);
    found_.joint_limit = settled.below.tightest();
    found_.joint = std::move(settled);
  }

  Probe& probe_;
  const StoreQuestion& question_;
  Requirements& found_;
};

void find_curves(Probe& probe, const StoreQuestion& question, Requirements& found) {
  const StoreRequirement& latency = found.figures[index(StoreAxis::latency)];
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
  const models::Outcome fed = probe.outcome(question.ample_scenario());
  found.profile = workload_profile(question.ample_scenario(), store, fed);
  found.at_ample = probe.decide(question.ample_scenario());
  found.possible = found.at_ample.decision != models::Ruling::fail;
  if (!found.possible)
    if (const auto binding = probe.outcome(question.ample_scenario(), true).binding)
      found.ample_waits = models::name(*binding);
  if (found.possible) {
    for (const AxisTraits& traits : kAxisTraits) {
      StoreRequirement figure = alone(probe, question, traits.axis, found.profile);
      if (!figure.required) figure.why_not = why_not(traits.axis, found.profile, scenario, scenario.stores[store]);
      found.figures.push_back(std::move(figure));
    }
    JointSet(probe, question, found).find();
    try {
      if (options.curves) find_curves(probe, question, found);
    } catch (const models::Abandoned&) {  // what is asked for is known by then
      if (options.probe.stop.stop_requested()) throw;
      found.curves_complete = false;
    }
  }
  add_margin(found);
  found.runs = probe.runs();
  found.estimates = probe.estimates();
  return found;
}

}  // namespace headrace::scenarios
