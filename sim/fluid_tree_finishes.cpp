// Virtual bytes and finishes of FluidTree: when is which flow due.
#include <algorithm>
#include <bit>
#include <cmath>

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

/// What the owner of the next flow to end keeps about it has long left the caches by then.
void prefetch(std::uint64_t user) {
  const auto* const owner = std::bit_cast<const char*>(static_cast<std::uintptr_t>(user));
  for (std::size_t offset = 0; offset < 256; offset += 64) __builtin_prefetch(owner + offset, 1);
}

}  // namespace

double FluidTree::leaf_clock(const Leaf& leaf, TimeNs now) const {
  return leaf.offset + (leaf.limited ? leaf.rate * static_cast<double>(now - leaf.clock_start) : pool_clock(now));
}

double FluidTree::group_clock(const Leaf& leaf, const Group& group, ClassId limit, TimeNs now) const {
  if (group.tied) return group.offset + leaf_clock(leaf, now);
  return group.offset + limit_rate(limit) * static_cast<double>(now - group.clock_start);
}

double FluidTree::moved_per_flow(const Bundle& bundle, TimeNs now) const {
  if (bundle.limit == RateClasses::kNone) return 0.0;
  const Slot leaf = nodes_[bundle.node].leaf;
  return bundle.offset + group_clock(leaves_[leaf], group(leaf, bundle.limit), bundle.limit, now);
}

double FluidTree::rate(const Bundle& bundle) const {
  if (bundle.limit == RateClasses::kNone) return 0.0;
  const Slot leaf = nodes_[bundle.node].leaf;
  if (!group(leaf, bundle.limit).tied) return limit_rate(bundle.limit);
  return leaves_[leaf].limited ? leaves_[leaf].rate : pool_level_;
}

/// The exact finish of a flow that has run at its cap since its start, kNever for any other.
TimeNs FluidTree::finish_at_cap(const Bundle& bundle, const FinishQueue::Entry& flow) const {
  const Group& g = group(nodes_[bundle.node].leaf, bundle.limit);
  if (g.tied || classes_.limit(bundle.limit) != bundle.cap) return kNever;
  if (flow.start < bundle.joined || flow.start < g.side_since) return kNever;
  return flow.end_at_cap;
}

/// Twice the rounding that keys grant, so that whatever brought a key to the top is found due.
bool FluidTree::is_due(const Bundle& bundle, const FinishQueue::Entry& entry) const {
  if (bundle.limit == RateClasses::kNone) return false;
  const TimeNs at_cap = finish_at_cap(bundle, entry);
  if (at_cap != kNever) return at_cap <= now_;
  return entry.finish_point - bundle.moved <= 2.0 * kRoundingNs * rate(bundle);
}

void FluidTree::make_key(Slot slot) {
  Bundle& bundle = bundles_[slot];
  Leaf& leaf = leaves_[nodes_[bundle.node].leaf];
  if (bundle.limit == RateClasses::kNone || bundle.queue.empty()) {
    clear_key(slot);
    return;
  }
  const Group& g = group(nodes_[bundle.node].leaf, bundle.limit);
  bundle.epoch = g.epoch;
  const FinishQueue::Entry& front = bundle.queue.front();
  prefetch(front.user);
  if (g.tied) {
    leaf.frozen_keys.clear(bundle.key_slot);
    leaf.tied_keys.set(bundle.key_slot, front.finish_point - bundle.offset - g.offset);
  } else {
    TimeNs key = finish_at_cap(bundle, front);
    if (key == kNever) {
      key = later_by(now_, (front.finish_point - moved_per_flow(bundle, now_)) / limit_rate(bundle.limit));
    }
    leaf.frozen_keys.set(bundle.key_slot, key);
    leaf.tied_keys.clear(bundle.key_slot);
  }
}

void FluidTree::clear_key(Slot slot) {
  Leaf& leaf = leaves_[nodes_[bundles_[slot].node].leaf];
  leaf.frozen_keys.clear(bundles_[slot].key_slot);
  leaf.tied_keys.clear(bundles_[slot].key_slot);
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

TimeNs FluidTree::pool_finish() const {
  if (finish_by_pool_clock_.empty()) return kNever;
  return later_by(pool_clock_start_, (finish_by_pool_clock_.top() - pool_offset_) / pool_rate_);
}

/// The bundle with the earliest key, if that key is due now. Keys that went stale are made anew on the way.
bool FluidTree::first_due(Slot& found) {
  while (true) {
    const TimeNs by_time = finish_by_time_.top();
    const TimeNs by_pool_clock = pool_finish();
    if (std::min(by_time, by_pool_clock) > now_) return false;
    const bool time_first = by_time <= by_pool_clock;
    const Slot li = static_cast<Slot>(time_first ? finish_by_time_.winner() : finish_by_pool_clock_.winner());
    const Leaf& leaf = leaves_[li];
    const bool frozen = time_first && leaf.frozen_keys.top() == by_time;
    found = leaf.bundle_of_key[frozen ? leaf.frozen_keys.winner() : leaf.tied_keys.winner()];
    const Bundle& bundle = bundles_[found];
    if (bundle.dirty || bundle.epoch == group(li, bundle.limit).epoch) return true;
    ++counters_.stale_keys;
    make_key(found);
    publish(li);
  }
}

void FluidTree::collect_due(TimeNs now) {
  HEADRACE_ASSERT(due_.empty(), "complete() of a fluid tree was called from its own callback");
  move_to(now);
  Slot bundle = kNoSlot;
  while (first_due(bundle)) {
    pop_due(bundle);
    clear_key(bundle);  // settle() makes the next one
    publish(nodes_[bundles_[bundle].node].leaf);
  }
  while (next_unconstrained() <= now) {
    const Unconstrained flow = unconstrained_.pop();
    nodes_[flow.node].ended_bytes += flow.bytes;
    --nodes_[flow.node].active;
    due_.push_back({flow.sequence, flow.user});
  }
  if (due_.size() > 1) {
    std::sort(due_.begin(), due_.end(), [](const Due& a, const Due& b) { return a.sequence < b.sequence; });
  }
}

void FluidTree::pop_due(Slot slot) {
  touch(slot);
  Bundle& bundle = bundles_[slot];
  Node& node = nodes_[bundle.node];
  while (!bundle.queue.empty() && is_due(bundle, bundle.queue.front())) {
    const FinishQueue::Entry flow = bundle.queue.front();
    const double missing = flow.finish_point - bundle.moved;
    HEADRACE_ASSERT(
        missing <= 1e-3 * rate(bundle) || missing <= flow.bytes * (1e-12 + 1.0 / static_cast<double>(bundle.cap)),
        "a flow ended before its bytes had moved");
    bundle.queue.pop();
    node.ended_bytes += flow.bytes;
    flows_moved_ += flow.bytes - missing;
    --node.active;
    --active_;
    due_.push_back({flow.sequence, flow.user});
  }
}

}  // namespace headrace::sim
