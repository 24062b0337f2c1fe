#include "models/hops/resource_floors.hpp"

#include <algorithm>
#include <cmath>

#include "models/hops/hop.hpp"

namespace headrace::models {

namespace {

using StageTimes = std::array<double, kStageCount>;

StageTimes stage_times_s(const IngestPath& path, const WindowShares& shares) {
  const Amounts amounts = mean_amounts(path, shares, 1.0);
  StageTimes time_s{};
  for (const StagedTerm& term : terms_of(path)) time_s[index(term.stage)] += term.time_s(amounts);
  return time_s;
}

/// Without what comes behind the worker.
StageTimes worker_times_s(const IngestPath& path, const WindowShares& shares) {
  StageTimes time_s = stage_times_s(path, shares);
  time_s[index(Stage::receive)] = 0.0;
  return time_s;
}

/// Batches that the workers of a loader bring at most: each has one, and a batch keeps its slot until the rank takes
/// it.
double batches_per_s(const IngestPath& path, double batch_s) {
  return std::min(path.workers / batch_s, path.outstanding / (batch_s + path.pin_s + path.receive_s));
}

double sum_of(const StageTimes& time_s) {
  double total_s = 0.0;
  for (const double stage_s : time_s) total_s += stage_s;
  return total_s;
}

Stage largest(const StageTimes& values) {
  return static_cast<Stage>(std::max_element(values.begin(), values.end()) - values.begin());
}

/// Share of the loaders that the fullest leaf or node carries.
double fullest_share(const IngestPath& path, Scope scope) {
  if (scope == Scope::leaf)
    return path.leaves > 1 ? std::min(1.0, path.nodes_per_leaf / static_cast<double>(path.nodes)) : 1.0;
  if (scope != Scope::node) return 1.0;
  return std::ceil(static_cast<double>(path.loaders) / std::min(path.nodes, path.loaders)) / path.loaders;
}

double demand_of(const Ask& ask, const Term& term, const Amounts& amounts) {
  return (ask.of ? amounts[*ask.of] : term.amount(amounts)) * ask.each;
}

/// What all hops ask of each resource, and the stage that asks most.
struct Demands {
  std::array<double, kResourceCount> of_resource{};
  std::array<StageTimes, kResourceCount> by_stage{};
};

Demands demands_of(const IngestPath& path) {
  const Amounts of_step = mean_amounts(path, path.shares(), path.loaders);
  const Amounts of_batch = mean_amounts(path, path.shares(), 1.0);
  const auto terms = terms_of(path);
  Demands demands;
  for (const StagedTerm* term_at = terms.end(); term_at != terms.begin();) {  // from the store on
    const StagedTerm& term = *--term_at;
    for (const Ask& ask : term.asks) {
      const bool of_loader = scope_of(path, ask.resource) == Scope::loader;
      const double demand = demand_of(ask, term, of_loader ? of_batch : of_step);
      demands.of_resource[index(ask.resource)] += demand;
      demands.by_stage[index(ask.resource)][index(term.stage)] += demand;
    }
  }
  return demands;
}

ResourceFloor floor_of(Resource resource, Stage stage, double capacity_per_s, double demand_per_step) {
  return {resource, stage, capacity_per_s, demand_per_step, demand_per_step / capacity_per_s};
}

}  // namespace

StageTimes mean_stage_times_s(const IngestPath& path) { return stage_times_s(path, path.shares()); }

double mean_batch_time_s(const IngestPath& path) { return mean_batch_time_s(path, path.shares()); }

double mean_batch_time_s(const IngestPath& path, const WindowShares& shares) {
  return sum_of(worker_times_s(path, shares));
}

double first_batch_s(const IngestPath& path) { return mean_batch_time_s(path) + path.pin_s + path.receive_s; }

double batch_demand(const IngestPath& path, Resource resource) {
  const Amounts amounts = mean_amounts(path, path.shares(), 1.0);
  double demand = 0.0;
  for (const StagedTerm& term : terms_of(path))
    for (const Ask& ask : term.asks)
      if (ask.resource == resource) demand += demand_of(ask, term, amounts);
  return demand;
}

double time_away_s(const IngestPath& path, Resource resource) {
  const Amounts amounts = mean_amounts(path, path.shares(), 1.0);
  double time_s = path.synchronous ? path.mean_fed_step_s() : 0.0;
  for (const StagedTerm& term : terms_of(path)) {
    if (term.holder != Holder::worker) continue;
    const bool asks = std::any_of(term.asks.begin(), term.asks.end(),
                                  [resource](const Ask& ask) { return ask.resource == resource; });
    if (!asks) time_s += term.time_s(amounts);
  }
  return time_s;
}

double node_bound_time_s(const IngestPath& path) {
  const Amounts amounts = mean_amounts(path, path.shares(), 1.0);
  double time_s = 0.0;
  for (const StagedTerm& term : terms_of(path))
    if (term.slowed) time_s += term.time_s(amounts);
  return time_s;
}

std::vector<ResourceFloor> resource_floors(const IngestPath& path) {
  const Demands demands = demands_of(path);
  const StageTimes time_s = worker_times_s(path, path.shares());
  std::vector<ResourceFloor> floors;
  if (const double batch_s = sum_of(time_s); batch_s > 0.0)
    floors.push_back(floor_of(Resource::workers, largest(time_s), batches_per_s(path, batch_s), 1.0));
  for (std::size_t i = 0; i < kResourceCount; ++i) {
    const auto resource = static_cast<Resource>(i);
    const std::optional<double> capacity = capacity_per_s(path, resource);
    const double demand = demands.of_resource[i] * fullest_share(path, scope_of(path, resource));
    if (capacity && demand > 0.0)
      floors.push_back(
          floor_of(resource, traits(resource).stage.value_or(largest(demands.by_stage[i])), *capacity, demand));
  }
  return floors;
}

double step_time_bound_s(const IngestPath& path) {
  double longest_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(path)) longest_s = std::max(longest_s, floor.step_time_s);
  const double step_s = path.mean_fed_step_s();
  return path.synchronous ? step_s + longest_s : std::max(step_s, longest_s);
}

}  // namespace headrace::models
