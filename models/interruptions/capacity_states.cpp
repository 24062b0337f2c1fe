#include "models/interruptions/capacity_states.hpp"

#include <algorithm>
#include <cmath>  // std::floor only

#include "models/cluster/fair_share.hpp"
#include "models/hops/resource_floors.hpp"
#include "models/interruptions/time_states.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/evidence.hpp"
#include "models/outcome/ledger.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

/// Equal capacities are one state.
void add(std::vector<CapacityState>& states, const CapacityState& state) {
  if (!(state.lasting_s > 0.0)) return;
  for (CapacityState& known : states)
    if (known.factor == state.factor && known.changing == state.changing) {
      known.lasting_s += state.lasting_s;
      return;
    }
  states.push_back(state);
}

std::vector<CapacityState> planned_states(const CapacitySchedule& schedule) {
  constexpr int kLevels = 4;
  std::vector<CapacityState> states;
  const std::size_t steps = schedule.steps.size();
  for (std::size_t i = 0; i < steps; ++i) {
    const double end_s = i + 1 < steps ? schedule.steps[i + 1].at_s : schedule.period_s + schedule.steps.front().at_s;
    const double before = schedule.steps[(i + steps - 1) % steps].factor;
    const double factor = schedule.steps[i].factor;
    const double lasting_s = end_s - schedule.steps[i].at_s;
    const double ramp_s = before != factor ? std::min(schedule.ramp_s, lasting_s) : 0.0;
    for (int level = 0; level < kLevels; ++level)
      add(states, {ramp_s / kLevels, before + (factor - before) * (level + 0.5) / kLevels, true});
    add(states, {lasting_s - ramp_s, factor, false});
  }
  return states;
}

std::vector<CapacityState> controlled_states(const Autoscaling& control, double load) {
  constexpr std::size_t kMostStates = 64;  // each is answered on its own
  std::vector<CapacityState> states;
  double left_s = control.busy_s;
  double factor = 1.0;
  while (load / factor > control.threshold && factor < control.most && left_s > control.delay_s &&
         states.size() < kMostStates) {
    states.push_back({control.delay_s, factor, true});
    left_s -= control.delay_s;
    factor = std::min(control.most, factor + control.step);
  }
  states.push_back({left_s, factor, false});
  return states;
}

Scenario at_capacity(const Scenario& scenario, std::size_t s, double factor) {
  Scenario state = scenario;
  Store& store = state.stores[s];
  store.schedule.reset();
  scale_store(store, factor, factor);
  store.write_bandwidth_bytes_per_s *= factor;
  if (store.write_cache) store.write_cache->slow_down(factor);
  if (store.metadata.servers)
    store.metadata.servers = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::floor(static_cast<double>(*store.metadata.servers) * factor)));
  return state;
}

/// What the first epoch would take if all of it fell into one state.
struct EpochAtCapacity {
  double factor = 1.0;
  double lasting_s = 0.0;
  double epoch_s = 0.0;
  double first_step_s = 0.0;
};

/// Under a controller training begins at the smallest capacity, and the first epoch goes on through the states in
/// turn, day after day, until its work is done.
void begin_small(std::vector<EpochAtCapacity> states, Outcome& outcome) {
  std::sort(states.begin(), states.end(), [](const auto& a, const auto& b) { return a.factor < b.factor; });
  double done_a_day = 0.0;
  double day_s = 0.0;
  for (const EpochAtCapacity& state : states) {
    if (!(state.epoch_s > 0.0)) return;
    done_a_day += state.lasting_s / state.epoch_s;
    day_s += state.lasting_s;
  }
  if (!(done_a_day > 0.0)) return;
  const double days = std::floor(1.0 / done_a_day);
  double left = 1.0 - days * done_a_day;
  double first_s = days * day_s;
  for (const EpochAtCapacity& state : states) {
    const double taken_s = std::min(state.lasting_s, left * state.epoch_s);
    first_s += taken_s;
    left -= taken_s / state.epoch_s;
  }
  for (Metric& metric : outcome.metrics) {
    const bool of_epoch = metric.name == "first_epoch_time_s";
    if (!of_epoch && metric.name != "time_to_first_step_s") continue;
    metric.mean = of_epoch ? first_s : states.front().first_step_s;
    metric.ci95.reset();
  }
}

void charge(const CapacitySchedule& schedule, double factor, Outcome& outcome) {
  if (!(schedule.usd_per_hour > 0.0)) return;
  const Metric* epoch = outcome.find("epoch_time_s");
  if (epoch == nullptr) return;
  // Capacity is paid for while nobody trains, too.
  const double calendar = schedule.autoscaling ? schedule.period_s / schedule.autoscaling->busy_s : 1.0;
  const double hours = epoch->mean * calendar * factor / 3600.0;
  const double usd = hours * schedule.usd_per_hour;
  outcome.ledger.push_back(ledger_line(LedgerItem::store_capacity, hours, usd));
  const double before_usd = mean_in(outcome.metrics, "cost_per_epoch_usd");
  for (Metric& metric : outcome.metrics) {
    if (metric.name != "cost_per_epoch_usd") continue;
    metric.mean += usd;
    if (metric.ci95) metric.ci95 = Interval{metric.ci95->low + usd, metric.ci95->high + usd};
  }
  keep_useful_hours(before_usd, outcome.metrics);
}

}  // namespace

std::vector<CapacityState> capacity_states(const CapacitySchedule& schedule, double load) {
  return schedule.autoscaling ? controlled_states(*schedule.autoscaling, load) : planned_states(schedule);
}

double mean_capacity_factor(const CapacitySchedule& schedule, double load) {
  const std::vector<CapacityState> states = capacity_states(schedule, load);
  double sum_s = 0.0;
  for (const CapacityState& state : states) sum_s += state.lasting_s * state.factor;
  if (!schedule.autoscaling) return sum_s / schedule.period_s;
  // The controller takes a delay to find out that nobody trains any more.
  const double rest_s = schedule.period_s - schedule.autoscaling->busy_s;
  const double after_s = std::min(rest_s, schedule.autoscaling->delay_s);
  return (sum_s + after_s * states.back().factor + (rest_s - after_s)) / schedule.period_s;
}

double offered_load(const Scenario& scenario, const Store& store) {
  double bandwidth = 0.0;
  double requests = 0.0;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) {
    if (dataset_of(scenario, scenario.jobs[job]).store != store.name) continue;
    const IngestPath path = in_window(resolve_path(scenario, job, {}), mean_window(closed_form_windows(scenario, job)));
    double step_s = path.mean_step_floor_s();
    double bytes_s = 0.0;
    double requests_s = 0.0;
    for (const ResourceFloor& floor : resource_floors(path)) {
      if (floor.resource == Resource::store_bandwidth)
        bytes_s = floor.step_time_s;
      else if (floor.resource == Resource::store_requests)
        requests_s = floor.step_time_s;
      else
        step_s = std::max(step_s, floor.step_time_s);
    }
    bandwidth += static_cast<double>(scenario.jobs[job].copies) * bytes_s / step_s;
    requests += static_cast<double>(scenario.jobs[job].copies) * requests_s / step_s;
  }
  return std::max(bandwidth, requests);
}

Outcome with_capacity_schedule(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer) {
  const auto found = std::find_if(scenario.stores.begin(), scenario.stores.end(),
                                  [](const Store& store) { return store.schedule.has_value(); });
  if (found == scenario.stores.end()) return answer(scenario);
  const CapacitySchedule& schedule = *found->schedule;
  const auto s = static_cast<std::size_t>(found - scenario.stores.begin());
  const double load = offered_load(scenario, *found);
  std::vector<CapacityState> capacities = capacity_states(schedule, load);
  // The capacity that lasts longest gives the outcome its shape.
  std::stable_sort(capacities.begin(), capacities.end(),
                   [](const CapacityState& a, const CapacityState& b) { return a.lasting_s > b.lasting_s; });
  double all_s = 0.0;
  for (const CapacityState& state : capacities) all_s += state.lasting_s;
  std::vector<Outcome> outcomes;
  outcomes.reserve(capacities.size());
  std::vector<TimeState> states;
  std::vector<EpochAtCapacity> epochs;
  double ramp_s = 0.0;
  double idle_s = 0.0;
  for (const CapacityState& state : capacities) {
    outcomes.push_back(answer(at_capacity(scenario, s, state.factor)));
    states.push_back({state.lasting_s / all_s, &outcomes.back()});
    if (const Metric* epoch = outcomes.back().find("first_epoch_time_s"))
      epochs.push_back(
          {state.factor, state.lasting_s, epoch->mean, mean_in(outcomes.back().metrics, "time_to_first_step_s")});
    if (!state.changing) continue;
    ramp_s += state.lasting_s;
    if (const Metric* idle = outcomes.back().find("gpu_idle_fraction")) idle_s += idle->mean * state.lasting_s;
  }
  Outcome outcome = averaged_over_time(scenario, states);
  outcome.evidence.not_validated.emplace_back(kCapacityNotValidated);
  const double factor = mean_capacity_factor(schedule, load);
  const AnswerKind kind = outcome.metrics.front().kind;
  outcome.metrics.push_back({"store_capacity_factor", factor, {}, {}, kind});
  outcome.metrics.push_back({"store_ramp_s", ramp_s, {}, {}, kind});
  outcome.metrics.push_back({"store_ramp_idle_s", idle_s, {}, {}, kind});
  if (schedule.autoscaling && (outcome.jobs.empty() || !outcome.jobs.front().is_beside_others()))
    begin_small(std::move(epochs), outcome);
  charge(schedule, factor, outcome);
  outcome.restate_lone_job();
  return outcome;
}

}  // namespace headrace::models
