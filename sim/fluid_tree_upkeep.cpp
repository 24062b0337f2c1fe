// Upkeep of FluidTree: accounts, fresh origins for clocks, empty classes, conservation.
#include <algorithm>
#include <cmath>

#include "sim/assert.hpp"
#include "sim/fluid_tree.hpp"

namespace headrace::sim {
namespace {

/// Clocks get a fresh origin after some 8.6 s: what they lose to rounding then stays below that of a transfer of that
/// length, however long the run.
constexpr TimeNs kRebaseAfterNs = TimeNs{1} << 33;

/// To some 2^-31 of it, which is much quicker than to the last bit.
double about(WideRate rate) {
  if (rate <= INT64_MAX) return static_cast<double>(static_cast<std::int64_t>(rate));
  return static_cast<double>(static_cast<std::int64_t>(rate >> 32)) * 0x1p32;
}

}  // namespace

/// Closes the time since the last settle in the pool's accounts, before any rate changes.
void FluidTree::account() {
  const double elapsed = static_cast<double>(now_ - pool_clock_start_);
  const bool saturated = pool_demand_.tied > 0;
  const WideRate rate = saturated ? pool_capacity_ : pool_demand_.frozen;
  pool_moved_ += about(rate) * bytes_per_ns_ * elapsed;
  if (saturated) pool_saturated_ns_ += now_ - pool_clock_start_;
  pool_offset_ = pool_clock(now_);
  pool_clock_start_ = now_;
}

void FluidTree::rebase_pool() {
  if (now_ - pool_rebased_ < kRebaseAfterNs) return;
  pool_rebased_ = now_;
  ++counters_.rebases;
  for (Slot li = 0; li < leaves_.size(); ++li) {
    if (!leaves_[li].limited) leaves_[li].offset += pool_offset_;
  }
  pool_offset_ = 0.0;
  for (Slot li = 0; li < leaves_.size(); ++li) publish(li);
}

/// Sets all clocks of a leaf to zero and makes all its keys anew: linear in its flows, and seldom.
void FluidTree::rebase_leaf(Slot li) {
  Leaf& leaf = leaves_[li];
  if (now_ - leaf.rebased < kRebaseAfterNs) return;
  leaf.rebased = now_;
  ++counters_.rebases;
  for (const Slot slot : leaf.bundle_of_key) {
    if (slot == kNoSlot) continue;
    Bundle& bundle = bundle_at(slot);
    bundle.queue.shift_origin(moved_per_flow(bundle, now_));
    bundle.offset = 0.0;
  }
  leaf.offset = leaf.limited ? 0.0 : -pool_offset_;
  leaf.clock_start = now_;
  for (const Slot slot : leaf.bundle_of_key) {
    if (slot == kNoSlot) continue;
    Group& g = group(li, bundle_at(slot).limit);
    g.offset = 0.0;
    g.clock_start = now_;
  }
  for (const Slot slot : leaf.bundle_of_key) {
    if (slot != kNoSlot) make_key(slot);
  }
  publish(li);
}

void FluidTree::reclaim_classes() {
  ++counters_.reclaims;
  const auto leave_empty = [this](ClassId& pointer) {
    while (classes_.is_empty(pointer)) pointer = classes_.next(pointer);
  };
  leave_empty(pool_pointer_);
  for (Leaf& leaf : leaves_) {
    leave_empty(leaf.own_pointer);
    leave_empty(leaf.pointer);
  }
  classes_.reclaim();
}

/// At most, of `moved_bytes`; see clock_grain() for why weights and priorities lose more.
double FluidTree::bytes_lost_to_rounding(double moved_bytes) const {
  return (weighted_ || below_ ? 1e-3 : 1e-6) * moved_bytes + 1.0;
}

/// Whatever went through the pool since it was last empty was moved by flows that have left since.
void FluidTree::check_drained() {
  const double error = std::abs(pool_moved_ - flows_moved_);
  HEADRACE_ASSERT(error <= bytes_lost_to_rounding(pool_moved_), "a fluid tree lost or made bytes");
  pool_moved_ = 0.0;
  flows_moved_ = 0.0;
}

void FluidTree::check_conservation(TimeNs now) const {
  double in_progress = 0.0;
  for (const Place& place : places_) {
    const Bundle& bundle = place.bundle;
    if (bundle.queue.empty()) continue;
    const double moved = bundle.dirty ? bundle.moved : moved_per_flow(bundle, now);
    for (const auto& flow : bundle.queue)
      in_progress += flow.bytes - whole(node_at(bundle.node), flow.finish_point - moved);
  }
  const WideRate rate = pool_demand_.tied > 0 ? pool_capacity_ : pool_demand_.frozen;
  const double through_pool =
      pool_moved_ + static_cast<double>(rate) * bytes_per_ns_ * static_cast<double>(now - pool_clock_start_);
  const double error = std::abs(through_pool - flows_moved_ - in_progress);
  HEADRACE_ASSERT(error <= bytes_lost_to_rounding(through_pool), "a fluid tree lost or made bytes");
}

double FluidTree::moved_unconstrained(const Unconstrained& flow, TimeNs now) {
  return now == flow.start ? 0.0 : std::min(flow.bytes, flow.cap_bytes_per_s * seconds(now - flow.start));
}

FluidTreeUsage FluidTree::usage(TimeNs now) const {
  HEADRACE_ASSERT(now >= now_ && now <= next_completion(), "usage of a fluid tree at a time that it does not know");
  FluidTreeUsage usage;
  usage.leaves.resize(leaves_.size());
  usage.nics.resize(node_count_);
  for (Slot i = 0; i < node_count_; ++i) {
    const Node& node = node_at(i);
    LinkUsage& nic = usage.nics[i];
    nic = {node.ended_bytes, node.saturated_ns, node.active};
    if (node.full_class != RateClasses::kNone) {
      const Group& g = group(node.leaf, node.full_class);
      nic.saturated_ns += frozen_clock(g) - node.full_since + (g.tied ? 0 : now - now_);
    }
  }
  for (const Place& place : places_) {
    const Bundle& bundle = place.bundle;
    if (bundle.queue.empty()) continue;
    const double moved = bundle.dirty ? bundle.moved : moved_per_flow(bundle, now);
    for (const auto& flow : bundle.queue) {
      const double rest = whole(node_at(bundle.node), flow.finish_point - moved);
      usage.nics[bundle.node].bytes += std::clamp(flow.bytes - rest, 0.0, flow.bytes);
    }
  }
  for (const auto& flow : unconstrained_) usage.nics[flow.node].bytes += moved_unconstrained(flow, now);
  usage.pool.saturated_ns = pool_saturated_ns_ + (pool_demand_.tied > 0 ? now - pool_clock_start_ : 0);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    usage.leaves[i].saturated_ns = leaves_[i].limited_ns + (leaves_[i].limited ? now - leaves_[i].limited_since : 0);
  }
  for (Slot i = 0; i < node_count_; ++i) {
    LinkUsage& leaf = usage.leaves[node_at(i).leaf];
    leaf.bytes += usage.nics[i].bytes;
    leaf.active_flows += usage.nics[i].active_flows;
    usage.pool.bytes += usage.nics[i].bytes;
    usage.pool.active_flows += usage.nics[i].active_flows;
  }
  return usage;
}

}  // namespace headrace::sim
