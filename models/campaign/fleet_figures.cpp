#include "models/campaign/fleet_figures.hpp"

#include <algorithm>
#include <cmath>  // std::ceil only

namespace headrace::models {

namespace {

/// Quantiles have intervals over so many groups of replications.
constexpr std::size_t kQuantileGroups = 20;

double quantile_of(std::vector<double>& values, double p) {
  const auto n = static_cast<double>(values.size());
  const auto place = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(n * p) - 1.0, 0.0, n - 1.0));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

/// Of the values of all replications; its interval is that of the quantiles of groups of them.
std::optional<CampaignFigure> pooled_quantile(const std::vector<std::vector<double>>& values, double p) {
  std::vector<double> all;
  std::vector<std::vector<double>> groups(std::min(kQuantileGroups, values.size()));
  for (std::size_t r = 0; r < values.size(); ++r) {
    all.insert(all.end(), values[r].begin(), values[r].end());
    std::vector<double>& group = groups[r * groups.size() / values.size()];
    group.insert(group.end(), values[r].begin(), values[r].end());
  }
  if (all.empty()) return std::nullopt;
  std::vector<double> quantiles;
  for (std::vector<double>& group : groups)
    if (!group.empty()) quantiles.push_back(quantile_of(group, p));
  CampaignFigure figure = campaign_figure(quantiles);
  const double mean = quantile_of(all, p);
  if (figure.ci95)
    figure.ci95 = Interval{figure.ci95->low + mean - figure.mean, figure.ci95->high + mean - figure.mean};
  if (figure.ci95) figure.ci95->low = std::max(figure.ci95->low, 0.0);
  figure.mean = mean;
  return figure;
}

/// Of a value of each replication.
template <class Value>
CampaignFigure figure_over(const std::vector<FleetHistory>& histories, Value value) {
  std::vector<double> values;
  for (const FleetHistory& history : histories) values.push_back(value(history));
  return campaign_figure(values);
}

/// Of a part in a whole, both over all replications; 0 of nothing.
template <class Part, class Whole>
CampaignFigure share_over(const std::vector<FleetHistory>& histories, Part part, Whole whole) {
  std::vector<double> parts;
  std::vector<double> wholes;
  for (const FleetHistory& history : histories) {
    parts.push_back(part(history));
    wholes.push_back(whole(history));
  }
  return campaign_ratio(parts, wholes).value_or(CampaignFigure{});
}

double alone_s(const FleetClass& job) {
  const double work_s = job.work_s.mean();
  const double stalls = job.course.interval_s > 0.0 ? work_s / job.course.interval_s * job.course.stall_s : 0.0;
  const double cold_s = std::min(job.course.cold_work_s, work_s) * (1.0 / job.course.cold_speed - 1.0);
  return job.phases.cold_start_s() + work_s + cold_s + stalls;
}

FleetClassOutcome class_outcome(const FleetPlan& plan, std::size_t k, const std::vector<FleetHistory>& histories) {
  const FleetClass& job = plan.classes[k];
  const auto of = [&](auto value) {
    return figure_over(histories, [&](const FleetHistory& h) { return static_cast<double>(value(h.classes[k])); });
  };
  const double hours = job.gpus / kHourSeconds;
  FleetClassOutcome one;
  one.name = job.name;
  one.pool = plan.pools[job.pool].name;
  one.nodes = static_cast<double>(job.nodes);
  one.gpus = job.gpus;
  one.priority = job.priority;
  one.alone_s = alone_s(job);
  one.arrived = of([](const FleetClassHistory& h) { return h.arrived; });
  one.started = of([](const FleetClassHistory& h) { return h.started; });
  one.finished = of([](const FleetClassHistory& h) { return h.finished; });
  one.preemptions = of([](const FleetClassHistory& h) { return h.preemptions; });
  one.failures = of([](const FleetClassHistory& h) { return h.failures + h.reclaims; });
  one.gpu_hours = of([&](const FleetClassHistory& h) { return h.held_s * hours; });
  one.useful_gpu_hours = of([&](const FleetClassHistory& h) { return h.useful_s * hours; });
  one.goodput = share_over(
      histories, [k](const FleetHistory& h) { return h.classes[k].useful_s; },
      [k](const FleetHistory& h) { return h.classes[k].held_s; });
  std::vector<std::vector<double>> waits_s;
  std::vector<std::vector<double>> completions_s;
  LossHistories lost_s;
  for (const FleetHistory& history : histories) {
    waits_s.push_back(history.classes[k].waits_s);
    completions_s.push_back(history.classes[k].completions_s);
    for (std::size_t c = 0; c < kLossCauseCount; ++c) lost_s[c].push_back(history.classes[k].lost_s[c]);
  }
  one.wait = fleet_times(waits_s);
  one.completion = fleet_times(completions_s);
  one.losses = campaign_losses(lost_s, hours, one.gpu_hours.mean);
  return one;
}

FleetPoolOutcome pool_outcome(const FleetPlan& plan, std::size_t p, const std::vector<FleetHistory>& histories) {
  const FleetPool& pool = plan.pools[p];
  FleetPoolOutcome one;
  one.name = pool.name;
  one.nodes = static_cast<double>(pool.nodes);
  one.gpus = one.nodes * pool.gpus_per_node;
  const auto share = [&](auto node_s) {
    return share_over(histories, node_s, [&](const FleetHistory& h) { return h.elapsed_s * one.nodes; });
  };
  one.queued = share([&](const FleetHistory& h) { return h.pools[p].queued_s; });
  one.idle = share([&](const FleetHistory& h) { return h.pools[p].idle_s; });
  one.used =
      share([&](const FleetHistory& h) { return h.elapsed_s * one.nodes - h.pools[p].queued_s - h.pools[p].idle_s; });
  return one;
}

/// GPU seconds of one campaign, by cause.
LossTimes lost_gpu_s(const FleetPlan& plan, const FleetHistory& history) {
  LossTimes lost{};
  for (std::size_t k = 0; k < plan.classes.size(); ++k) {
    const FleetClass& job = plan.classes[k];
    for (std::size_t c = 0; c < kLossCauseCount; ++c) lost[c] += history.classes[k].lost_s[c] * job.gpus;
    const double held_gpus = static_cast<double>(job.nodes) * plan.pools[job.pool].gpus_per_node;
    time_of(lost, LossCause::unused_gpus) += history.classes[k].held_s * (held_gpus - job.gpus);
  }
  for (std::size_t p = 0; p < plan.pools.size(); ++p) {
    time_of(lost, LossCause::queued) += history.pools[p].queued_s * plan.pools[p].gpus_per_node;
    time_of(lost, LossCause::idle) += history.pools[p].idle_s * plan.pools[p].gpus_per_node;
  }
  return lost;
}

double held_gpu_s(const FleetPlan& plan, const FleetHistory& history) {
  double held = 0.0;
  for (std::size_t k = 0; k < plan.classes.size(); ++k) {
    const FleetClass& job = plan.classes[k];
    held += history.classes[k].held_s * static_cast<double>(job.nodes) * plan.pools[job.pool].gpus_per_node;
  }
  return held;
}

}  // namespace

double useful_gpu_s_of(const FleetPlan& plan, const FleetHistory& history) {
  double useful = 0.0;
  for (std::size_t k = 0; k < plan.classes.size(); ++k) useful += history.classes[k].useful_s * plan.classes[k].gpus;
  return useful;
}

FleetTimes fleet_times(const std::vector<std::vector<double>>& times_s) {
  std::vector<double> means;
  for (const std::vector<double>& of_one : times_s) {
    if (of_one.empty()) continue;
    double sum = 0.0;
    for (const double time_s : of_one) sum += time_s;
    means.push_back(sum / static_cast<double>(of_one.size()));
  }
  if (means.empty()) return {};
  return {campaign_figure(means), pooled_quantile(times_s, 0.5), pooled_quantile(times_s, 0.99)};
}

void add_fleet_figures(const FleetPlan& plan, const std::vector<FleetHistory>& histories, FleetOutcome& outcome) {
  outcome.gpus = 0.0;
  for (const FleetPool& pool : plan.pools) outcome.gpus += static_cast<double>(pool.nodes) * pool.gpus_per_node;
  const double hour = 1.0 / kHourSeconds;
  const auto of = [&](auto value) { return figure_over(histories, value); };
  const double gpus = outcome.gpus;
  outcome.elapsed_s = of([](const FleetHistory& h) { return h.elapsed_s; });
  outcome.gpu_hours = of([&](const FleetHistory& h) { return h.elapsed_s * gpus * hour; });
  outcome.held_gpu_hours = of([&](const FleetHistory& h) { return held_gpu_s(plan, h) * hour; });
  const auto useful_gpu_s = [&](const FleetHistory& h) { return useful_gpu_s_of(plan, h); };
  outcome.useful_gpu_hours = of([&](const FleetHistory& h) { return useful_gpu_s(h) * hour; });
  outcome.goodput = share_over(histories, useful_gpu_s, [&](const FleetHistory& h) { return held_gpu_s(plan, h); });
  outcome.useful_share = share_over(histories, useful_gpu_s, [&](const FleetHistory& h) { return h.elapsed_s * gpus; });
  LossHistories lost_s;
  for (const FleetHistory& history : histories) {
    const LossTimes lost = lost_gpu_s(plan, history);
    for (std::size_t c = 0; c < kLossCauseCount; ++c) lost_s[c].push_back(lost[c]);
  }
  outcome.losses = campaign_losses(lost_s, hour, outcome.gpu_hours.mean);
  for (std::size_t k = 0; k < plan.classes.size(); ++k) outcome.classes.push_back(class_outcome(plan, k, histories));
  for (std::size_t p = 0; p < plan.pools.size(); ++p) outcome.pools.push_back(pool_outcome(plan, p, histories));
}

}  // namespace headrace::models
