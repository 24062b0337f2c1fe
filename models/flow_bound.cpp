#include "models/flow_bound.hpp"

#include <algorithm>
#include <cmath>

#include "models/checkpoint_writes.hpp"
#include "models/cluster_outcome.hpp"
#include "models/cluster_plan.hpp"
#include "models/hit_profile.hpp"
#include "models/host_costs.hpp"
#include "models/interruptions.hpp"
#include "models/outcome_assembly.hpp"
#include "models/over_time.hpp"
#include "models/tier_path.hpp"
#include "models/unused_inputs.hpp"

namespace headrace::models {

namespace {

/// Mean demand of one step of the whole job.
struct StepDemand {
  double misses = 0.0;
  double hits = 0.0;
  double miss_bytes = 0.0;
  double hit_bytes = 0.0;
  double requests = 0.0;
  double opens = 0.0;
  double cpu_s = 0.0;
  double peer_bytes = 0.0;
  double shared_bytes = 0.0;
  double fill_bytes = 0.0;  ///< as if read from the cache's medium
};

/// Of one entry of the node's cache.
double cached_bytes(const IngestPath& path) {
  return path.holds_tensors ? path.tiers.cached_bytes : path.mean_sample_bytes();
}

StepDemand demand_of(const IngestPath& path) {
  const double samples = static_cast<double>(path.loaders) * path.batch_samples;
  StepDemand demand;
  demand.hits = samples * path.hit_ratio;
  const TierShares& shares = path.tiers.shares;
  demand.misses = std::max(0.0, samples - demand.hits - samples * shares.read());
  demand.miss_bytes = demand.misses * path.mean_sample_bytes() * path.miss_bytes_factor;
  demand.hit_bytes = demand.hits * cached_bytes(path);
  demand.peer_bytes = samples * shares.peer * cached_bytes(path);
  demand.shared_bytes = samples * shares.shared * path.mean_sample_bytes();
  demand.fill_bytes = samples * shares.fill * cached_bytes(path) * path.tiers.fill_weight;
  demand.requests = demand.misses * path.requests_per_sample;
  demand.opens = demand.misses * path.opens_per_sample;
  // As the sum of the samples' own work and what the host adds, so that nothing moves where it adds nothing.
  const double added_s = node_decode_s(path) - path.batch_samples * path.cpu_s_per_sample.mean();
  demand.cpu_s = samples * path.decoded_ratio() * (path.cpu_s_per_sample.mean() + path.fault_s_per_sample) +
                 path.loaders * (path.decoded_ratio() * added_s + protocol_cpu_s(path));
  return demand;
}

void add_floor(std::vector<ResourceFloor>& floors, std::string_view name, Stage stage, std::string_view unit,
               double capacity_per_s, double demand_per_step) {
  if (!(capacity_per_s > 0.0) || !(demand_per_step > 0.0)) return;
  floors.push_back({name, stage, unit, capacity_per_s, demand_per_step, demand_per_step / capacity_per_s});
}

/// The stage in which a worker spends most of its time.
Stage longest_stage(const IngestPath& path) {
  const std::array<double, kStageCount> time_s = mean_stage_times_s(path);
  return static_cast<Stage>(std::max_element(time_s.begin(), time_s.end()) - time_s.begin());
}

/// Share of the loaders that the fullest leaf or node carries.
double fullest_share(std::uint32_t loaders, std::uint32_t groups) {
  return std::ceil(static_cast<double>(loaders) / groups) / loaders;
}

/// Time of a batch's samples at tiers other than the node's cache and the store.
void add_tier_times(const IngestPath& path, double samples, std::array<double, kStageCount>& time_s) {
  const TierPath& tiers = path.tiers;
  const double bytes = path.mean_sample_bytes();
  const auto over = [](double amount, double rate) { return rate > 0.0 ? amount / rate : 0.0; };
  const double peer_bytes = samples * tiers.shares.peer * cached_bytes(path);
  time_s[index(Stage::peer)] =
      samples * tiers.shares.peer * tiers.peer_latency_s.mean() / path.lanes + over(peer_bytes, tiers.peer_bytes_per_s);
  time_s[index(Stage::shared_cache)] = samples * tiers.shares.shared * tiers.shared_latency_s.mean() / path.lanes +
                                       over(samples * tiers.shares.shared * bytes, tiers.shared_bytes_per_s);
  time_s[index(Stage::cache)] += over(samples * tiers.shares.page * bytes, tiers.page_bytes_per_s) +
                                 over(peer_bytes + samples * tiers.shares.fill * cached_bytes(path) * tiers.fill_weight,
                                      path.cache.capacity_per_s);
}

}  // namespace

std::array<double, kStageCount> mean_stage_times_s(const IngestPath& path) {
  const double samples = path.batch_samples;
  const double hits = samples * path.hit_ratio;
  const TierPath& tiers = path.tiers;
  const double misses = std::max(0.0, samples - hits - samples * tiers.shares.read());
  const double lanes = path.lanes;
  const double store_lanes = path.store_lanes;
  const double bytes = path.mean_sample_bytes();
  std::array<double, kStageCount> time_s{};
  time_s[index(Stage::cache)] = hits * path.cache_latency_s.mean() / lanes;
  if (path.cache.capacity_per_s > 0.0)
    time_s[index(Stage::cache)] += hits * cached_bytes(path) / path.cache.capacity_per_s;
  if (tiers.shares.any()) add_tier_times(path, samples, time_s);
  time_s[index(Stage::metadata)] = misses * path.opens_per_sample * path.metadata_latency_s.mean() / store_lanes;
  time_s[index(Stage::request)] = misses * path.requests_per_sample * path.request_latency_s.mean() / store_lanes;
  if (path.flow_cap_bytes_per_s > 0.0)
    time_s[index(Stage::transfer)] = misses * bytes * path.miss_bytes_factor / path.flow_cap_bytes_per_s;
  const HostCosts& host = path.host;
  time_s[index(Stage::decode)] =
      path.decoded_ratio() * node_decode_s(path) + samples * path.decoded_ratio() * path.fault_s_per_sample;
  if (host.remote.capacity_per_s > 0.0)
    time_s[index(Stage::decode)] += samples * path.decoded_ratio() / host.remote.per_worker_per_s;
  time_s[index(Stage::protocol)] =
      protocol_cpu_s(path) +
      misses * (path.opens_per_sample * host.delay_per_open_s + path.requests_per_sample * host.delay_per_request_s) /
          lanes;
  if (host.memory.capacity_per_s > 0.0)
    time_s[index(Stage::memory)] = memory_traffic_bytes(path) / host.memory.capacity_per_s;
  if (path.copy_bytes_per_s > 0.0)
    time_s[index(Stage::copy)] = samples * path.memory_bytes_per_sample / path.copy_bytes_per_s;
  time_s[index(Stage::lock)] = path.lock_s;
  return time_s;
}

double mean_batch_time_s(const IngestPath& path) {
  double total_s = 0.0;
  for (const double stage_s : mean_stage_times_s(path)) total_s += stage_s;
  return total_s;
}

std::vector<ResourceFloor> resource_floors(const IngestPath& path) {
  const StepDemand demand = demand_of(path);
  const double nodes = path.nodes;
  const double busiest_node = fullest_share(path.loaders, std::min(path.nodes, path.loaders));
  std::vector<ResourceFloor> floors;
  const double workers = std::min(path.workers, path.outstanding);
  add_floor(floors, "workers", longest_stage(path), "batches/s", workers / mean_batch_time_s(path), 1.0);
  add_floor(floors, "cache", Stage::cache, "B/s", path.cache.capacity_per_s,
            (demand.hit_bytes + demand.peer_bytes + demand.fill_bytes) * busiest_node);
  add_floor(floors, "metadata", Stage::metadata, "servers", path.metadata.capacity_per_s,
            demand.opens * path.metadata_latency_s.mean());
  add_floor(floors, "request limit", Stage::throttle, "requests/s", path.limit_requests_per_s, demand.requests);
  if (path.local_store) {
    add_floor(floors, "store requests", Stage::request, "requests/s", path.requests.capacity_per_s,
              demand.requests * busiest_node);
    add_floor(floors, "local drive", Stage::transfer, "B/s", path.device.capacity_per_s,
              demand.miss_bytes * busiest_node);
  } else {
    const double busiest_leaf = path.leaves > 1 ? std::min(1.0, path.nodes_per_leaf / nodes) : 1.0;
    add_floor(floors, "store requests", Stage::request, "requests/s", path.requests.capacity_per_s, demand.requests);
    const double given_bytes = demand.miss_bytes * path.host.store_share;
    add_floor(floors, "store bandwidth", Stage::transfer, "B/s", path.store_bytes_per_s, given_bytes);
    add_floor(floors, "store front end", Stage::transfer, "B/s", path.front_end_bytes_per_s, given_bytes);
    const double across = demand.miss_bytes + demand.shared_bytes + demand.peer_bytes * path.tiers.across_leaves;
    const double taken_in = demand.miss_bytes + demand.shared_bytes + demand.peer_bytes;
    add_floor(floors, "shared cache", Stage::shared_cache, "B/s", path.tiers.shared_capacity_bytes_per_s,
              demand.shared_bytes);
    add_floor(floors, "spine", Stage::transfer, "B/s", path.spine_bytes_per_s, across);
    add_floor(floors, "leaf uplink", Stage::transfer, "B/s", path.leaf_bytes_per_s, across * busiest_leaf);
    add_floor(floors, "nic", Stage::transfer, "B/s", path.nic_bytes_per_s, taken_in * busiest_node);
  }
  const Stage on_cores = protocol_cpu_s(path) > node_decode_s(path) ? Stage::protocol : Stage::decode;
  add_floor(floors, "cores", on_cores, "cores", path.cpu.capacity_per_s, demand.cpu_s * busiest_node);
  const double decoded = static_cast<double>(path.loaders) * path.batch_samples * path.decoded_ratio();
  add_floor(floors, "remote pool", Stage::decode, "samples/s", path.host.remote.capacity_per_s, decoded);
  add_floor(floors, "host memory", Stage::memory, "B/s", path.host.memory.capacity_per_s,
            memory_traffic_bytes(path) * path.loaders * busiest_node);
  add_floor(floors, "hand-over lock", Stage::lock, "batches/s", path.lock_s > 0.0 ? 1.0 / path.lock_s : 0.0, 1.0);
  return floors;
}

double step_time_bound_s(const IngestPath& path) {
  double longest_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(path)) longest_s = std::max(longest_s, floor.step_time_s);
  const double step_s = path.mean_step_floor_s();
  return path.synchronous ? step_s + longest_s : std::max(step_s, longest_s);
}

namespace {

/// Without faults that slow the job down.
Outcome healthy_flow_bound(const Scenario& scenario) {
  IngestPath path = resolve_path(scenario, 0, {});
  const std::vector<EpochWindow> windows = closed_form_windows(scenario, 0);
  Outcome outcome;
  outcome.stopped_by = "closed_form";
  double step_s = 0.0;
  for (const EpochWindow& window : windows) {
    enter_window(path, window);
    const double bound_s = step_time_bound_s(path);
    step_s += window.weight * bound_s;
    outcome.windows.push_back({window.position, window.weight, window.hit_ratio, bound_s, 0, 0});
  }
  assemble_closed_form(scenario, windows, step_s, AnswerKind::bound, outcome);
  add_interruptions(scenario, outcome);
  return outcome;
}

/// What others take is not subtracted: a job beside them is never faster than alone.
Outcome bound_of_each(const Scenario& scenario) {
  std::vector<JobOutcome> outcomes;
  for (std::size_t job = 0; job < scenario.jobs.size(); ++job) {
    const JobOutcome one{job, healthy_flow_bound(less_mean_writes(job_alone(scenario, job)))};
    outcomes.insert(outcomes.end(), scenario.jobs[job].copies, one);
  }
  return merge_jobs(scenario, loads_asked(scenario), std::move(outcomes));
}

}  // namespace

Outcome flow_bound(const Scenario& scenario) {
  Outcome outcome = bound_over_time(scenario, [](const Scenario& state) {
    return is_shared(state) ? bound_of_each(state) : healthy_flow_bound(state);
  });
  warn_of_unused_inputs(scenario, outcome);
  return outcome;
}

}  // namespace headrace::models
