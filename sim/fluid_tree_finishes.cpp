// Virtual bytes and finishes of FluidTree: when is which flow due.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/assert.hpp"
#include "sim/fluid_tree.hpp"

namespace headrace::sim {
namespace {

/// A finish this little after an integer is that integer: rounding noise of the virtual bytes, which have 53 bits for
/// transfers of up to some 10^11 ns.
constexpr double kRoundingNs = 1e-4;

/// `from` + `duration_ns`, rounded up.
TimeNs later_by(TimeNs from, double duration_ns) {
  if (!(duration_ns < static_cast<double>(kNever - from))) return kNever;
  return from + static_cast<TimeNs>(std::ceil(std::max(0.0, duration_ns - kRoundingNs)));
}

constexpr std::size_t kOwnerBytes = 256;  // most of the batch that a transfer carries

void prefetch(const void* place, std::size_t bytes) {
  // As numbers: there may be nothing at `place`.
  const auto first = std::bit_cast<std::uintptr_t>(place);
  for (std::uintptr_t at = 0; at < bytes; at += 64) __builtin_prefetch(std::bit_cast<const void*>(first + at), 1);
}

}  // namespace

double FluidTree::rate(const Bundle& bundle) const {
  if (bundle.limit == RateClasses::kNone) return 0.0;
  if (!group(bundle.leaf, bundle.limit).tied) return limit_rate(bundle.limit);
  return leaves_[bundle.leaf].limited ? leaves_[bundle.leaf].rate : pool_level_;
}

/// Flows of the bundle that have started since then have always run at its cap, so that their finish is known exactly;
/// kNever if it does not run at its cap.
TimeNs FluidTree::at_cap_since(const Bundle& bundle, const Group& g) const {
  if (g.tied || classes_.limit(bundle.limit) != bundle.cap) return kNever;
  return std::max(bundle.joined, g.side_since);
}

void FluidTree::make_key(Slot slot) {
  Bundle& bundle = bundle_at(slot);
  if (bundle.limit == RateClasses::kNone || bundle.queue.empty()) {
    clear_key(slot);
    return;
  }
  Leaf& leaf = leaves_[bundle.leaf];
  const Group& g = group(bundle.leaf, bundle.limit);
  bundle.epoch = g.epoch;
  const FinishQueue::Entry& front = bundle.queue.front();
  if (g.tied) {
    leaf.frozen_keys.clear(bundle.key_slot);
    leaf.tied_keys.set(bundle.key_slot, front.finish_point - bundle.offset - g.offset);
  } else {
    TimeNs key = front.end_at_cap;
    if (front.start < at_cap_since(bundle, g)) {
      key = later_by(now_, (front.finish_point - moved_per_flow(bundle, now_)) / limit_rate(bundle.limit));
    }
    leaf.frozen_keys.set(bundle.key_slot, key);
    leaf.tied_keys.clear(bundle.key_slot);
  }
}

void FluidTree::clear_key(Slot slot) {
  Leaf& leaf = leaves_[bundle_at(slot).leaf];
  leaf.frozen_keys.clear(bundle_at(slot).key_slot);
  leaf.tied_keys.clear(bundle_at(slot).key_slot);
}

void FluidTree::publish(Slot slot) {
  const Leaf& leaf = leaves_[slot];
  TimeNs by_time = leaf.frozen_keys.top();
  double by_pool_clock = kInfinite;
  if (!leaf.tied_keys.empty()) {
    if (leaf.limited) {
      by_time = std::min(by_time, later_by(leaf.clock_start, (leaf.tied_keys.top() - leaf.offset) / leaf.rate));
    } else {
      by_pool_clock = leaf.tied_keys.top() - leaf.offset;
    }
  }
  finish_by_time_.set(slot, by_time);
  finish_by_pool_clock_.set(slot, by_pool_clock);
}

/// When the pool's clock reaches `pool_clock`, kInfinite or above if never.
TimeNs FluidTree::finish_by_pool(double pool_clock) const {
  if (pool_clock >= kInfinite) return kNever;
  return later_by(pool_clock_start_, (pool_clock - pool_offset_) / pool_rate_);
}

/// The bundle with the earliest key, none if that key is not due now. Keys that went stale are made anew on the way.
FluidTree::FirstDue FluidTree::first_due() {
  while (true) {
    const TimeNs by_time = finish_by_time_.top();
    const TimeNs by_pool_clock = pool_finish();
    if (std::min(by_time, by_pool_clock) > now_) return {};
    FirstDue first;
    Slot li = 0;
    if (by_time <= by_pool_clock) {
      const auto leaves = finish_by_time_.lead();
      li = static_cast<Slot>(leaves.slot);
      first = first_of(leaves_[li], by_time, std::min(by_pool_clock, leaves.runner_up));
      if (leaves.runner_up != kNever) prefetch_first(leaves_[leaves.runner_up_slot], &Leaf::frozen_keys);
    } else {
      const auto leaves = finish_by_pool_clock_.lead();
      li = static_cast<Slot>(leaves.slot);
      const auto bundles = leaves_[li].tied_keys.lead();
      first.bundle = leaves_[li].bundle_of_key[bundles.slot];
      const double next_by_pool_clock = std::min(leaves.runner_up, bundles.runner_up - leaves_[li].offset);
      first.is_only = by_time > now_ && finish_by_pool(next_by_pool_clock) > now_;
      if (leaves.runner_up != kInfinite) prefetch_first(leaves_[leaves.runner_up_slot], &Leaf::tied_keys);
    }
    const Bundle& bundle = bundle_at(first.bundle);
    if (bundle.dirty || bundle.epoch == group(li, bundle.limit).epoch) return first;
    ++counters_.stale_keys;
    make_key(first.bundle);
    publish(li);
  }
}

/// The bundle that is due first in a leaf whose key is due by time; nothing of other leaves is due before `others`.
FluidTree::FirstDue FluidTree::first_of(const Leaf& leaf, TimeNs by_time, TimeNs others) const {
  if (leaf.frozen_keys.top() != by_time) return {leaf.bundle_of_key[leaf.tied_keys.winner()], false};
  const auto lead = leaf.frozen_keys.lead();
  return {leaf.bundle_of_key[lead.slot], !leaf.limited && std::min(others, lead.runner_up) > now_};
}

/// By the time a flow ends, what it needs has long left the caches: its bundle, then what its owner keeps about it.
/// Among many leaves the flow after the first mostly ends in another one.
template <class Keys>
void FluidTree::prefetch_first(const Leaf& leaf, Keys Leaf::*keys) {
  upcoming_ = leaf.bundle_of_key[(leaf.*keys).winner()];
  if (upcoming_ != kNoSlot) prefetch(place_of(upcoming_), kPlaceBytes);
}

void FluidTree::prefetch_owner() {
  if (upcoming_ == kNoSlot) return;
  const Bundle& bundle = bundle_at(upcoming_);
  upcoming_ = kNoSlot;
  if (bundle.queue.empty()) return;
  bundle.queue.prefetch_next();
  prefetch(std::bit_cast<const void*>(static_cast<std::uintptr_t>(bundle.queue.front().user)), kOwnerBytes);
}

void FluidTree::collect_due(TimeNs now) {
  HEADRACE_ASSERT(due_.empty(), "complete() of a fluid tree was called from its own callback");
  move_to(now);
  for (FirstDue first = first_due(); first.bundle != kNoSlot; first = first_due()) {
    pop_due(first.bundle);
    if (first.is_only) break;  // settle() puts the next key over the old one
    clear_key(first.bundle);
    publish(bundle_at(first.bundle).leaf);
  }
  while (next_unconstrained() <= now) {
    const Unconstrained flow = unconstrained_.pop();
    node_at(flow.node).ended_bytes += flow.bytes;
    --node_at(flow.node).active;
    due_.push_back({flow.sequence, flow.user});
  }
  if (due_.size() > 1) {
    std::sort(due_.begin(), due_.end(), [](const Due& a, const Due& b) { return a.sequence < b.sequence; });
  }
}

/// Bytes per unit of weight that clocks of very different speeds lose to rounding: flows of large weight, of a class
/// that gets next to nothing, or of a pool that was much faster before, move by less than the last bits of its clock.
double FluidTree::clock_grain(const Bundle& bundle) const {
  const Leaf& leaf = leaves_[bundle.leaf];
  const Group& g = group(bundle.leaf, bundle.limit);
  return 0x1p-48 * (std::abs(bundle.moved) + std::abs(bundle.offset) + std::abs(g.offset) + std::abs(leaf.offset) +
                    std::abs(pool_clock(now_)));
}

/// Twice the rounding that keys grant, so that whatever brought a key to the top is found due. Where clocks lose more
/// than that, the first flow of a bundle that follows one is due because its key is: nothing would change until then.
void FluidTree::pop_due(Slot slot) {
  touch(slot);
  Bundle& bundle = bundle_at(slot);
  if (bundle.limit == RateClasses::kNone) return;
  Node& node = node_at(bundle.node);
  const Group& g = group(bundle.leaf, bundle.limit);
  const TimeNs exact_since = at_cap_since(bundle, g);
  const double rate_per_ns = rate(bundle);
  const bool loses_bits = weighted_ || below_;
  double grain = loses_bits ? clock_grain(bundle) : 0.0;
  bool is_first = true;
  while (!bundle.queue.empty()) {
    const FinishQueue::Entry flow = bundle.queue.front();
    const double missing = flow.finish_point - bundle.moved;
    const bool is_due =
        flow.start >= exact_since ? flow.end_at_cap <= now_ : missing <= 2.0 * kRoundingNs * rate_per_ns + grain;
    if (!is_due) {
      if (!is_first || !g.tied || loses_bits) return;
      grain = clock_grain(bundle);
      if (missing > grain) return;
    }
    is_first = false;
    HEADRACE_ASSERT(missing <= 1e-3 * rate_per_ns + grain ||
                        missing <= flow.bytes * (1e-12 + 1.0 / static_cast<double>(bundle.cap)),
                    "a flow ended before its bytes had moved");
    bundle.queue.pop();
    node.ended_bytes += flow.bytes;
    flows_moved_ += flow.bytes - whole(node, missing);
    --node.active;
    --active_;
    due_.push_back({flow.sequence, flow.user});
  }
}

}  // namespace headrace::sim
