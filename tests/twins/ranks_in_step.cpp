#include "tests/twins/ranks_in_step.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <vector>

namespace headrace::models::twins {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct RankBatch {
  std::uint32_t rank = 0;
  std::uint32_t worker = 0;
  std::uint64_t number = 0;
};

/// Equal flows of one leaf end in the order in which they began: each ends when a flow that had always been there would
/// have got its bytes from then on.
struct LeafFlows {
  struct Flow {
    double until_bytes;
    RankBatch batch;
  };
  std::deque<Flow> flows;
  double given_bytes = 0.0;  ///< to a flow that had always been there
  double rate = 0.0;         ///< of one flow

  double end_after_s() const { return flows.empty() ? kNever : (flows.front().until_bytes - given_bytes) / rate; }
};

class SharedLeaves {
 public:
  explicit SharedLeaves(const RanksInStep& job) : job_(job), leaves_(job.leaves) {}

  void advance(double elapsed_s) {
    for (LeafFlows& leaf : leaves_) leaf.given_bytes += leaf.rate * elapsed_s;
  }
  void begin(const RankBatch& batch) {
    LeafFlows& leaf = leaves_[batch.rank / ((job_.ranks + job_.leaves - 1) / job_.leaves)];
    leaf.flows.push_back({leaf.given_bytes + job_.bytes, batch});
    share();
  }
  LeafFlows& first_to_end() {
    return *std::min_element(leaves_.begin(), leaves_.end(),
                             [](const auto& a, const auto& b) { return a.end_after_s() < b.end_after_s(); });
  }
  RankBatch end(LeafFlows& leaf) {
    const RankBatch batch = leaf.flows.front().batch;
    leaf.flows.pop_front();
    share();
    return batch;
  }

 private:
  /// Water level: leaves from the one that can take the least per flow, each with its share of what is left.
  void share() {
    std::vector<LeafFlows*> by_limit;
    double flows_left = 0.0;
    for (LeafFlows& leaf : leaves_) {
      const auto flows = static_cast<double>(leaf.flows.size());
      leaf.rate = std::min(job_.flow_bytes_per_s, flows > 0.0 ? job_.leaf_bytes_per_s / flows : kNever);
      flows_left += flows;
      by_limit.push_back(&leaf);
    }
    std::sort(by_limit.begin(), by_limit.end(), [](const auto* a, const auto* b) { return a->rate < b->rate; });
    double left = job_.pool_bytes_per_s;
    for (LeafFlows* leaf : by_limit) {
      const auto flows = static_cast<double>(leaf->flows.size());
      if (flows == 0.0) continue;
      leaf->rate = std::min(leaf->rate, left / flows_left);
      left -= leaf->rate * flows;
      flows_left -= flows;
    }
  }

  const RanksInStep& job_;
  std::vector<LeafFlows> leaves_;
};

/// Workers and ready batches of one rank.
struct RankBooks {
  std::vector<std::uint64_t> next;  ///< batch of each worker, in order
  std::vector<std::uint32_t> held;  ///< per worker: begun and not yet taken
  std::vector<char> busy;
  std::vector<char> ready;          ///< by batch, in order
  std::deque<std::uint32_t> queue;  ///< workers of the ready batches, any order
  std::uint64_t begun = 0;
  std::uint64_t taken = 0;
};

class RanksRun {
 public:
  RanksRun(const RanksInStep& job, std::uint64_t seed) : job_(job), network_(job_), random_(seed), ranks_(job.ranks) {
    const double variance = std::log1p(job.latency_cv * job.latency_cv);
    latency_ = std::lognormal_distribution<double>(std::log(job.latency_mean_s) - 0.5 * variance, std::sqrt(variance));
    for (std::uint32_t rank = 0; rank < job.ranks; ++rank) {
      ranks_[rank].held.resize(job.workers);
      ranks_[rank].busy.resize(job.workers);
      ranks_[rank].ready.resize(std::size_t{job.outstanding} + 1);
      for (std::uint32_t worker = 0; worker < job.workers; ++worker) ranks_[rank].next.push_back(worker);
      begin_batches(rank);
    }
  }

  /// Wait of all ranks between the end of a step and the start of the next.
  double next_wait_s() {
    for (;;) {
      LeafFlows& leaf = network_.first_to_end();
      const double flow_end_s = now_s_ + std::max(0.0, leaf.end_after_s());
      const double latency_end_s = latencies_.empty() ? kNever : latencies_.top().first;
      const double next_s = std::min({flow_end_s, latency_end_s, compute_end_s_});
      network_.advance(next_s - now_s_);
      now_s_ = next_s;
      if (next_s == compute_end_s_) {
        end_compute();
      } else if (next_s == flow_end_s) {
        deliver(network_.end(leaf));
      } else {
        const RankBatch batch = latencies_.top().second;
        latencies_.pop();
        if (job_.bytes > 0.0)
          network_.begin(batch);
        else
          deliver(batch);
      }
      if (ranks_that_took_ == job_.ranks && compute_end_s_ == kNever) return start_step();
    }
  }

 private:
  using Latency = std::pair<double, RankBatch>;
  struct Later {
    bool operator()(const Latency& a, const Latency& b) const { return a.first > b.first; }
  };

  double start_step() {
    ranks_that_took_ = 0;
    ++step_;
    compute_end_s_ = now_s_ + job_.compute_s;
    return now_s_ - step_end_s_;
  }

  void end_compute() {
    step_end_s_ = now_s_;
    compute_end_s_ = kNever;
    for (std::uint32_t rank = 0; rank < job_.ranks; ++rank) take_if_ready(rank);
  }

  bool may_begin(const RankBooks& rank, std::uint32_t worker) const {
    if (rank.busy[worker] != 0) return false;
    if (job_.order == RankOrder::kAnyOrderPerWorker) return rank.held[worker] < job_.outstanding / job_.workers;
    if (job_.order == RankOrder::kAnyOrderShared) return rank.begun < rank.taken + job_.outstanding;
    return rank.next[worker] < rank.taken + job_.outstanding;
  }

  void begin_batches(std::uint32_t number) {
    RankBooks& rank = ranks_[number];
    for (std::uint32_t worker = 0; worker < job_.workers; ++worker) {
      if (!may_begin(rank, worker)) continue;
      rank.busy[worker] = 1;
      ++rank.held[worker];
      ++rank.begun;
      latencies_.push({now_s_ + latency_(random_), {number, worker, rank.next[worker]}});
      rank.next[worker] += job_.workers;
    }
  }

  void deliver(const RankBatch& batch) {
    RankBooks& rank = ranks_[batch.rank];
    rank.busy[batch.worker] = 0;
    if (job_.order == RankOrder::kInOrder)
      rank.ready[batch.number % rank.ready.size()] = 1;
    else
      rank.queue.push_back(batch.worker);
    if (compute_end_s_ == kNever) take_if_ready(batch.rank);
    begin_batches(batch.rank);
  }

  /// The rank asks for the batch of `step_`, unless it has it.
  void take_if_ready(std::uint32_t number) {
    RankBooks& rank = ranks_[number];
    if (rank.taken > step_) return;
    if (job_.order == RankOrder::kInOrder) {
      char& ready = rank.ready[step_ % rank.ready.size()];
      if (ready == 0) return;
      ready = 0;
    } else {
      if (rank.queue.empty()) return;
      --rank.held[rank.queue.front()];
      rank.queue.pop_front();
    }
    ++rank.taken;
    ++ranks_that_took_;
    begin_batches(number);
  }

  const RanksInStep job_;
  SharedLeaves network_;
  std::mt19937_64 random_;
  std::lognormal_distribution<double> latency_;
  std::vector<RankBooks> ranks_;
  std::priority_queue<Latency, std::vector<Latency>, Later> latencies_;
  std::uint64_t step_ = 0;  ///< that starts next
  std::uint32_t ranks_that_took_ = 0;
  double now_s_ = 0.0;
  double compute_end_s_ = kNever;  ///< of the step under way
  double step_end_s_ = 0.0;        ///< of the last one that ended
};

}  // namespace

RanksInStepFigures simulate_ranks_in_step(const RanksInStep& job, std::uint64_t seed, std::uint64_t warm_up_steps,
                                          std::uint64_t steps) {
  constexpr std::uint64_t kBatches = 32;
  RanksRun run(job, seed);
  for (std::uint64_t i = 0; i < warm_up_steps; ++i) run.next_wait_s();
  const std::uint64_t length = std::max<std::uint64_t>(1, steps / kBatches);
  double sum_s = 0.0;
  double squares = 0.0;
  for (std::uint64_t batch = 0; batch < kBatches; ++batch) {
    double wait_s = 0.0;
    for (std::uint64_t i = 0; i < length; ++i) wait_s += run.next_wait_s() / static_cast<double>(length);
    sum_s += wait_s;
    squares += wait_s * wait_s;
  }
  const double mean_s = sum_s / kBatches;
  const double error_s = std::sqrt(std::max(0.0, squares / kBatches - mean_s * mean_s) / (kBatches - 1));
  const double step_s = job.compute_s + mean_s;
  // idle = w / (w + Tc), and its derivative.
  return {mean_s / step_s, error_s * job.compute_s / (step_s * step_s), step_s, error_s};
}

}  // namespace headrace::models::twins
