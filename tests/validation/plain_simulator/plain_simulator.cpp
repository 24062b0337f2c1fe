#include "tests/validation/plain_simulator/plain_simulator.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "tests/validation/plain_simulator/draws.hpp"
#include "tests/validation/plain_simulator/fluid.hpp"

namespace headrace::plain {
namespace {

using models::CachePolicy;

constexpr double kNoLimit = 1e30;

double or_no_limit(std::optional<double> per_s) { return per_s.value_or(kNoLimit); }
double or_no_limit(double per_s) { return per_s > 0.0 ? per_s : kNoLimit; }  // scenarios made here leave links out

/// Time, what happens at which time, and flows.
class Clock {
 public:
  double now_s() const { return now_s_; }
  Fluid& fluid() { return fluid_; }
  void at(double when_s, std::function<void()> what) { events_.push({when_s, number_++, std::move(what)}); }
  void after(double delay_s, std::function<void()> what) { at(now_s_ + delay_s, std::move(what)); }

  void pass_next() {
    const double flow_s = now_s_ + fluid_.until_end_s();
    const bool is_flow = events_.empty() || flow_s < events_.top().when_s;
    const double next_s = is_flow ? flow_s : events_.top().when_s;
    fluid_.advance(next_s - now_s_);
    now_s_ = next_s;
    if (is_flow) return fluid_.end_first()();
    const std::function<void()> what = events_.top().what;
    events_.pop();
    what();
  }

 private:
  struct Event {
    double when_s;
    std::uint64_t number;
    std::function<void()> what;
    bool operator<(const Event& other) const {
      return when_s != other.when_s ? when_s > other.when_s : number > other.number;
    }
  };

  double now_s_ = 0.0;
  std::uint64_t number_ = 0;
  std::priority_queue<Event> events_;
  Fluid fluid_;
};

/// Servers that serve in order of arrival; none: everybody has one.
class Servers {
 public:
  explicit Servers(std::uint64_t servers) : free_s_(servers, 0.0) {}

  /// When a service that is asked for now ends.
  double end_s(double now_s, double service_s) {
    if (free_s_.empty()) return now_s + service_s;
    const auto first = std::min_element(free_s_.begin(), free_s_.end());
    return *first = std::max(*first, now_s) + service_s;
  }

 private:
  std::vector<double> free_s_;  ///< of each server, when it has served all that came
};

/// The items that a node keeps: newest first.
class ItemCache {
 public:
  ItemCache(CachePolicy policy, std::size_t most, std::size_t items)
      : policy_(policy), most_(most), places_(items, list_.end()) {}

  bool has(std::size_t item) {
    if (places_[item] == list_.end()) return false;
    if (policy_ == CachePolicy::lru) list_.splice(list_.begin(), list_, places_[item]);
    return true;
  }
  void add(std::size_t item) {
    if (most_ == 0 || (policy_ == CachePolicy::pinned && list_.size() == most_)) return;
    if (list_.size() == most_) {
      places_[list_.back()] = list_.end();
      list_.pop_back();
    }
    list_.push_front(item);
    places_[item] = list_.begin();
  }

 private:
  CachePolicy policy_;
  std::size_t most_;
  std::list<std::size_t> list_;
  std::vector<std::list<std::size_t>::iterator> places_;
};

/// What batches were loaded, and what that took.
struct Work {
  double batches = 0.0;
  double load_s = 0.0;  ///< in their workers
  double misses = 0.0;
  double opening_s = 0.0;
  double core_s = 0.0;
  double store_bytes = 0.0;
  double cached_bytes = 0.0;
};

Work operator-(const Work& to, const Work& from) {
  return {to.batches - from.batches,          to.load_s - from.load_s, to.misses - from.misses,
          to.opening_s - from.opening_s,      to.core_s - from.core_s, to.store_bytes - from.store_bytes,
          to.cached_bytes - from.cached_bytes};
}

/// What there was until a step started.
struct Start {
  double time_s = 0.0;
  double wait_s = 0.0;  ///< of every GPU, for data
  double stop_s = 0.0;  ///< for checkpoints
  Work work;
};

enum class Stage { look_up, open, ask, transfer, keep, read_cache, wait_cache, decode, done };

struct Worker {
  std::size_t rank = 0;
  std::uint64_t batch = 0;  ///< under way, or next
  std::uint64_t sample = 0;
  std::size_t item = 0;
  double bytes = 0.0;
  double began_s = 0.0;
  Stage stage = Stage::look_up;
  bool is_busy = false;
};

struct Rank {
  std::size_t node = 0;
  std::vector<Worker> workers;
  std::vector<bool> ready;  ///< by batch modulo the batches outstanding
  std::uint64_t taken = 0;
};

/// The capacities of a node, by their number among those of the flows.
struct Node {
  std::size_t nic_in, nic_out, cores, cache;
};

class Run {
 public:
  Run(const models::Scenario& scenario, std::uint64_t seed)
      : pool_(scenario.cluster.pools.front()),
        store_(scenario.stores.front()),
        dataset_(scenario.datasets.front()),
        job_(scenario.jobs.front()),
        draws_(seed),
        opens_(store_.metadata.servers.value_or(0)),
        requests_(store_.requests_per_s
                      ? static_cast<std::uint64_t>(std::llround(*store_.requests_per_s * mean_of(store_.latency_s)))
                      : 0),
        ranks_(pool_.nodes * pool_.gpus_per_node) {
    stored_ = clock_.fluid().add_capacity(store_.bandwidth_bytes_per_s);
    for (std::size_t node = 0; node < pool_.nodes; ++node) add_node();
    outstanding_ = job_.loader.workers * job_.loader.prefetch;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      ranks_[rank].node = rank / pool_.gpus_per_node;
      ranks_[rank].ready.resize(outstanding_);
      ranks_[rank].workers.resize(job_.loader.workers);
      for (std::size_t number = 0; number < job_.loader.workers; ++number) {
        ranks_[rank].workers[number].rank = rank;
        ranks_[rank].workers[number].batch = number;
        begin_batch(ranks_[rank].workers[number]);
      }
    }
  }

  void run_to_step(std::size_t step) {
    while (starts_.size() <= step) clock_.pass_next();
  }
  void run_to_checkpoint(std::size_t number) {
    while (first_steps_.size() <= number || starts_.size() <= first_steps_[number]) clock_.pass_next();
  }
  /// First step behind a checkpoint.
  std::size_t step_behind(std::size_t checkpoint) const { return first_steps_[checkpoint]; }
  std::uint64_t steps_of_epoch() const { return dataset_.files / (ranks_.size() * job_.step.batch); }
  std::uint64_t batches_outstanding() const { return outstanding_; }

  Figures figures(std::size_t from_step, std::size_t to_step) const;

 private:
  bool has_cache() const { return pool_.cache.policy != CachePolicy::none; }

  void add_node() {
    Fluid& fluid = clock_.fluid();
    const double nic = or_no_limit(pool_.nic.bandwidth_bytes_per_s);
    nodes_.push_back({fluid.add_capacity(nic), fluid.add_capacity(nic),
                      fluid.add_capacity(or_no_limit(pool_.host.cores)),
                      fluid.add_capacity(or_no_limit(pool_.cache.bandwidth_bytes_per_s))});
    if (!has_cache()) return;
    const double held = pool_.cache.bytes / mean_of(dataset_.sample_bytes);
    caches_.emplace_back(pool_.cache.policy, static_cast<std::size_t>(std::llround(held)), dataset_.files);
  }

  // The loader.

  void begin_batch(Worker& worker) {
    if (worker.is_busy || worker.batch >= ranks_[worker.rank].taken + outstanding_) return;
    worker.is_busy = true;
    worker.began_s = clock_.now_s();
    worker.sample = 0;
    worker.stage = Stage::look_up;
    load(worker);
  }

  void end_batch(Worker& worker) {
    Rank& rank = ranks_[worker.rank];
    Work& work = work_of(worker);
    work.load_s += clock_.now_s() - worker.began_s;
    work.batches += 1.0;
    rank.ready[worker.batch % outstanding_] = true;
    worker.is_busy = false;
    worker.batch += rank.workers.size();
    take_batch(worker.rank);
    begin_batch(worker);
  }

  /// The rank's batch of this step, if the rank wants it and the batch is ready.
  void take_batch(std::size_t number) {
    Rank& rank = ranks_[number];
    if (!is_taking_ || rank.taken > step_ || !rank.ready[step_ % outstanding_]) return;
    rank.ready[step_ % outstanding_] = false;
    ++rank.taken;
    for (Worker& worker : rank.workers) begin_batch(worker);
    if (++ranks_with_batch_ == ranks_.size()) start_step();
  }

  // A sample.

  std::function<void()> next(Worker& worker) {
    return [this, &worker] { load(worker); };
  }

  /// From one stage to the next one that takes time.
  void load(Worker& worker) {
    const Node& node = nodes_[ranks_[worker.rank].node];
    for (;;) {
      switch (std::exchange(worker.stage, static_cast<Stage>(static_cast<int>(worker.stage) + 1))) {
        case Stage::look_up:
          if (worker.sample == job_.step.batch) return end_batch(worker);
          worker.bytes = draws_.of(dataset_.sample_bytes);
          if (!has_cache()) break;
          worker.item = item_of(worker);
          if (caches_[ranks_[worker.rank].node].has(worker.item)) worker.stage = Stage::read_cache;
          break;
        case Stage::open: {
          const double service_s = draws_.of(store_.metadata.latency_s);
          work_of(worker).opening_s += service_s;
          if (service_s > 0.0) return clock_.at(opens_.end_s(clock_.now_s(), service_s), next(worker));
          break;
        }
        case Stage::ask: {
          const double service_s = draws_.of(store_.latency_s);
          work_of(worker).misses += 1.0;
          if (service_s > 0.0) return clock_.at(requests_.end_s(clock_.now_s(), service_s), next(worker));
          break;
        }
        case Stage::transfer:
          work_of(worker).store_bytes += worker.bytes;
          return clock_.fluid().start(worker.bytes, or_no_limit(store_.stream_bytes_per_s), {{stored_}, {node.nic_in}},
                                      next(worker));
        case Stage::keep:
          if (has_cache()) caches_[ranks_[worker.rank].node].add(worker.item);
          worker.stage = Stage::decode;
          break;
        case Stage::read_cache:
          work_of(worker).cached_bytes += worker.bytes;
          return clock_.fluid().start(worker.bytes, kNoLimit, {{node.cache}}, next(worker));
        case Stage::wait_cache:
          return clock_.after(draws_.of(pool_.cache.latency_s), next(worker));
        case Stage::decode: {
          const double core_s = draws_.of(job_.loader.cpu_s_per_sample);
          work_of(worker).core_s += core_s;
          if (core_s > 0.0) return clock_.fluid().start(core_s, 1.0, {{node.cores}}, next(worker));
          break;
        }
        case Stage::done:
          ++worker.sample;
          worker.stage = Stage::look_up;
          break;
      }
    }
  }

  /// Where caches make one epoch unlike the next, the batch counts for the epoch that it belongs to.
  Work& work_of(const Worker& worker) {
    if (!has_cache()) return until_now_.work;
    const std::uint64_t epoch = worker.batch / steps_of_epoch();
    if (epochs_.size() <= epoch) epochs_.resize(epoch + 1);
    return epochs_[epoch];
  }

  /// Each epoch deals a new permutation of the files to the ranks in turn.
  std::size_t item_of(const Worker& worker) {
    const std::uint64_t epoch = worker.batch / steps_of_epoch();
    while (orders_.size() <= epoch) {
      std::vector<std::size_t>& order = orders_.emplace_back(dataset_.files);
      std::iota(order.begin(), order.end(), 0);
      for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[draws_.one_of(0, i)]);
    }
    const std::uint64_t place = worker.batch % steps_of_epoch() * job_.step.batch + worker.sample;
    return orders_[epoch][place * ranks_.size() + worker.rank];
  }

  // Training.

  void start_step() {
    is_taking_ = false;
    ranks_with_batch_ = 0;
    ++step_;
    until_now_.wait_s += clock_.now_s() - free_since_s_;
    until_now_.time_s = clock_.now_s();
    starts_.push_back(until_now_);
    clock_.after(draws_.of(job_.step.step_time_s) + draws_.of(job_.step.overhead_s), [this] { end_step(); });
  }

  void end_step() {
    if (job_.checkpoint && clock_.now_s() - trained_since_s_ >= job_.checkpoint->interval_s) return stop_training();
    go_on_training();
  }

  void go_on_training() {
    free_since_s_ = clock_.now_s();
    is_taking_ = true;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) take_batch(rank);
  }

  // Checkpoints.

  void stop_training() {
    stopped_s_ = clock_.now_s();
    if (job_.checkpoint->mode == models::CheckpointMode::sync) return write([this] { end_stop(); });
    is_due_ = true;
    if (writers_left_ == 0) copy();
  }

  /// To host memory, when the checkpoint before has been written.
  void copy() {
    is_due_ = false;
    const models::Checkpoint& checkpoint = *job_.checkpoint;
    clock_.after(checkpoint.bytes / static_cast<double>(writers()) / checkpoint.snapshot_bytes_per_s, [this] {
      write([this] {
        if (is_due_) copy();
      });
      end_stop();
    });
  }

  void end_stop() {
    until_now_.stop_s += clock_.now_s() - stopped_s_;
    trained_since_s_ = clock_.now_s();
    first_steps_.push_back(starts_.size());
    go_on_training();
  }

  std::uint64_t writers() const { return job_.checkpoint->writers > 0 ? job_.checkpoint->writers : ranks_.size(); }

  /// Every writer a file of its own, from the nodes in turn.
  void write(std::function<void()> written) {
    written_ = std::move(written);
    writers_left_ = writers();
    const double began_s = clock_.now_s();
    for (std::uint64_t writer = 0; writer < writers(); ++writer)
      clock_.at(opens_.end_s(began_s, draws_.of(store_.metadata.latency_s)), [this, writer, began_s] {
        clock_.after(draws_.of(store_.latency_s), [this, writer, began_s] { write_part(writer, began_s); });
      });
  }

  void write_part(std::uint64_t writer, double began_s) {
    const models::Checkpoint& checkpoint = *job_.checkpoint;
    const double write_rate = store_.write_bandwidth_bytes_per_s;
    const double cost = write_rate > 0.0 ? store_.bandwidth_bytes_per_s / write_rate : 1.0;
    const double bytes = checkpoint.bytes / static_cast<double>(writers());
    clock_.fluid().start(cost * bytes, cost * or_no_limit(checkpoint.writer_bytes_per_s),
                         {{stored_}, {nodes_[writer % nodes_.size()].nic_out, 1.0 / cost}}, [this, began_s] {
                           if (--writers_left_ > 0) return;
                           saves_s_.push_back(clock_.now_s() - began_s);
                           written_();
                         });
  }

  const models::Pool& pool_;
  const models::Store& store_;
  const models::Dataset& dataset_;
  const models::Job& job_;
  Clock clock_;
  Draws draws_;
  Servers opens_;
  Servers requests_;
  std::vector<Rank> ranks_;
  std::vector<Node> nodes_;
  std::deque<ItemCache> caches_;                  ///< by node; of jobs that have none, empty
  std::vector<std::vector<std::size_t>> orders_;  ///< of the files, by epoch
  std::vector<Work> epochs_;
  std::size_t stored_ = 0;
  std::uint64_t outstanding_ = 0;  ///< of a rank

  std::uint64_t step_ = 0;  ///< that starts next
  std::size_t ranks_with_batch_ = 0;
  bool is_taking_ = true;
  double free_since_s_ = 0.0;  ///< from when on the GPUs wait for data
  double trained_since_s_ = 0.0;
  double stopped_s_ = 0.0;
  bool is_due_ = false;  ///< a checkpoint waits for the one before
  std::uint64_t writers_left_ = 0;
  std::function<void()> written_;
  Start until_now_;
  std::vector<Start> starts_;  ///< of each step
  std::vector<std::size_t> first_steps_;
  std::vector<double> saves_s_;
};

Figures Run::figures(std::size_t from_step, std::size_t to_step) const {
  const Start& from = starts_[from_step];
  const Start& to = starts_[to_step];
  const Work work = has_cache() ? epochs_[job_.epochs - 1] : to.work - from.work;
  const double steps = static_cast<double>(to_step - from_step);
  const double elapsed_s = to.time_s - from.time_s;
  const double trained_s = elapsed_s - (to.stop_s - from.stop_s);
  const double nodes = static_cast<double>(nodes_.size());
  const double samples = static_cast<double>(ranks_.size() * job_.step.batch);
  Figures figures;
  figures["step_time_s"] = trained_s / steps;
  figures["gpu_idle_fraction"] = (to.wait_s - from.wait_s) / elapsed_s;
  figures["samples_per_s"] = steps * samples / elapsed_s;
  figures["batch_load_time_s"] = work.load_s / work.batches;
  if (has_cache()) figures["cache_hit_ratio"] = 1.0 - work.misses / (steps * samples);
  const auto use = [&](const char* station, double used, std::optional<double> per_s, double places = 1.0) {
    if (per_s) figures[std::string("utilization: ") + station] = used / (places * *per_s) / trained_s;
  };
  use("metadata", work.opening_s, store_.metadata.servers);
  use("store requests", work.misses, store_.requests_per_s);
  use("store bandwidth", work.store_bytes, store_.bandwidth_bytes_per_s);
  use("nic", work.store_bytes, nodes * pool_.nic.bandwidth_bytes_per_s);
  use("cores", work.core_s, pool_.host.cores, nodes);
  use("cache", work.cached_bytes, pool_.cache.bandwidth_bytes_per_s, nodes);
  if (saves_s_.empty()) return figures;
  figures["checkpoint_save_s"] =
      std::accumulate(saves_s_.begin(), saves_s_.end(), 0.0) / static_cast<double>(saves_s_.size());
  return figures;
}

}  // namespace

Figures simulate(const models::Scenario& scenario, std::uint64_t seed, std::uint64_t steps) {
  const models::Job& job = scenario.jobs.front();
  Run run(scenario, seed);
  if (job.checkpoint) {
    std::size_t last = 1;
    run.run_to_checkpoint(last);
    while (run.step_behind(last) < run.step_behind(0) + steps) run.run_to_checkpoint(++last);
    return run.figures(run.step_behind(0), run.step_behind(last));
  }
  std::size_t from = 5 * run.batches_outstanding() + 20;
  std::size_t to = from + steps;
  if (scenario.cluster.pools.front().cache.policy != CachePolicy::none) {
    from = (job.epochs - 1) * run.steps_of_epoch();
    to = from + run.steps_of_epoch();
  }
  run.run_to_step(to);
  return run.figures(from, to);
}

}  // namespace headrace::plain
