// Bandwidth that processes share: a FluidTree in a Simulation. All starts, ends and cancellations of one instant are
// settled once, after its events; the network holds one calendar entry.
#pragma once

#include <bit>
#include <cstdint>

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
      : simulation_(simulation), tree_(spec), timer_(simulation, Action{&FluidNetwork::wake, this, 0}) {}

  /// `co_await network.transfer(node, bytes, cap)` moves bytes over the node's route.
  TransferAwaiter transfer(std::uint32_t node, double bytes, double cap_bytes_per_s = kUnlimitedBytesPerS) {
    return TransferAwaiter(*this, node, bytes, cap_bytes_per_s);
  }
  /// The same without a process: calls owner.ended at the end, if the transfer is not cancelled before.
  FlowId transfer(std::uint32_t node, double bytes, double cap_bytes_per_s, TransferOwner& owner) {
    const FlowId flow =
        tree_.start(simulation_.now(), node, bytes, cap_bytes_per_s, std::bit_cast<std::uintptr_t>(&owner));
    simulation_.mark_dirty(*this);
    return flow;
  }
  /// Gives up a transfer, whose owner then hears no more of it; false if it has ended.
  bool cancel(FlowId flow) {
    if (!tree_.cancel(simulation_.now(), flow)) return false;
    simulation_.mark_dirty(*this);
    return true;
  }

  Simulation& simulation() { return simulation_; }
  const FluidTree& tree() const { return tree_; }
  /// For an event that will start a transfer of this node: as its argument it is fetched into the caches before.
  std::uint64_t place_of(std::uint32_t node) const { return std::bit_cast<std::uintptr_t>(tree_.place_of(node)); }
  std::uint64_t active_flows() const { return tree_.active_flows(); }
  /// Bytes, saturation and flows of every link up to now; walks all flows.
  FluidTreeUsage usage() const { return tree_.usage(simulation_.now()); }

  void settle(TimeNs now) override {
    tree_.settle(now);
    timer_.set(tree_.next_completion());
  }

 private:
  friend class TransferAwaiter;

  static void wake(void* self, std::uint64_t) {
    auto& network = *static_cast<FluidNetwork*>(self);
    network.tree_.complete(network.simulation_.now(), &FluidNetwork::end);
    network.simulation_.mark_dirty(network);
  }
  static void end(std::uint64_t user) {
    TransferOwner& owner = *std::bit_cast<TransferOwner*>(static_cast<std::uintptr_t>(user));
    owner.ended(owner);
  }

  Simulation& simulation_;
  FluidTree tree_;
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
