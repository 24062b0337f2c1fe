// Max-min fair fluid flows on a tree  pool -> leaf uplinks -> node NICs -> flows with a cap  (Bertsekas & Gallager,
// Data Networks, 2nd ed. 1992, section 6.5.2 defines the allocation), with a cost per change that does not depend on
// the number of flows and grows with the logarithm of the number of nodes.
//
// Why it can be fast. On a tree every link has a water level of its own that does not depend on the links above it:
//   sum over the flows below it of min(cap, levels below, L) = capacity      (infinite if the flows cannot fill it)
// and the rate of a flow is min(cap, L_nic, L_leaf, L_pool). So
//   bundle  the flows of one node with one cap: always equal rates, hence one queue in the bundle's virtual bytes
//   limit   min(cap, L_nic) of a bundle; its node alone decides it
//   class   a distinct limit (sim/rate_classes.hpp): nodes with the same NIC, cap and number of flows share one
//   group   (leaf, class): "frozen" runs at its limit, "tied" runs at the level in force in its leaf
//   leaf    "limited" runs at its own level, otherwise it follows the pool's
//
// Weights: a flow of weight w is what w flows of weight 1 with a w-th of its bytes and of its cap would be, so that
// rates and virtual bytes of a bundle are those per unit of weight, and only the sums over flows count w times.
// Priorities: each class has a tree of its own (sim/fluid_network.hpp), which finds the links as the class above leaves
// them.
//
// Virtual bytes are nested: V(bundle) = offset + G(group); G = offset + W(leaf) if tied, else offset + limit x time;
// W = offset + S(pool), or level x time if limited. When a level crosses a limit only groups or leaves are re-based,
// never bundles or flows. Keys of finishes are kept where they do not change: in absolute time for frozen bundles, in W
// for tied ones. They are lower bounds, because a bundle never beats its limit nor its leaf's level; a key that is
// stale when it comes to the top is made anew, and costs at worst an idle wake-up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/finish_heap.hpp"
#include "sim/finish_queue.hpp"
#include "sim/huge_pages.hpp"
#include "sim/rate_classes.hpp"
#include "sim/time.hpp"
#include "sim/tournament.hpp"
#include "sim/water_level.hpp"

namespace headrace::sim {

/// Capacities and caps at or above this count as infinite.
inline constexpr double kUnlimitedBytesPerS = 1e18;
/// Far enough below 2^31 that sums of weights stay exact.
inline constexpr std::uint32_t kMostWeight = 1000;

struct FluidTreeSpec {
  struct Leaf {
    double bytes_per_s = kUnlimitedBytesPerS;
  };
  struct Node {
    std::uint32_t leaf = 0;
    double nic_bytes_per_s = kUnlimitedBytesPerS;
    std::uint32_t weight = 1;    ///< of each of its flows, 1 to kMostWeight
    std::uint32_t priority = 0;  ///< of its flows: higher ones are served first; FluidNetwork heeds it
  };
  double pool_bytes_per_s = kUnlimitedBytesPerS;
  std::vector<Leaf> leaves;
  std::vector<Node> nodes;
};

/// Names one flow; invalid for ever once the flow has ended or was cancelled.
struct FlowId {
  std::uint64_t sequence = UINT64_MAX;
  std::uint32_t node = UINT32_MAX;

  friend bool operator==(FlowId, FlowId) = default;
};

/// What went over one link since the start, flows in progress included.
struct LinkUsage {
  double bytes = 0.0;
  TimeNs saturated_ns = 0;  ///< time during which the link held some flow below what it could otherwise have had
  std::uint64_t active_flows = 0;

  LinkUsage& operator+=(const LinkUsage& other) {
    bytes += other.bytes;
    saturated_ns = std::max(saturated_ns, other.saturated_ns);
    active_flows += other.active_flows;
    return *this;
  }
};

struct FluidTreeUsage {
  LinkUsage pool;
  std::vector<LinkUsage> leaves;
  std::vector<LinkUsage> nics;

  /// Of another tree over the same links.
  FluidTreeUsage& operator+=(const FluidTreeUsage& other) {
    pool += other.pool;
    for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] += other.leaves[i];
    for (std::size_t i = 0; i < nics.size(); ++i) nics[i] += other.nics[i];
    return *this;
  }
};

/// Work done, for tests and benchmarks.
struct FluidTreeCounters {
  std::uint64_t settles = 0;
  std::uint64_t idle_wakes = 0;
  std::uint64_t stale_keys = 0;
  std::uint64_t pool_crossings = 0;
  std::uint64_t leaf_switches = 0;
  std::uint64_t rebases = 0;
  std::uint64_t reclaims = 0;
};

/// What a class of lower priority has of a link at the very least, so that it never stands still for ever.
inline constexpr double kLeastRest = 1.0 / 1024.0;

/// Knows nothing of events. The owner moves time: at one instant any number of complete(), start() and cancel(), then
/// one settle(); time never passes next_completion() without complete() and settle(), nor a change without settle().
/// Breaking this throws InternalError.
class FluidTree {
 public:
  /// Throws std::invalid_argument for a capacity that is not positive, a node without a leaf, or a weight that is 0 or
  /// above kMostWeight.
  explicit FluidTree(const FluidTreeSpec& spec);

  /// A flow of `bytes` >= 0 that never exceeds `cap_bytes_per_s` > 0; `user` comes back in complete(). If it is an
  /// address, what lies there is fetched into the caches before.
  FlowId start(TimeNs now, std::uint32_t node, double bytes, double cap_bytes_per_s, std::uint64_t user);
  /// Ends a flow early, without a completion; false if it had ended already. Looks through the flows of its node.
  bool cancel(TimeNs now, FlowId id);
  bool is_active(FlowId id) const;

  /// Calls `callback(user)` for every flow that is due, in the order of their starts. The callback may start and
  /// cancel. A flow that ran at its cap since its start is due at exactly start + transfer_ns(bytes, cap); any other at
  /// the first nanosecond at which its bytes have moved.
  template <class Callback>
  void complete(TimeNs now, Callback&& callback) {
    collect_due(now);
    tell_due(callback);
  }
  /// The two halves of complete(), for owners of several trees: all find out what is due before anyone is told.
  void collect_due(TimeNs now);
  template <class Callback>
  void tell_due(Callback&& callback) {
    for (std::size_t i = 0; i < due_.size(); ++i) {
      if (due_[i].over) continue;  // cancelled by an earlier callback of this instant
      due_[i].over = true;
      callback(due_[i].user);
    }
    due_.clear();
  }

  /// Gives every flow its max-min fair rate, once for everything that changed at this instant.
  void settle(TimeNs now);
  bool needs_settle() const { return !dirty_bundles_.empty(); }
  /// The same for a tree of a lower class: it has of pool and leaves what `above` leaves, which is settled already and
  /// built from the same links, and never less than kLeastRest of them.
  void settle_below(TimeNs now, const FluidTree& above);

  /// When to call complete() and settle() next: the earliest finish or, rarely, a moment before it; kNever if idle.
  TimeNs next_completion() const { return std::min(next_, next_unconstrained()); }

  /// Where what the tree knows of a node's flows mostly lies: fetched in time, nobody waits for it when one starts.
  const void* place_of(std::uint32_t node) const { return &places_[node]; }
  /// Bytes of it that a few flows need.
  static constexpr std::size_t kPlaceBytes = 384;

  std::size_t node_count() const { return node_count_; }
  std::uint64_t active_flows() const { return active_ + unconstrained_.size(); }
  std::uint64_t active_flows(std::uint32_t node) const { return node_at(node).active; }

  /// The present rate of an active flow, in bytes per second; valid after settle().
  double rate_bytes_per_s(FlowId id) const;
  /// Bytes, saturation and flows of every link up to `now` (not past next_completion()); walks all flows.
  FluidTreeUsage usage(TimeNs now) const;
  /// Throws InternalError unless the bytes that passed the pool are those that its flows have moved; walks all flows.
  void check_conservation(TimeNs now) const;
  /// Distinct limits that there is room for.
  std::size_t class_capacity() const { return classes_.capacity(); }
  const FluidTreeCounters& counters() const { return counters_; }

 private:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = UINT32_MAX;

  // A change touches a few of many thousand bundles and nodes: each fills whole cache lines.
  struct alignas(64) Bundle {
    double cap_bytes_per_s = 0.0;
    FixedRate cap = 0;
    double offset = 0.0;  // V - G
    double moved = 0.0;   // V at the instant of the change, while dirty
    TimeNs joined = 0;    // since when it has been in its class
    Slot node = 0;
    Slot leaf = 0;
    Slot key_slot = 0;    // in its leaf's tournaments
    Slot next = kNoSlot;  // in its node, by rising cap
    ClassId limit = RateClasses::kNone;
    std::int64_t counted = 0;  // flows that the sums know of
    std::uint32_t epoch = 0;   // of its group, when its key was made
    bool dirty = false;
    bool in_use = false;
    FinishQueue queue;
  };

  struct alignas(64) Node {
    Slot leaf = 0;
    Slot first_bundle = kNoSlot;
    std::uint32_t active = 0;
    ClassId full_class = RateClasses::kNone;  // while it can fill its NIC: the class whose frozen time counts
    FixedRate capacity = 0;
    double cap_bytes_per_s = 0.0;  // the least capacity on the way to the pool: a larger cap means nothing
    bool constrained = true;       // some capacity on the way is finite
    bool own_capacity = true;      // and it is the NIC's, so that the NIC can be the one that saturates
    bool dirty = false;
    std::uint32_t weight = 1;  // of its flows
    double ended_bytes = 0.0;
    TimeNs saturated_ns = 0;
    TimeNs full_since = 0;  // on that group's frozen clock
  };

  /// A node and one bundle, mostly its only one, side by side.
  struct Place {
    Node node;
    Bundle bundle;
  };

  struct Group {
    double offset = 0.0;  // G - W if tied, else G at clock_start
    TimeNs clock_start = 0;
    TimeNs side_since = 0;  // since when it has been frozen or tied
    TimeNs frozen_ns = 0;   // frozen time before side_since
    std::int64_t flows = 0;
    std::uint32_t epoch = 0;
    bool tied = false;
  };

  struct Leaf {
    WideRate capacity = kUnlimitedRate;
    Demand own;        // seen from own_pointer
    Demand pool_view;  // seen from the pool's pointer
    ClassId own_pointer = RateClasses::kEnd;
    ClassId pointer = RateClasses::kEnd;  // the one in force: groups before it are frozen
    bool limited = false;
    bool dirty = false;
    bool stale_level = false;  // the tournament of levels does not know the present one
    double level = 0.0;        // bytes per ns, kInfinite if the flows cannot fill it
    double rate = 0.0;         // W's, while limited
    double offset = 0.0;       // W - S, or W at clock_start if limited
    TimeNs clock_start = 0;
    TimeNs rebased = 0;
    TimeNs limited_since = 0;
    TimeNs limited_ns = 0;
    Tournament<TimeNs> frozen_keys{kNever};
    Tournament<double> tied_keys{kInfinite};
    std::vector<Slot> bundle_of_key;
    std::vector<Slot> free_keys;
  };

  struct Due {
    std::uint64_t sequence;
    std::uint64_t user;
    bool over = false;  // cancelled, or its end has been told
  };

  /// A flow over links without any finite capacity: it runs at its own cap, so its finish is known when it starts.
  struct Unconstrained {
    TimeNs finish;
    TimeNs start;
    double bytes;
    double cap_bytes_per_s;
    std::uint64_t user;
    std::uint64_t sequence;
    Slot node;
  };
  struct FinishesBefore {
    static bool before(const Unconstrained& a, const Unconstrained& b) {
      return a.finish != b.finish ? a.finish < b.finish : a.sequence < b.sequence;
    }
  };

  static constexpr double kInfinite = 1e300;

  Node& node_at(Slot slot) { return places_[slot].node; }
  const Node& node_at(Slot slot) const { return places_[slot].node; }
  Bundle& bundle_at(Slot slot) { return places_[slot].bundle; }
  const Bundle& bundle_at(Slot slot) const { return places_[slot].bundle; }

  // Construction, flows and bundles (fluid_tree.cpp)
  void add_node(const FluidTreeSpec& spec, const FluidTreeSpec::Node& node);
  void move_to(TimeNs now);
  FixedRate fixed(double bytes_per_s) const;
  Slot find_or_make_bundle(Slot node, double cap_bytes_per_s);
  Slot take_bundle(Slot node);
  void release_bundle(Slot slot);
  void touch(Slot bundle);
  struct Found {
    Slot bundle = kNoSlot;
    const FinishQueue::Entry* flow = nullptr;
  };
  Found find(FlowId id) const;
  void end_early(FlowId id);
  TimeNs next_unconstrained() const { return unconstrained_.empty() ? kNever : unconstrained_.top().finish; }

  // Virtual bytes and finishes (fluid_tree_finishes.cpp)
  double pool_clock(TimeNs now) const {
    return pool_offset_ + pool_rate_ * static_cast<double>(now - pool_clock_start_);
  }
  double leaf_clock(const Leaf& leaf, TimeNs now) const {
    return leaf.offset + (leaf.limited ? leaf.rate * static_cast<double>(now - leaf.clock_start) : pool_clock(now));
  }
  double group_clock(const Leaf& leaf, const Group& group, ClassId limit, TimeNs now) const {
    if (group.tied) return group.offset + leaf_clock(leaf, now);
    return group.offset + limit_rate(limit) * static_cast<double>(now - group.clock_start);
  }
  double moved_per_flow(const Bundle& bundle, TimeNs now) const {
    if (bundle.limit == RateClasses::kNone) return 0.0;
    return bundle.offset + group_clock(leaves_[bundle.leaf], group(bundle.leaf, bundle.limit), bundle.limit, now);
  }
  double rate(const Bundle& bundle) const;
  TimeNs at_cap_since(const Bundle& bundle, const Group& group) const;
  void make_key(Slot bundle);
  void clear_key(Slot bundle);
  void publish(Slot leaf);
  TimeNs finish_by_pool(double pool_clock) const;
  TimeNs pool_finish() const { return finish_by_pool(finish_by_pool_clock_.top()); }
  struct FirstDue {
    Slot bundle = kNoSlot;
    bool is_only = false;  // nothing else is due
  };
  FirstDue first_due();
  FirstDue first_of(const Leaf& leaf, TimeNs by_time, TimeNs others) const;
  template <class Keys>
  void prefetch_first(const Leaf& leaf, Keys Leaf::*keys);
  void prefetch_owner();
  void pop_due(Slot bundle);
  /// Bytes of a node's flow that its bundle's virtual bytes stand for.
  double whole(const Node& node, double per_weight) const {
    return weighted_ ? per_weight * static_cast<double>(node.weight) : per_weight;
  }
  double clock_grain(const Bundle& bundle) const;

  // Levels (fluid_tree_levels.cpp)
  std::uint32_t& group_place(Slot leaf, ClassId limit) {
    return group_places_[static_cast<std::size_t>(limit) * leaves_.size() + leaf];
  }
  const Group& group(Slot leaf, ClassId limit) const {
    return groups_[group_places_[static_cast<std::size_t>(limit) * leaves_.size() + leaf]];
  }
  Group& group(Slot leaf, ClassId limit) { return groups_[group_place(leaf, limit)]; }
  Group& make_group(Slot leaf, ClassId limit);
  void release_group(Slot leaf, ClassId limit);
  double limit_rate(ClassId limit) const { return static_cast<double>(classes_.limit(limit)) * bytes_per_ns_; }
  ClassId intern(FixedRate limit);
  void mark(Slot leaf);
  void change_sums(Slot leaf, ClassId limit, std::int64_t flows);
  void join_class(Slot bundle, ClassId limit, std::int64_t flows);
  void solve_node(Slot node);
  void solve_leaf(Slot leaf);
  void solve_dirty_leaves();
  void switch_leaf(Slot leaf, bool limited);
  void move_pool_pointer(ClassId crossed, ClassId to, bool freeze);
  bool correct_pool_once();
  void solve_pool();
  void set_pool_rate();
  void change_sides(Slot leaf);
  bool settle_unlimited();
  void settle_levels();
  bool levels_keep_their_places();
  bool pointer_is_right(ClassId pointer, WideRate capacity, const Demand& demand) const;
  WideRate pool_rate_units() const { return pool_demand_.tied > 0 ? pool_capacity_ : pool_demand_.frozen; }
  WideRate leaf_rate_units(Slot leaf) const;
  bool take_rest(const FluidTree& above);
  void finish_settle();
  TimeNs frozen_clock(const Group& group) const;

  // Housekeeping (fluid_tree_upkeep.cpp)
  void account();
  void rebase_pool();
  void rebase_leaf(Slot leaf);
  void reclaim_classes();
  void check_drained();
  double bytes_lost_to_rounding(double moved_bytes) const;
  static double moved_unconstrained(const Unconstrained& flow, TimeNs now);

  double fixed_per_bytes_per_s_ = 1.0;  // a power of two
  double bytes_per_ns_ = 1.0;           // of one fixed unit
  RateClasses classes_;
  std::vector<Group> groups_;  // the first stands for all that have no flows
  std::vector<std::uint32_t> free_groups_;
  std::vector<std::uint32_t> group_places_;  // per class and leaf: dense and narrow, because levels walk over it
  std::vector<Leaf> leaves_;
  std::vector<Place, HugePageAllocator<Place>>
      places_;                          // first one for each node, then those of nodes with several caps
  RoomPool<FinishQueue::Entry> rooms_;  // of bundles with many flows
  Slot node_count_ = 0;
  bool weighted_ = false;  // some flow has a weight other than 1
  bool below_ = false;     // another tree is served first
  std::vector<Slot> free_bundles_;
  FinishHeap<Unconstrained, FinishesBefore> unconstrained_;

  WideRate pool_capacity_ = kUnlimitedRate;
  WideRate pool_full_ = kUnlimitedRate;  // with nobody above
  std::vector<WideRate> leaves_full_;
  Demand pool_demand_;
  ClassId pool_pointer_ = RateClasses::kEnd;
  double pool_level_ = kInfinite;
  double pool_rate_ = 0.0;  // of the clock S
  double pool_offset_ = 0.0;
  TimeNs pool_clock_start_ = 0;
  TimeNs pool_rebased_ = 0;
  TimeNs pool_saturated_ns_ = 0;

  Tournament<TimeNs> finish_by_time_{kNever};           // per leaf
  Tournament<double> finish_by_pool_clock_{kInfinite};  // per leaf that follows the pool
  Tournament<double> following_levels_{kInfinite};      // level of each leaf that follows
  Tournament<double> limited_levels_{kInfinite};        // minus the level of each limited leaf

  double lowest_following_level_ = kInfinite;  // no leaf that follows has a lower one
  std::vector<Slot> stale_levels_;

  TimeNs now_ = 0;
  TimeNs next_ = kNever;
  std::uint64_t sequence_ = 0;
  std::uint64_t active_ = 0;
  double pool_moved_ = 0.0;   // integral of the pool's rate since it was last empty
  double flows_moved_ = 0.0;  // the same from the flows that have left since
  Slot upcoming_ = kNoSlot;   // a bundle that is being fetched, because its first flow ends soon
  std::vector<Slot> dirty_nodes_;
  std::vector<Slot> dirty_leaves_;
  std::vector<Slot> dirty_bundles_;
  std::vector<Due> due_;
  FluidTreeCounters counters_;
};

}  // namespace headrace::sim
