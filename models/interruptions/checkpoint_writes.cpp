#include "models/interruptions/checkpoint_writes.hpp"

#include <algorithm>

#include "models/base/limits.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/fair_share.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/interruptions/snapshot_copy.hpp"
#include "models/interruptions/time_states.hpp"
#include "models/outcome/cluster_outcome.hpp"
#include "models/outcome/evidence.hpp"
#include "models/path/checkpoint_times.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

/// States of less time than this are left out.
constexpr double kLeastShare = 1e-4;
/// Writers send on without waiting for an answer to every request.
constexpr double kWrittenAtOnce = 64.0 * 1024 * 1024;
/// Slow writers send pieces of so many steps, so that a run sees many of them.
constexpr double kStepsOfPiece = 10.0;
constexpr double kLeastWritten = 1024.0 * 1024;
/// A flow that is always behind: its clients ask for as much more than they get. Of a time between their requests of
/// mean 1/kEager they wait 1/e, which writers do not.
constexpr double kEager = 100.0;
/// Oversubscription of a spine that never limits.
constexpr double kWideSpine = 1e-6;
/// Writers of one node that the engine keeps apart.
constexpr double kMostNodeWriters = 64.0;

bool any_checkpoint(const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                     [](const Job& job) { return job.checkpoint.has_value(); });
}

/// What the engine cannot put background load beside sees a store from which the writes' share is taken.
bool takes_background(const Scenario& scenario) {
  if (scenario.fabric.collectives != CollectiveTraffic::separate) return false;
  for (const Store& store : scenario.stores)
    if (store.cache) return false;
  for (const Pool& pool : scenario.cluster.pools)
    if (pool.cache.scope == CacheScope::partitioned) return false;
  return std::all_of(scenario.jobs.begin(), scenario.jobs.end(), [](const Job& job) {
    return job.placement == Placement::packed && job.loader.preprocessing != Preprocessing::remote_pool;
  });
}

double write_weight(double read_bytes_per_s, double write_bytes_per_s) {
  return write_bytes_per_s > 0.0 ? read_bytes_per_s / write_bytes_per_s : 1.0;
}

Pool& pool_named(Scenario& scenario, const std::string& name) {
  for (Pool& pool : scenario.cluster.pools)
    if (pool.name == name) return pool;
  throw std::out_of_range("no pool named '" + name + "'");
}

Store& store_named(Scenario& scenario, const std::string& name) {
  for (Store& store : scenario.stores)
    if (store.name == name) return store;
  throw std::out_of_range("no store named '" + name + "'");
}

/// A resource that the nodes of a job have for themselves, and what a step of its checkpoint asks of it.
struct NodeLoad {
  enum class Kind { drive, cache, nic } kind = Kind::drive;
  double capacity_per_s = 0.0;
  double reads_per_s = 0.0;
  double hands = 1.0;
  double away_s = 0.0;       ///< of a batch, for each byte that it reads here
  double asked_per_s = 0.0;  ///< by the checkpoint, in bytes of reading
  std::string store;         ///< of a drive
};

/// One step on the way of one job's checkpoint.
class Step {
 public:
  Step(const Scenario& scenario, std::size_t job, std::size_t step)
      : scenario_(scenario),
        job_(scenario.jobs[job]),
        index_(job),
        step_(step),
        path_(resolve_path(scenario, job, {})) {
    const Checkpoint& checkpoint = *job_.checkpoint;
    const std::vector<CheckpointPlace> places = checkpoint_places(scenario, checkpoint);
    place_ = places[step];
    alone_s_ = checkpoint_save_s(checkpoint, *place_.store, path_, place_.peer);
    bytes_per_s_ = checkpoint_bytes(checkpoint, path_) / alone_s_;
    written_bytes_per_s_ = place_.store->write_cache
                               ? written_bytes_per_s(checkpoint, *place_.store, path_, place_.peer)
                               : place_.store->write_bandwidth_bytes_per_s;
    writers_ = std::max(1.0, checkpoint_writers(checkpoint, path_));
    nodes_ = writing_nodes(checkpoint, path_);
    stops_job_ = step == 0 && checkpoint.mode == CheckpointMode::sync;
    if (stops_job_) return;
    const bool own_nodes =
        job_.copies == 1 && std::count_if(scenario.jobs.begin(), scenario.jobs.end(),
                                          [&](const Job& other) { return other.pool == job_.pool; }) == 1;
    if (!own_nodes) return;
    if (is_local(place_.store->kind)) load_drives(*place_.store, true);
    if (step > 0 && is_local(places[step - 1].store->kind)) load_drives(*places[step - 1].store, false);
    if (place_.peer) add(NodeLoad::Kind::nic, Resource::nic, 1.0);
  }

  double alone_s() const { return alone_s_; }

  /// The state while this step lasts, its duration filled in; no share of the time if nobody reads what it uses.
  WriteState state() const {
    WriteState state;
    state.job = index_;
    state.step = step_;
    state.alone_s = state.duration_s = state.least_s = alone_s_;
    state.bytes_per_s = bytes_per_s_;
    const bool on_store = place_.store->is_shared() && readers_left();
    if (!on_store && loads_.empty()) return state;
    state.scenario = scenario_;
    if (stops_job_) leave_out_job(state.scenario);
    const double part = on_store ? add_writes(state) : 1.0;
    double on_nodes = 1.0;
    for (const NodeLoad& load : loads_) on_nodes = std::min(on_nodes, part_of(load));
    const double slowest = std::min(part, on_nodes);
    for (const NodeLoad& load : loads_) take(load, slowest, state.scenario);
    if (!stops_job_) state.scenario.jobs[index_].checkpoint->node_flows = node_flows(part);
    state.duration_s = alone_s_ / slowest;
    state.least_s = alone_s_ / on_nodes;
    state.share = 1.0;
    return state;
  }

  /// Takes the mean that the step asks for, `busy` of the time, from what the job reads.
  void take_mean(double busy, Scenario& scenario) const {
    constexpr double kLeastLeft = 0.01;
    if (stops_job_) return;
    for (NodeLoad load : loads_) {
      load.reads_per_s = load.capacity_per_s;  // whatever the writes ask for they get
      load.hands = 1e-9;
      load.away_s = 0.0;
      load.asked_per_s = std::min(load.asked_per_s * busy, (1.0 - kLeastLeft) * load.capacity_per_s);
      take(load, 1.0, scenario);
    }
    if (!place_.store->is_shared() || dataset_of(scenario_, job_).store != place_.store->name) return;
    Store& store = store_named(scenario, place_.store->name);
    const double weight = write_weight(store.bandwidth_bytes_per_s, written_bytes_per_s_);
    const JobDemand reads = demand_of_job(scenario_, index_, Resource::store_bandwidth);
    const double left = 1.0 - bytes_per_s_ * weight * busy / reads.capacity_per_s;
    scale_store(store, std::max(kLeastLeft, left), 1.0);
  }

 private:
  void load_drives(const Store& store, bool writes) {
    const Pool& pool = pool_of(scenario_, job_);
    if (dataset_of(scenario_, job_).store == store.name) {
      const double weight = writes ? write_weight(store.bandwidth_bytes_per_s, written_bytes_per_s_) : 1.0;
      add(NodeLoad::Kind::drive, Resource::local_drive, weight);
    }
    const bool flash = store.kind == StoreKind::nvme || store.kind == StoreKind::ssd;
    if (!flash || pool.cache.policy == CachePolicy::none || pool.cache.medium != CacheMedium::nvme) return;
    if (!pool.cache.bandwidth_bytes_per_s) return;
    double weight =
        writes ? write_weight(*pool.cache.bandwidth_bytes_per_s, as_written(pool.cache.write_bandwidth_bytes_per_s))
               : 1.0;
    if (writes && store.write_cache && store.write_bandwidth_bytes_per_s > 0.0)
      weight *= store.write_bandwidth_bytes_per_s / written_bytes_per_s_;
    add(NodeLoad::Kind::cache, Resource::cache, weight);
  }

  void add(NodeLoad::Kind kind, Resource resource, double weight) {
    const JobDemand reads = demand_of_job(scenario_, index_, resource);
    if (!(reads.capacity_per_s > 0.0)) return;
    NodeLoad load{kind, reads.capacity_per_s, reads.per_s, reads.hands / path_.nodes, reads.away_s,
                  0.0,  place_.store->name};
    load.asked_per_s = bytes_per_s_ / nodes_ * weight;
    if (kind == NodeLoad::Kind::drive) load.store = dataset_of(scenario_, job_).store;
    loads_.push_back(load);
  }

  std::vector<Claim> claims_on(const NodeLoad& load, double part) const {
    return {{load.reads_per_s, load.hands, 0, load.away_s},
            {load.asked_per_s * part, std::max(1.0, writers_ / nodes_)}};
  }

  /// Share of what it asks for that the checkpoint gets beside reads.
  double part_of(const NodeLoad& load) const {
    return weighted_max_min(load.capacity_per_s, claims_on(load, 1.0))[1] / load.asked_per_s;
  }

  void take(const NodeLoad& load, double part, Scenario& scenario) const {
    const double left = left_for_first(load.capacity_per_s, claims_on(load, part)) / load.capacity_per_s;
    Pool& pool = pool_named(scenario, job_.pool);
    if (load.kind == NodeLoad::Kind::nic) pool.nic.bandwidth_bytes_per_s *= left;
    if (load.kind == NodeLoad::Kind::drive) scale_store(store_named(scenario, load.store), left, 1.0);
    if (load.kind != NodeLoad::Kind::cache) return;
    pool.cache.bandwidth_bytes_per_s = stated_limit(as_written(pool.cache.bandwidth_bytes_per_s) * left);
    pool.cache.write_bandwidth_bytes_per_s = stated_limit(as_written(pool.cache.write_bandwidth_bytes_per_s) * left);
    if (pool.cache.write_cache) pool.cache.write_cache->slow_down(left);
  }

  /// What the engine writes over the drives: at the pace that the other resources on the way allow.
  std::vector<NodeFlow> node_flows(double on_store) const {
    std::vector<NodeFlow> flows;
    for (const NodeLoad& load : loads_) {
      if (load.kind == NodeLoad::Kind::nic) continue;
      double others = on_store;
      for (const NodeLoad& other : loads_)
        if (&other != &load) others = std::min(others, part_of(other));
      const auto writers = static_cast<std::uint32_t>(std::clamp(writers_ / nodes_, 1.0, kMostNodeWriters));
      flows.push_back({load.kind == NodeLoad::Kind::drive ? NodeFlow::On::drive : NodeFlow::On::cache,
                       load.asked_per_s * others, writers, load.capacity_per_s});
    }
    return flows;
  }

  bool readers_left() const {
    for (std::size_t j = 0; j < scenario_.jobs.size(); ++j) {
      const bool other = j != index_ || scenario_.jobs[j].copies > 1 || !stops_job_;
      if (other && dataset_of(scenario_, scenario_.jobs[j]).store == place_.store->name) return true;
    }
    return false;
  }

  void leave_out_job(Scenario& scenario) const {
    if (--scenario.jobs[index_].copies > 0) return;
    scenario.jobs.erase(scenario.jobs.begin() + static_cast<std::ptrdiff_t>(index_));
  }

  /// The write flow on the store; returns the share of its rate that it gets there. Links carry both directions at the
  /// same time, so that it passes only the store.
  double add_writes(WriteState& state) const {
    Scenario& scenario = state.scenario;
    Background load;
    load.name = "checkpoint of " + job_.name;
    load.store = place_.store->name;
    load.clients = static_cast<std::uint64_t>(std::min(writers_, 100000.0));
    load.bandwidth_bytes_per_s = kEager * bytes_per_s_;
    load.limit_bytes_per_s = bytes_per_s_;
    // Without a rate of one writer nothing limits it but the whole: the stream of a store is that of readers.
    load.stream_bytes_per_s = job_.checkpoint->writer_bytes_per_s.value_or(bytes_per_s_);
    const double piece = kStepsOfPiece * path_.mean_step_floor_s() * bytes_per_s_ / writers_;
    load.request_bytes = std::min(std::clamp(piece, kLeastWritten, kWrittenAtOnce),
                                  checkpoint_bytes(*job_.checkpoint, path_) / writers_);
    load.direction = BackgroundDirection::write;
    load.traffic = job_.checkpoint->traffic;
    scenario.background.push_back(load);
    store_named(scenario, load.store).write_bandwidth_bytes_per_s = written_bytes_per_s_;
    const double part = served_bytes_per_s(scenario, scenario.background.size() - 1) / bytes_per_s_;
    if (takes_background(scenario)) {
      // The engine has one limit for store, front end and spine, which carry both directions at once. Where uplinks say
      // what the spine says, it is left out; where it is tighter, the engine gives writes too little to time them.
      const bool spine_says_nothing = scenario.fabric.spine_oversubscription <= 1.0;
      if (spine_says_nothing) scenario.fabric.spine_oversubscription = kWideSpine;
      const double store_per_s = place_.store->bandwidth_bytes_per_s;
      const bool is_timed = or_unlimited(place_.store->front_end_bytes_per_s) >= store_per_s &&
                            (spine_says_nothing || or_no_limit(path_.spine_bytes_per_s) >= store_per_s);
      if (is_timed) state.load = load.name;
      return part;
    }
    const Scenario beside = beside_others(scenario, 0);
    scenario.background.pop_back();
    scenario.stores = beside.stores;
    return part;
  }

  const Scenario& scenario_;
  const Job& job_;
  std::size_t index_;
  std::size_t step_;
  IngestPath path_;
  CheckpointPlace place_;
  double alone_s_ = 0.0;
  double bytes_per_s_ = 0.0;
  double written_bytes_per_s_ = 0.0;  ///< by the place, in the mean of one write
  double writers_ = 1.0;
  double nodes_ = 1.0;  ///< that write
  bool stops_job_ = false;
  std::vector<NodeLoad> loads_;
};

/// The state while a snapshot is copied beside training, if it takes anything from batches.
std::optional<WriteState> copy_state(const Scenario& scenario, std::size_t job) {
  const std::optional<SnapshotCopy> copy = snapshot_copy(scenario, job);
  if (!copy || copy->left >= 1.0) return std::nullopt;
  WriteState state;
  state.job = job;
  state.copies = true;
  state.alone_s = copy->alone_s;
  state.duration_s = state.least_s = copy->duration_s;
  state.share = 1.0;
  state.scenario = scenario;
  state.scenario.jobs[job].checkpoint->pcie_left = copy->left;
  return state;
}

double interval_s(const Scenario& scenario, std::size_t job) {
  const Scenario alone = job_alone(scenario, job);
  return interruptions_of(alone, resolve_path(alone, 0, {}), 0.0)->interval_s;
}

double step_time_in(const Outcome& outcome, const std::string& job, bool lone) {
  if (lone) return outcome.find("step_time_s")->mean;
  for (const JobReport& report : outcome.jobs)
    if (report.name == job) return mean_in(report.metrics, "step_time_s");
  return 0.0;
}

/// What the writes did to one job: how much of its time they take, by how much its steps are longer meanwhile, and the
/// wait for data that follows.
void add_effect(const std::vector<WriteState>& states, const std::vector<Outcome>& outcomes, const std::string& job,
                bool lone, std::vector<Metric>& metrics) {
  const double without_s = step_time_in(outcomes.front(), job, lone);
  double share = 0.0;
  double speed = 0.0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double beside_s = step_time_in(outcomes[i + 1], job, lone);
    if (!(beside_s > 0.0)) continue;
    share += states[i].share;
    speed += states[i].share * without_s / beside_s;
  }
  const auto before = std::find_if(outcomes.front().jobs.begin(), outcomes.front().jobs.end(),
                                   [&](const JobReport& report) { return report.name == job; });
  const double idle =
      lone ? mean_in(outcomes.front().metrics, "gpu_idle_fraction") : mean_in(before->metrics, "gpu_idle_fraction");
  const AnswerKind kind = metrics.front().kind;
  metrics.push_back({"checkpoint_write_time_fraction", share, {}, {}, kind});
  metrics.push_back({"checkpoint_read_slowdown", speed > 0.0 ? share / speed : 1.0, {}, {}, kind});
  // Copies that lengthen steps may leave less to wait for than there was without.
  const double wait = std::max(0.0, mean_in(metrics, "gpu_idle_fraction") - idle);
  metrics.push_back({"checkpoint_ingest_wait_fraction", wait, {}, {}, kind});
}

/// Of all copies of the job. The interval between saves counts work, so that a save for which training stops adds to
/// it.
double share_of_time(const Scenario& scenario, const WriteState& state) {
  const Job& job = scenario.jobs[state.job];
  const bool stops = !state.copies && state.step == 0 && job.checkpoint->mode == CheckpointMode::sync;
  const double cycle_s = interval_s(scenario, state.job) + (stops ? state.duration_s : 0.0);
  return std::min(1.0, state.duration_s / cycle_s) * static_cast<double>(job.copies);
}

/// Shares of time from durations and intervals.
void share_time(CheckpointWrites& writes) {
  double all = 0.0;
  for (WriteState& state : writes.states) {
    all += state.share = share_of_time(writes.scenario, state);
  }
  if (all > 1.0)
    for (WriteState& state : writes.states) state.share /= all;
}

/// All scenarios know how long the steps take.
void spread_durations(CheckpointWrites& writes) {
  for (WriteState& state : writes.states)
    for (Job& job : state.scenario.jobs)
      for (const Job& timed : writes.scenario.jobs)
        if (job.name == timed.name && job.checkpoint) job.checkpoint->step_s = timed.checkpoint->step_s;
}

/// Share of time in which each job trains.
std::vector<double> training_shares(const Scenario& scenario) {
  std::vector<double> shares;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    if (!scenario.jobs[j].checkpoint) continue;
    const Scenario alone = job_alone(scenario, j);
    shares.push_back(interruptions_of(alone, resolve_path(alone, 0, {}), 0.0)->training);
  }
  return shares;
}

/// Readers slow down where a write flow shares their store and leave it more than in closed form: where the answers
/// are simulated, durations are those of the rate that the flow got. True if jobs then train for another share of time.
bool take_simulated_durations(const std::vector<Outcome>& beside, CheckpointWrites& writes) {
  const std::vector<double> before = training_shares(writes.scenario);
  for (std::size_t i = 0; i < beside.size(); ++i) {
    WriteState& state = writes.states[i];
    for (const LoadReport& load : beside[i].background) {
      if (state.load.empty() || load.name != state.load) continue;
      if (!(load.served_bytes_per_s.value_or(0.0) > 0.0)) continue;
      state.duration_s = std::max(state.least_s, state.alone_s * state.bytes_per_s / *load.served_bytes_per_s);
      writes.scenario.jobs[state.job].checkpoint->step_s[state.step] = state.duration_s;
    }
  }
  spread_durations(writes);
  share_time(writes);
  return training_shares(writes.scenario) != before;
}

}  // namespace

CheckpointWrites checkpoint_writes(const Scenario& scenario) {
  CheckpointWrites writes{scenario, {}};
  std::vector<std::vector<WriteState>> by_job(scenario.jobs.size());
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    if (!scenario.jobs[j].checkpoint) continue;
    for (std::size_t step = 0; step <= scenario.jobs[j].checkpoint->tiers.size(); ++step) {
      by_job[j].push_back(Step(scenario, j, step).state());
      writes.scenario.jobs[j].checkpoint->step_s.push_back(by_job[j].back().duration_s);
    }
    if (std::optional<WriteState> copying = copy_state(scenario, j)) by_job[j].push_back(std::move(*copying));
  }
  for (std::vector<WriteState>& states : by_job)
    for (WriteState& state : states)
      if (state.share > 0.0 && share_of_time(writes.scenario, state) >= kLeastShare)
        writes.states.push_back(std::move(state));
  spread_durations(writes);
  share_time(writes);
  return writes;
}

Outcome with_checkpoint_writes(const Scenario& scenario, const std::function<Outcome(const Scenario&)>& answer) {
  if (!any_checkpoint(scenario)) return answer(scenario);
  CheckpointWrites writes = checkpoint_writes(scenario);
  if (writes.states.empty()) return answer(writes.scenario);
  std::vector<Outcome> outcomes;
  for (const WriteState& state : writes.states) outcomes.push_back(answer(state.scenario));
  if (take_simulated_durations(outcomes, writes))
    for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] = answer(writes.states[i].scenario);
  outcomes.insert(outcomes.begin(), answer(writes.scenario));
  double without = 1.0;
  for (const WriteState& state : writes.states) without -= state.share;
  std::vector<TimeState> states{{std::max(0.0, without), &outcomes.front()}};
  for (std::size_t i = 0; i < writes.states.size(); ++i) states.push_back({writes.states[i].share, &outcomes[i + 1]});
  Outcome outcome = averaged_over_time(scenario, states);
  if (1.0 - without >= kAlwaysWriting) {  // there is no time between saves whose stations could be told
    const auto longest = std::max_element(writes.states.begin(), writes.states.end(),
                                          [](const WriteState& a, const WriteState& b) { return a.share < b.share; });
    outcome.stations = outcomes[static_cast<std::size_t>(longest - writes.states.begin()) + 1].stations;
  }
  outcome.evidence.not_validated.emplace_back(kWritesNotValidated);
  const bool lone = !outcome.jobs.front().is_beside_others();
  if (lone) {
    add_effect(writes.states, outcomes, outcome.jobs.front().name, true, outcome.metrics);
    outcome.restate_lone_job();
    return outcome;
  }
  for (JobReport& job : outcome.jobs) add_effect(writes.states, outcomes, job.name, false, job.metrics);
  sum_up_jobs(outcome);
  return outcome;
}

Scenario less_mean_writes(const Scenario& scenario) {
  if (!scenario.jobs.front().checkpoint) return scenario;
  const CheckpointWrites writes = checkpoint_writes(scenario);
  Scenario less = writes.scenario;
  if (scenario.jobs.front().loader.synchronous) return less;  // writes get on while nobody reads
  const double interval = interval_s(writes.scenario, 0);
  const bool to_stores =
      std::any_of(writes.states.begin(), writes.states.end(), [](const WriteState& state) { return !state.copies; });
  if (to_stores)  // nothing is written while a checkpoint is read back
    less.jobs.front().checkpoint->load_s =
        interruptions_of(writes.scenario, resolve_path(writes.scenario, 0, {}), 0.0)->load_s;
  for (const WriteState& state : writes.states) {
    const double busy = state.alone_s / std::max(interval, state.duration_s);
    if (state.copies)
      less.jobs.front().checkpoint->pcie_left = 1.0 - busy * (1.0 - state.scenario.jobs.front().checkpoint->pcie_left);
    else
      Step(scenario, state.job, state.step).take_mean(busy, less);
  }
  return less;
}

}  // namespace headrace::models
