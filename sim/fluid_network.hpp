// Bandwidth that processes share: a FluidTree in a Simulation. All starts, ends and cancellations of one instant are
// settled once, after its events; the network holds one calendar entry.
//
// Where nodes differ in priority, each class has a tree of its own over the same links. The highest is settled first,
// as if it were alone; each of the others finds what the classes above leave (strict priority: D. Bertsekas and R.
// Gallager, Data Networks, 2nd ed., 1992, section 3.5.3, in the fluid limit).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/fluid_tree.hpp"
#include "sim/process.hpp"
#include "sim/settler.hpp"
#include "sim/simulation.hpp"
#include "sim/timer.hpp"
#include "sim/wait_queue.hpp"

namespace headrace::sim {

/// How a transfer went; `end` is when it was complete or, if interrupted, given up.
struct TransferResult {
  TimeNs start = 0;
  TimeNs end = 0;
  bool interrupted = false;
  std::uint32_t reason = 0;

  bool completed() const { return !interrupted; }
  TimeNs duration_ns() const { return end - start; }
};

/// Who is told of the end of a transfer, once. Alive until then.
struct TransferOwner {
  void (*ended)(TransferOwner& self) = nullptr;
};

class FluidNetwork;

/// Waits until the bytes have moved. Destroying the process or interrupting the wait gives the transfer up.
class [[nodiscard]] TransferAwaiter final : public QueuedAwaiter, private TransferOwner {
 public:
  TransferAwaiter(FluidNetwork& network, std::uint32_t node, double bytes, double cap_bytes_per_s)
      : TransferOwner{&TransferAwaiter::resume},
        network_(network),
        node_(node),
        bytes_(bytes),
        cap_bytes_per_s_(cap_bytes_per_s) {}
  ~TransferAwaiter() { withdraw(); }

  inline void withdraw() noexcept override;
  bool await_ready() const noexcept { return false; }
  inline void await_suspend(Process::Handle handle);
  inline TransferResult await_resume();

 private:
  friend class FluidNetwork;

  static void resume(TransferOwner& self);

  FluidNetwork& network_;  // alive while this is linked
  std::uint32_t node_;
  double bytes_;
  double cap_bytes_per_s_;
  FlowId flow_;
  TransferResult result_;
};

class FluidNetwork final : public Settler {
 public:
  /// Throws std::invalid_argument as FluidTree does. `simulation` outlives every start of a transfer.
  FluidNetwork(Simulation& simulation, const FluidTreeSpec& spec)
      : simulation_(simulation), tree_(spec), timer_(simulation, Action{&FluidNetwork::wake, this, 0}) {
    const auto by_priority = [](const auto& a, const auto& b) { return a.priority < b.priority; };
    const auto [least, most] = std::minmax_element(spec.nodes.begin(), spec.nodes.end(), by_priority);
    if (least != most && least->priority != most->priority) build_classes(spec);
  }

  /// `co_await network.transfer(node, bytes, cap)` moves bytes over the node's route.
  TransferAwaiter transfer(std::uint32_t node, double bytes, double cap_bytes_per_s = kUnlimitedBytesPerS) {
    return TransferAwaiter(*this, node, bytes, cap_bytes_per_s);
  }
  /// The same without a process: calls owner.ended at the end, if the transfer is not cancelled before.
  FlowId transfer(std::uint32_t node, double bytes, double cap_bytes_per_s, TransferOwner& owner) {
    FluidTree& tree = classes_.empty() ? tree_ : tree_of(node);
    const FlowId flow =
        tree.start(simulation_.now(), node, bytes, cap_bytes_per_s, std::bit_cast<std::uintptr_t>(&owner));
    simulation_.mark_dirty(*this);
    return flow;
  }
  /// Gives up a transfer, whose owner then hears no more of it; false if it has ended.
  bool cancel(FlowId flow) {
    FluidTree& tree = classes_.empty() ? tree_ : tree_of(flow.node);
    if (!tree.cancel(simulation_.now(), flow)) return false;
    simulation_.mark_dirty(*this);
    return true;
  }

  Simulation& simulation() { return simulation_; }
  /// Of the highest class.
  const FluidTree& tree() const { return tree_; }
  /// For an event that will start a transfer of this node: as its argument it is fetched into the caches before.
  std::uint64_t place_of(std::uint32_t node) const { return std::bit_cast<std::uintptr_t>(tree_.place_of(node)); }
  std::uint64_t active_flows() const {
    std::uint64_t flows = tree_.active_flows();
    for (const auto& tree : lower_) flows += tree->active_flows();
    return flows;
  }
  /// Bytes, saturation and flows of every link up to now; walks all flows.
  /// Of several classes a link is saturated as long as it is for the one that waits longest.
  FluidTreeUsage usage() const {
    FluidTreeUsage usage = tree_.usage(simulation_.now());
    for (const auto& tree : lower_) usage += tree->usage(simulation_.now());
    return usage;
  }

  void settle(TimeNs now) override {
    tree_.settle(now);
    TimeNs next = tree_.next_completion();
    const FluidTree* above = &tree_;
    for (const auto& tree : lower_) {
      tree->settle_below(now, *above);
      next = std::min(next, tree->next_completion());
      above = tree.get();
    }
    timer_.set(next);
  }

 private:
  friend class TransferAwaiter;

  static void wake(void* self, std::uint64_t) {
    auto& network = *static_cast<FluidNetwork*>(self);
    const TimeNs now = network.simulation_.now();
    for (const auto& tree : network.lower_) tree->collect_due(now);
    network.tree_.complete(now, &FluidNetwork::end);
    for (const auto& tree : network.lower_) tree->tell_due(&FluidNetwork::end);
    network.simulation_.mark_dirty(network);
  }
  FluidTree& tree_of(std::uint32_t node) { return classes_[node] == 0 ? tree_ : *lower_[classes_[node] - 1]; }

  /// Numbers the priorities of the nodes from the highest down.
  void build_classes(const FluidTreeSpec& spec) {
    std::vector<std::uint32_t> priorities;
    for (const auto& node : spec.nodes) priorities.push_back(node.priority);
    std::sort(priorities.begin(), priorities.end(), [](std::uint32_t a, std::uint32_t b) { return a > b; });
    priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
    for (const auto& node : spec.nodes) {
      const auto place = std::find(priorities.begin(), priorities.end(), node.priority);
      classes_.push_back(static_cast<std::uint32_t>(place - priorities.begin()));
    }
    for (std::size_t i = 1; i < priorities.size(); ++i) lower_.push_back(std::make_unique<FluidTree>(spec));
  }
  static void end(std::uint64_t user) {
    TransferOwner& owner = *std::bit_cast<TransferOwner*>(static_cast<std::uintptr_t>(user));
    owner.ended(owner);
  }

  Simulation& simulation_;
  FluidTree tree_;                                 // of the highest class, mostly the only one
  std::vector<std::unique_ptr<FluidTree>> lower_;  // of the others, by falling priority
  std::vector<std::uint32_t> classes_;             // by node; empty if there is one
  Timer timer_;
  WaitQueue<TransferAwaiter> waiting_;
};

inline void TransferAwaiter::withdraw() noexcept {
  if (!is_linked()) return;
  unlink();
  network_.cancel(flow_);
}

inline void TransferAwaiter::await_suspend(Process::Handle handle) {
  begin_wait(handle);
  result_.start = network_.simulation_.now();
  flow_ = network_.transfer(node_, bytes_, cap_bytes_per_s_, *this);
  network_.waiting_.push_back(*this);
}

inline void TransferAwaiter::resume(TransferOwner& self) {
  auto& awaiter = static_cast<TransferAwaiter&>(self);
  awaiter.unlink();
  awaiter.process().grant();
}

inline TransferResult TransferAwaiter::await_resume() {
  const WaitResult wait = end_wait();
  result_.end = process_->simulation->now();
  result_.interrupted = wait.interrupted;
  result_.reason = wait.reason;
  return result_;
}

}  // namespace headrace::sim
