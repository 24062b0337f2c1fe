// Water levels of FluidTree: who runs at which rate.
//
// The demand on a level, the sum of min(limit, level), is concave in the level, and every position of the pointer gives
// a line above it. So correcting one wrong breakpoint at a time only ever raises the root of that line towards the true
// level: the loops below end, normally after no or one step.
#include <algorithm>

#include "sim/assert.hpp"
#include "sim/fluid_tree.hpp"

namespace headrace::sim {

ClassId FluidTree::intern(FixedRate limit) {
  const ClassId id = classes_.intern(limit);
  const std::size_t needed = classes_.capacity() * leaves_.size();
  if (group_places_.size() < needed) group_places_.resize(needed);
  return id;
}

/// A group that gets its first flows: its clock starts at zero, on the side where the leaf's pointer puts it.
FluidTree::Group& FluidTree::make_group(Slot li, ClassId limit) {
  auto place = static_cast<std::uint32_t>(groups_.size());
  if (free_groups_.empty()) {
    groups_.emplace_back();
  } else {
    place = free_groups_.back();
    free_groups_.pop_back();
  }
  group_place(li, limit) = place;
  const Leaf& leaf = leaves_[li];
  Group& g = groups_[place];
  g.tied = classes_.limit(limit) >= classes_.limit(leaf.pointer);
  g.offset = g.tied ? -leaf_clock(leaf, now_) : 0.0;
  g.clock_start = now_;
  g.side_since = now_;
  ++g.epoch;
  return g;
}

void FluidTree::release_group(Slot li, ClassId limit) {
  free_groups_.push_back(group_place(li, limit));
  group_place(li, limit) = 0;
}

void FluidTree::mark(Slot leaf) {
  if (leaves_[leaf].dirty) return;
  leaves_[leaf].dirty = true;
  dirty_leaves_.push_back(leaf);
}

/// Tells all sums that a leaf has `flows` more flows (fewer if negative) of a class.
void FluidTree::change_sums(Slot li, ClassId id, std::int64_t flows) {
  Leaf& leaf = leaves_[li];
  Group& g = group(li, id);
  g.flows += flows;
  if (g.flows == 0) release_group(li, id);
  classes_.add_flows(id, flows);
  const FixedRate limit = classes_.limit(id);
  const WideRate rate = static_cast<WideRate>(flows) * limit;
  leaf.own += limit < classes_.limit(leaf.own_pointer) ? Demand{rate, 0} : Demand{0, flows};
  const bool frozen_in_pool = limit < classes_.limit(pool_pointer_);
  const Demand change = frozen_in_pool ? Demand{rate, 0} : Demand{0, flows};
  leaf.pool_view += change;
  if (!leaf.limited) pool_demand_ += change;
  mark(li);
}

/// A bundle now has `flows` flows of class `limit`.
void FluidTree::join_class(Slot slot, ClassId limit, std::int64_t flows) {
  Bundle& bundle = bundle_at(slot);
  if (flows == 0) limit = RateClasses::kNone;
  const Slot li = node_at(bundle.node).leaf;
  if (limit == bundle.limit) {
    if (flows != bundle.counted) change_sums(li, limit, flows - bundle.counted);
    bundle.counted = flows;
    return;
  }
  touch(slot);
  if (bundle.limit != RateClasses::kNone) change_sums(li, bundle.limit, -bundle.counted);
  if (limit != RateClasses::kNone) {
    Group& g = group_place(li, limit) == 0 ? make_group(li, limit) : group(li, limit);
    change_sums(li, limit, flows);
    bundle.offset = bundle.moved - group_clock(leaves_[li], g, limit, now_);
    bundle.joined = now_;
  }
  bundle.limit = limit;
  bundle.counted = flows;
}

/// Time for which a group has been frozen; runs only while it is.
TimeNs FluidTree::frozen_clock(const Group& g) const { return g.frozen_ns + (g.tied ? 0 : now_ - g.side_since); }

/// The NIC's own level decides the limits of its bundles: rising caps are granted while they fit, the rest is shared.
void FluidTree::solve_node(Slot slot) {
  Node& node = node_at(slot);
  node.dirty = false;
  if (node.full_class != RateClasses::kNone) {
    node.saturated_ns += frozen_clock(group(node.leaf, node.full_class)) - node.full_since;
    node.full_class = RateClasses::kNone;
  }
  FixedRate rest = node.capacity;
  std::int64_t sharers = static_cast<std::int64_t>(node.active);
  bool full = false;
  ClassId last = RateClasses::kNone;
  for (Slot b = node.first_bundle; b != kNoSlot; b = bundle_at(b).next) {
    const auto flows = static_cast<std::int64_t>(bundle_at(b).queue.size());
    if (flows == 0) {
      join_class(b, RateClasses::kNone, 0);
      continue;
    }
    FixedRate limit = bundle_at(b).cap;
    if (static_cast<WideRate>(limit) * sharers <= rest) {
      rest -= limit * flows;
      sharers -= flows;
    } else {
      limit = std::max<FixedRate>(1, rest / sharers);
      full = true;
    }
    const ClassId present = bundle_at(b).limit;
    last = present != RateClasses::kNone && classes_.limit(present) == limit ? present : intern(limit);
    join_class(b, last, flows * node.weight);
  }
  if (node.own_capacity && last != RateClasses::kNone && (full || rest == 0)) {
    node.full_class = last;
    node.full_since = frozen_clock(group(node.leaf, last));
  }
}

void FluidTree::solve_leaf(Slot li) {
  Leaf& leaf = leaves_[li];
  while (true) {
    const ClassId at = leaf.own_pointer;
    if (at != RateClasses::kEnd && leaf.own.tied == 0 && leaf.own.frozen <= leaf.capacity) {
      leaf.own_pointer = RateClasses::kEnd;
      break;
    }
    if (at != RateClasses::kEnd && level_reaches(leaf.capacity, leaf.own, classes_.limit(at))) {
      leaf.own.freeze(group(li, at).flows, classes_.limit(at));
      leaf.own_pointer = classes_.next(at);
      continue;
    }
    const ClassId before = classes_.previous(at);
    if (before == RateClasses::kNone || level_reaches(leaf.capacity, leaf.own, classes_.limit(before))) break;
    leaf.own.freeze(-group(li, before).flows, classes_.limit(before));
    leaf.own_pointer = before;
  }
  leaf.level = leaf.own.tied > 0 ? level_of(leaf.capacity, leaf.own) * bytes_per_ns_ : kInfinite;
}

/// A limited leaf takes exactly its capacity from the pool, whatever its flows; one that follows adds its flows.
void FluidTree::switch_leaf(Slot li, bool limited) {
  Leaf& leaf = leaves_[li];
  const double clock = leaf_clock(leaf, now_);
  ++counters_.leaf_switches;
  leaf.limited = limited;
  if (limited) {
    pool_demand_.frozen += leaf.capacity - leaf.pool_view.frozen;
    pool_demand_.tied -= leaf.pool_view.tied;
    leaf.offset = clock;
    leaf.clock_start = now_;
    leaf.limited_since = now_;
    leaf.rate = leaf.level;
  } else {
    pool_demand_.frozen -= leaf.capacity - leaf.pool_view.frozen;
    pool_demand_.tied += leaf.pool_view.tied;
    leaf.offset = clock - pool_clock(now_);
    leaf.limited_ns += now_ - leaf.limited_since;
  }
  following_levels_.set(li, limited ? kInfinite : leaf.level);
  limited_levels_.set(li, limited ? -leaf.level : kInfinite);
  mark(li);
}

void FluidTree::solve_dirty_leaves() {
  for (std::size_t i = 0; i < dirty_leaves_.size(); ++i) {
    const Slot li = dirty_leaves_[i];
    Leaf& leaf = leaves_[li];
    if (leaf.limited) {
      leaf.offset = leaf_clock(leaf, now_);
      leaf.clock_start = now_;
    }
    solve_leaf(li);
    if (leaf.limited && leaf.own.tied == 0) switch_leaf(li, false);  // before the pool counts on it
    if (leaf.limited) {
      leaf.rate = leaf.level;
      limited_levels_.set(li, -leaf.level);
    } else {
      following_levels_.set(li, leaf.level);
    }
  }
}

/// The pool's pointer passes the class `crossed`, which becomes frozen or tied in every leaf that follows.
void FluidTree::move_pool_pointer(ClassId crossed, ClassId to, bool freeze) {
  ++counters_.pool_crossings;
  pool_pointer_ = to;
  if (classes_.flows(crossed) == 0) return;
  const FixedRate limit = classes_.limit(crossed);
  for (Slot li = 0; li < leaves_.size(); ++li) {
    if (group_place(li, crossed) == 0) continue;
    const std::int64_t flows = group(li, crossed).flows * (freeze ? 1 : -1);
    leaves_[li].pool_view.freeze(flows, limit);
    if (!leaves_[li].limited) pool_demand_.freeze(flows, limit);
  }
}

/// Corrects one wrong breakpoint of the pool's level; false if there is none.
bool FluidTree::correct_pool_once() {
  const auto reaches_leaf = [this](std::size_t li) {
    const Leaf& leaf = leaves_[li];
    return level_reaches(pool_capacity_, pool_demand_, leaf.capacity, leaf.own);
  };
  const ClassId at = pool_pointer_;
  if (at != RateClasses::kEnd && level_reaches(pool_capacity_, pool_demand_, classes_.limit(at))) {
    move_pool_pointer(at, classes_.next(at), true);
    return true;
  }
  if (!following_levels_.empty() && reaches_leaf(following_levels_.winner())) {
    switch_leaf(static_cast<Slot>(following_levels_.winner()), true);
    return true;
  }
  const ClassId before = classes_.previous(at);
  if (before != RateClasses::kNone && !level_reaches(pool_capacity_, pool_demand_, classes_.limit(before))) {
    move_pool_pointer(before, before, false);
    return true;
  }
  if (!limited_levels_.empty() && !reaches_leaf(limited_levels_.winner())) {
    switch_leaf(static_cast<Slot>(limited_levels_.winner()), false);
    return true;
  }
  return false;
}

void FluidTree::solve_pool() {
  while (correct_pool_once()) {
  }
  set_pool_rate();
}

void FluidTree::set_pool_rate() {
  pool_level_ = kInfinite;
  if (pool_demand_.tied > 0) {
    pool_level_ = level_of(pool_capacity_, pool_demand_) * bytes_per_ns_;
    pool_rate_ = pool_level_;
  } else {
    // The clock of a pool that limits nobody runs at the largest limit, so that keys left behind in it stay lower
    // bounds.
    pool_rate_ = classes_.largest() == RateClasses::kNone ? 0.0 : limit_rate(classes_.largest());
  }
}

/// The groups of a leaf between the old and the new pointer in force become frozen or tied.
void FluidTree::change_sides(Slot li) {
  Leaf& leaf = leaves_[li];
  const ClassId pointer = leaf.limited ? leaf.own_pointer : pool_pointer_;
  if (pointer == leaf.pointer) return;
  const bool freeze = classes_.limit(pointer) > classes_.limit(leaf.pointer);
  const double clock = leaf_clock(leaf, now_);
  const ClassId last = freeze ? pointer : leaf.pointer;
  for (ClassId id = freeze ? leaf.pointer : pointer; id != last; id = classes_.next(id)) {
    if (group_place(li, id) == 0) continue;
    Group& g = group(li, id);
    const double moved = group_clock(leaf, g, id, now_);
    g.frozen_ns = frozen_clock(g);
    g.tied = !freeze;
    g.offset = freeze ? moved : moved - clock;
    g.clock_start = now_;
    g.side_since = now_;
    ++g.epoch;
  }
  leaf.pointer = pointer;
}

void FluidTree::settle(TimeNs now) {
  move_to(now);
  if (!needs_settle()) {
    if (next_ <= now) {
      ++counters_.idle_wakes;
      next_ = std::max(now, std::min(finish_by_time_.top(), pool_finish()));
    }
    return;
  }
  ++counters_.settles;
  account();
  if (!settle_unlimited()) settle_levels();
  finish_settle();
}

/// Rate of what leaves a leaf for the pool, rounded up.
WideRate FluidTree::leaf_rate_units(Slot li) const {
  const Leaf& leaf = leaves_[li];
  if (leaf.limited) return leaf.capacity;
  if (leaf.pool_view.tied == 0 || pool_demand_.tied == 0) return leaf.pool_view.frozen;
  const double tied = level_of(pool_capacity_, pool_demand_) * static_cast<double>(leaf.pool_view.tied);
  return leaf.pool_view.frozen + static_cast<WideRate>(tied) + 1;
}

/// Takes over what `above` leaves of pool and leaves; whether that is another capacity than before.
bool FluidTree::take_rest(const FluidTree& above) {
  constexpr WideRate kParts = static_cast<WideRate>(1.0 / kLeastRest);
  const auto rest_of = [](WideRate full, WideRate capacity, WideRate rate) {
    return std::max({static_cast<WideRate>(1), full / kParts, capacity - rate});
  };
  bool changed = false;
  if (pool_full_ < kUnlimitedRate) {
    const WideRate rest = rest_of(pool_full_, above.pool_capacity_, above.pool_rate_units());
    changed = rest != pool_capacity_;
    pool_capacity_ = rest;
  }
  for (Slot li = 0; li < leaves_.size(); ++li) {
    Leaf& leaf = leaves_[li];
    if (leaves_full_[li] >= kUnlimitedRate) continue;
    const WideRate rest = rest_of(leaves_full_[li], above.leaves_[li].capacity, above.leaf_rate_units(li));
    if (rest == leaf.capacity) continue;
    changed = true;
    if (leaf.limited) pool_demand_.frozen += rest - leaf.capacity;
    leaf.capacity = rest;
    mark(li);
  }
  return changed;
}

void FluidTree::settle_below(TimeNs now, const FluidTree& above) {
  below_ = true;
  move_to(now);
  account();
  if (!take_rest(above)) {
    settle(now);
    return;
  }
  ++counters_.settles;
  settle_levels();
  finish_settle();
}

/// By far the most frequent change: some flows of one bundle start or end, and before and after it nothing but the cap
/// limits any flow that it could touch. No level moves then, and only sums change. False, and nothing done, if it is
/// another change.
bool FluidTree::settle_unlimited() {
  if (dirty_bundles_.size() != 1 || pool_pointer_ != RateClasses::kEnd || !following_levels_.empty()) return false;
  Bundle& bundle = bundle_at(dirty_bundles_.front());
  Node& node = node_at(bundle.node);
  Leaf& leaf = leaves_[bundle.leaf];
  const auto flows = static_cast<std::int64_t>(bundle.queue.size());
  if (flows == 0 || bundle.limit == RateClasses::kNone || classes_.limit(bundle.limit) != bundle.cap) return false;
  const bool is_alone = node.first_bundle == dirty_bundles_.front() && bundle.next == kNoSlot;
  if (!is_alone || node.full_class != RateClasses::kNone) return false;
  if (static_cast<WideRate>(bundle.cap) * flows >= node.capacity) return false;
  if (leaf.limited || leaf.own_pointer != RateClasses::kEnd || leaf.pointer != RateClasses::kEnd) return false;
  const std::int64_t counted = flows * node.weight;
  const std::int64_t more = counted - bundle.counted;
  const WideRate rate = static_cast<WideRate>(bundle.cap) * more;
  if (leaf.own.frozen + rate > leaf.capacity || pool_demand_.frozen + rate > pool_capacity_) return false;
  group(bundle.leaf, bundle.limit).flows += more;
  classes_.add_flows(bundle.limit, more);
  leaf.own.frozen += rate;
  leaf.pool_view.frozen += rate;
  pool_demand_.frozen += rate;
  bundle.counted = counted;
  node.dirty = false;
  dirty_nodes_.clear();
  set_pool_rate();
  return true;
}

void FluidTree::settle_levels() {
  for (std::size_t i = 0; i < dirty_nodes_.size(); ++i) solve_node(dirty_nodes_[i]);
  dirty_nodes_.clear();
  if (levels_keep_their_places()) return;
  for (const Slot li : stale_levels_) {
    following_levels_.set(li, leaves_[li].level);
    leaves_[li].stale_level = false;
  }
  stale_levels_.clear();
  const ClassId old_pointer = pool_pointer_;
  solve_dirty_leaves();
  solve_pool();
  lowest_following_level_ = following_levels_.top();
  if (pool_pointer_ != old_pointer) {
    for (Slot li = 0; li < leaves_.size(); ++li) change_sides(li);
  } else {
    for (const Slot li : dirty_leaves_) change_sides(li);
  }
}

/// Where the pool is full every change moves its level, but hardly ever over a limit: the pool then only gets another
/// rate. False, and nothing done but to note new levels of leaves, if a breakpoint is passed or could be.
bool FluidTree::levels_keep_their_places() {
  if (pool_demand_.tied == 0 || !limited_levels_.empty()) return false;
  for (const Slot li : dirty_leaves_) {
    const Leaf& leaf = leaves_[li];
    if (leaf.limited || leaf.pointer != pool_pointer_) return false;
    const bool stays_infinite = leaf.level == kInfinite && leaf.own_pointer == RateClasses::kEnd;
    if ((leaf.own.tied == 0) != stays_infinite) return false;
    if (!pointer_is_right(leaf.own_pointer, leaf.capacity, leaf.own)) return false;
  }
  if (!pointer_is_right(pool_pointer_, pool_capacity_, pool_demand_)) return false;
  for (const Slot li : dirty_leaves_) {
    Leaf& leaf = leaves_[li];
    if (leaf.own.tied == 0) continue;
    leaf.level = level_of(leaf.capacity, leaf.own) * bytes_per_ns_;
    lowest_following_level_ = std::min(lowest_following_level_, leaf.level);
    if (leaf.stale_level) continue;
    leaf.stale_level = true;
    stale_levels_.push_back(li);
  }
  set_pool_rate();
  constexpr double kClearlyBelow = 1.0 - 1e-9;
  return pool_level_ < lowest_following_level_ * kClearlyBelow;
}

/// Whether the limits before a pointer are those that the level of a link reaches.
bool FluidTree::pointer_is_right(ClassId pointer, WideRate capacity, const Demand& demand) const {
  if (pointer != RateClasses::kEnd && level_reaches(capacity, demand, classes_.limit(pointer))) return false;
  const ClassId before = classes_.previous(pointer);
  return before == RateClasses::kNone || level_reaches(capacity, demand, classes_.limit(before));
}

/// New keys for what changed, then upkeep, then the next wake-up.
void FluidTree::finish_settle() {
  for (const Slot slot : dirty_bundles_) {
    bundle_at(slot).dirty = false;
    if (bundle_at(slot).queue.empty()) {
      release_bundle(slot);
    } else {
      make_key(slot);
    }
  }
  dirty_bundles_.clear();
  for (const Slot li : dirty_leaves_) publish(li);
  rebase_pool();
  for (const Slot li : dirty_leaves_) {
    leaves_[li].dirty = false;
    rebase_leaf(li);
  }
  dirty_leaves_.clear();
  if (classes_.worth_reclaiming()) reclaim_classes();
  if (active_ == 0) check_drained();
  next_ = std::max(now_, std::min(finish_by_time_.top(), pool_finish()));
  prefetch_owner();
}

}  // namespace headrace::sim
