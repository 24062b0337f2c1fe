#include "sim/fluid_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/assert.hpp"

namespace headrace::sim {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Infinite above the bound of what counts as finite.
double capacity(double bytes_per_s, const char* what) {
  if (!(bytes_per_s > 0.0)) throw std::invalid_argument(std::string(what) + " of a fluid tree must be positive");
  return bytes_per_s < kUnlimitedBytesPerS ? bytes_per_s : kNoLimit;
}

/// The power of two that brings `largest` into [2^59, 2^60).
double fixed_scale(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, 60 - exponent);
}

}  // namespace

FluidTree::FluidTree(const FluidTreeSpec& spec) {
  const double pool = capacity(spec.pool_bytes_per_s, "the pool");
  double largest = 0.0;
  for (const auto& node : spec.nodes) {
    if (node.leaf >= spec.leaves.size()) throw std::invalid_argument("a node of a fluid tree has no leaf");
    const double leaf = capacity(spec.leaves[node.leaf].bytes_per_s, "a leaf");
    const double least = std::min({pool, leaf, capacity(node.nic_bytes_per_s, "a NIC")});
    if (least < kNoLimit) largest = std::max(largest, least);
  }
  // What no node can use need not fit: a pool or a leaf wider than the sum of its nodes is cut to what fits below.
  fixed_per_bytes_per_s_ = fixed_scale(largest > 0.0 ? largest : 1.0);
  bytes_per_ns_ = 1.0 / fixed_per_bytes_per_s_ / 1e9;
  const auto wide = [this](double bytes_per_s) {
    const double units = bytes_per_s * fixed_per_bytes_per_s_;
    return units < 0x1p93 ? static_cast<WideRate>(units) : kUnlimitedRate;
  };
  pool_capacity_ = wide(pool);
  pool_full_ = pool_capacity_;
  leaves_.resize(spec.leaves.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    leaves_[i].capacity = wide(capacity(spec.leaves[i].bytes_per_s, "a leaf"));
    leaves_[i].level = kInfinite;
    leaves_full_.push_back(leaves_[i].capacity);
  }
  places_.reserve(spec.nodes.size());
  for (const auto& node : spec.nodes) add_node(spec, node);
  finish_by_time_.reserve(leaves_.size());
  finish_by_pool_clock_.reserve(leaves_.size());
  following_levels_.reserve(leaves_.size());
  limited_levels_.reserve(leaves_.size());
  groups_.emplace_back();
  group_places_.resize(classes_.capacity() * leaves_.size());
}

void FluidTree::add_node(const FluidTreeSpec& spec, const FluidTreeSpec::Node& node) {
  const double nic = capacity(node.nic_bytes_per_s, "a NIC");
  const double above =
      std::min(capacity(spec.pool_bytes_per_s, "the pool"), capacity(spec.leaves[node.leaf].bytes_per_s, "a leaf"));
  if (node.weight < 1 || node.weight > kMostWeight)
    throw std::invalid_argument("a weight in a fluid tree is not in 1 to " + std::to_string(kMostWeight));
  Node made;
  made.leaf = node.leaf;
  made.weight = node.weight;
  weighted_ = weighted_ || node.weight != 1;
  made.cap_bytes_per_s = std::min(nic, above);
  made.constrained = made.cap_bytes_per_s < kNoLimit;
  made.own_capacity = made.constrained && nic <= above;
  if (made.constrained) made.capacity = fixed(made.cap_bytes_per_s / made.weight);
  places_.emplace_back().node = made;
  ++node_count_;
}

/// Rounded down, so that flows whose caps add up to a capacity are found to fit; at least one unit.
FixedRate FluidTree::fixed(double bytes_per_s) const {
  return std::max<FixedRate>(1, static_cast<FixedRate>(bytes_per_s * fixed_per_bytes_per_s_));
}

void FluidTree::move_to(TimeNs now) {
  if (now == now_) return;
  HEADRACE_ASSERT(now > now_, "a fluid tree went back in time");
  HEADRACE_ASSERT(!needs_settle(), "time passed before a fluid tree was settled");
  HEADRACE_ASSERT(now <= next_completion(), "time passed the next completion of a fluid tree");
  now_ = now;
}

FlowId FluidTree::start(TimeNs now, std::uint32_t node, double bytes, double cap_bytes_per_s, std::uint64_t user) {
  move_to(now);
  HEADRACE_ASSERT(bytes >= 0.0 && bytes < 0x1p62, "a flow has a negative or an absurd size");
  HEADRACE_ASSERT(cap_bytes_per_s > 0.0, "a flow has no rate");
  const double cap = cap_bytes_per_s < kUnlimitedBytesPerS ? cap_bytes_per_s : kNoLimit;
  const FlowId id{sequence_++, node};
  ++node_at(node).active;
  if (!node_at(node).constrained) {
    const TimeNs finish = std::min(kNever, now + transfer_ns(bytes, cap));
    unconstrained_.push({finish, now, bytes, cap, user, id.sequence, node});
    return id;
  }
  const Slot slot = find_or_make_bundle(node, std::min(cap, node_at(node).cap_bytes_per_s));
  Bundle& bundle = bundle_at(slot);
  bundle.queue.prefetch_end();
  touch(slot);
  const TimeNs end_at_cap = std::min(kNever, now + transfer_ns(bytes, bundle.cap_bytes_per_s));
  const double per_weight = weighted_ ? bytes / static_cast<double>(node_at(node).weight) : bytes;
  bundle.queue.push({bundle.moved + per_weight, bytes, now, end_at_cap, user, id.sequence}, rooms_);
  ++active_;
  return id;
}

FluidTree::Found FluidTree::find(FlowId id) const {
  if (id.node >= node_count_) return {};
  for (Slot slot = node_at(id.node).first_bundle; slot != kNoSlot; slot = bundle_at(slot).next) {
    if (const FinishQueue::Entry* const flow = bundle_at(slot).queue.find(id.sequence)) return {slot, flow};
  }
  return {};
}

bool FluidTree::is_active(FlowId id) const {
  const auto is_meant = [id](const auto& flow) { return flow.sequence == id.sequence; };
  const auto due = std::find_if(due_.begin(), due_.end(), is_meant);
  if (due != due_.end()) return !due->over;
  return find(id).flow != nullptr || std::any_of(unconstrained_.begin(), unconstrained_.end(), is_meant);
}

bool FluidTree::cancel(TimeNs now, FlowId id) {
  // A due flow has left the tree: only its callback is dropped.
  const auto due = std::find_if(due_.begin(), due_.end(), [id](const Due& d) { return d.sequence == id.sequence; });
  if (due != due_.end()) return !std::exchange(due->over, true);
  if (!is_active(id)) return false;
  move_to(now);
  end_early(id);
  return true;
}

void FluidTree::end_early(FlowId id) {
  Node& node = node_at(id.node);
  --node.active;
  const auto is_meant = [id](const Unconstrained& flow) { return flow.sequence == id.sequence; };
  if (const std::optional<Unconstrained> flow = unconstrained_.remove_if(is_meant)) {
    node.ended_bytes += moved_unconstrained(*flow, now_);
    return;
  }
  const Found place = find(id);
  touch(place.bundle);
  Bundle& bundle = bundle_at(place.bundle);
  const double bytes = place.flow->bytes;
  const double moved = bytes - whole(node, place.flow->finish_point - bundle.moved);
  bundle.queue.remove(*place.flow);
  node.ended_bytes += std::clamp(moved, 0.0, bytes);
  flows_moved_ += moved;
  --active_;
}

/// The bundles of a node are a list by rising cap: mostly one, seldom more than a few.
FluidTree::Slot FluidTree::find_or_make_bundle(Slot node, double cap_bytes_per_s) {
  Slot before = kNoSlot;
  Slot at = node_at(node).first_bundle;
  while (at != kNoSlot && bundle_at(at).cap_bytes_per_s < cap_bytes_per_s) {
    before = at;
    at = bundle_at(at).next;
  }
  if (at != kNoSlot && bundle_at(at).cap_bytes_per_s == cap_bytes_per_s) return at;
  const Slot made = take_bundle(node);
  Bundle& bundle = bundle_at(made);
  bundle.cap_bytes_per_s = cap_bytes_per_s;
  bundle.cap = fixed(cap_bytes_per_s / node_at(node).weight);
  bundle.node = node;
  bundle.leaf = node_at(node).leaf;
  bundle.next = at;
  (before == kNoSlot ? node_at(node).first_bundle : bundle_at(before).next) = made;
  Leaf& leaf = leaves_[node_at(node).leaf];
  if (leaf.free_keys.empty()) {
    bundle.key_slot = static_cast<Slot>(leaf.bundle_of_key.size());
    leaf.bundle_of_key.push_back(made);
    leaf.frozen_keys.reserve(leaf.bundle_of_key.size());
    leaf.tied_keys.reserve(leaf.bundle_of_key.size());
  } else {
    bundle.key_slot = leaf.free_keys.back();
    leaf.free_keys.pop_back();
    leaf.bundle_of_key[bundle.key_slot] = made;
  }
  return made;
}

/// The node's own place if it is free: who knows the node then knows where to look.
FluidTree::Slot FluidTree::take_bundle(Slot node) {
  Slot slot = node;
  if (bundle_at(node).in_use) {
    if (free_bundles_.empty()) {
      free_bundles_.push_back(static_cast<Slot>(places_.size()));
      places_.emplace_back();
    }
    slot = free_bundles_.back();
    free_bundles_.pop_back();
  }
  bundle_at(slot).in_use = true;
  return slot;
}

void FluidTree::release_bundle(Slot slot) {
  Bundle& bundle = bundle_at(slot);
  clear_key(slot);
  Slot* link = &node_at(bundle.node).first_bundle;
  while (*link != slot) link = &bundle_at(*link).next;
  *link = bundle.next;
  Leaf& leaf = leaves_[bundle.leaf];
  leaf.bundle_of_key[bundle.key_slot] = kNoSlot;
  leaf.free_keys.push_back(bundle.key_slot);
  bundle.in_use = false;
  if (slot >= node_count_) free_bundles_.push_back(slot);
}

/// Notes that the flows of a bundle change at this instant; its clock is read before any rate changes.
void FluidTree::touch(Slot slot) {
  Bundle& bundle = bundle_at(slot);
  if (bundle.dirty) return;
  bundle.dirty = true;
  bundle.moved = moved_per_flow(bundle, now_);
  dirty_bundles_.push_back(slot);
  Node& node = node_at(bundle.node);
  mark(node.leaf);
  if (node.dirty) return;
  node.dirty = true;
  dirty_nodes_.push_back(bundle.node);
}

double FluidTree::rate_bytes_per_s(FlowId id) const {
  const Found place = find(id);
  if (place.flow != nullptr) return whole(node_at(id.node), rate(bundle_at(place.bundle))) * 1e9;
  const auto flow = std::find_if(unconstrained_.begin(), unconstrained_.end(),
                                 [id](const Unconstrained& f) { return f.sequence == id.sequence; });
  HEADRACE_ASSERT(flow != unconstrained_.end(), "the rate of a flow that has ended was asked for");
  return flow->cap_bytes_per_s;
}

}  // namespace headrace::sim
