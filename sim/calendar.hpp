// The set of pending events, in exact (time, sequence) order: events at one instant run in the order in which they were
// scheduled. Four places hold them:
//  - events at the current instant: a first-in-first-out lane that is never sorted;
//  - events within the window, a stretch of time after the last event: the run, a sorted array that the first event
//    ends, and, for what comes while the window is open and the run is long, a 4-ary heap;
//  - all later events: an unsorted calendar of buckets (Brown, "Calendar queues", CACM 31, 1988), 64 to a window and
//    mostly empty. A bit tells which are not, so a window is passed or emptied in a few steps, and most buckets hold
//    one event, which needs no sorting. Very many events in one bucket, which mostly are at one instant, are kept in
//    one piece: following their chain through memory would wait for every link.
// An empty window moves on to the next buckets with events. Width and number of buckets follow the events; a bad width
// only shifts work to run and heap. While few events are pending the window never ends and the run holds them all.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/action.hpp"
#include "sim/assert.hpp"
#include "sim/huge_pages.hpp"
#include "sim/time.hpp"

namespace headrace::sim {

/// Names one scheduled event; stays invalid for ever once the event has run or was cancelled (up to 2^32 reuses of a
/// slot).
struct EventId {
  std::uint32_t slot = UINT32_MAX;
  std::uint32_t generation = 0;

  friend bool operator==(EventId, EventId) = default;
};

class Calendar {
 public:
  Calendar() = default;
  /// Starts the sequence numbers at `first_sequence` (below 2^40); only tests have a reason to.
  explicit Calendar(std::uint64_t first_sequence) : next_sequence_(first_sequence) {}

  /// The current instant: no event lies before it.
  TimeNs now() const { return now_; }
  bool empty() const { return size() == 0; }
  /// Number of events that are scheduled and neither run nor cancelled.
  std::size_t size() const { return future_ - dead_ + (lane_tail_ - lane_head_) - lane_dead_; }
  /// At least the largest number of entries held at once so far, and not much more than twice that.
  std::size_t peak_size() const { return slots_.size() + lane_.size(); }

  /// Throws InternalError if `at` lies before now(). Events at kNever or later are kept at kNever.
  EventId schedule(TimeNs at, const Action& action) {
    if (at > kNever) [[unlikely]]
      at = kNever;
    HEADRACE_ASSERT(at >= now_, "an event was scheduled in the past");
    if (at == now_) return schedule_now(action);
    const std::uint32_t slot = take_slot();
    slots_[slot].action = action;
    insert(at, slot);
    return EventId{slot, slots_[slot].generation};
  }

  /// schedule(now(), action).
  EventId schedule_now(const Action& action) {
    if (lane_tail_ - lane_head_ == lane_.size()) [[unlikely]]
      widen_lane();
    lane_[lane_tail_ & (lane_.size() - 1)] = action;
    const std::uint64_t position = lane_tail_++;
    return EventId{kInLane | static_cast<std::uint32_t>(position >> 32), static_cast<std::uint32_t>(position)};
  }

  /// False if the event has already run or was cancelled.
  bool cancel(EventId id);
  bool is_pending(EventId id) const {
    if ((id.slot & kInLane) != 0) return is_pending_in_lane(lane_position(id));
    return id.slot < slots_.size() && slots_[id.slot].generation == id.generation;
  }

  /// Removes and returns the first event of the current instant; its `run` is null if there is none. `from_lane` tells
  /// whether the event was scheduled during this very instant.
  Action pop_current(bool& from_lane) {
    if (heap_pending_ != 0) [[unlikely]]
      return pop_mixed(from_lane);
    Action action;
    if (!run_.empty() && run_.back().at == now_) {
      from_lane = false;
      action = pop_run();
    } else if (lane_head_ != lane_tail_) {
      from_lane = true;
      action = pop_lane();
    } else {
      return action;
    }
    return action.run != nullptr ? action : pop_mixed(from_lane);
  }

  /// For when pop_current found nothing: moves the current instant to that of the earliest pending event and removes
  /// and returns that event; if there is none up to `limit`, does neither and returns an action with a null `run`.
  Action pop_next(TimeNs limit) {
    if (heap_pending_ == 0 && !run_.empty()) [[likely]] {
      const TimeNs at = run_.back().at;
      if (at > limit) return Action{};
      if (slots_[slot_of(run_.back())].action.run != nullptr) [[likely]] {
        now_ = at;
        return pop_run();
      }
    }
    bool from_lane = false;
    return advance(limit) ? pop_current(from_lane) : Action{};
  }

  /// Moves the current instant to that of the earliest pending event, unless that lies beyond `limit`: then false.
  bool advance(TimeNs limit) {
    const TimeNs next = next_time();
    if (next > limit || next == kNever) return false;
    now_ = next;
    return true;
  }

  /// Time of the earliest pending event, kNever if there is none.
  TimeNs next_time();

  /// Moves the current instant forward to `to`; no pending event may lie before it.
  void advance_to(TimeNs to) {
    HEADRACE_ASSERT(to >= now_ && to <= next_time(), "the clock would run backwards or skip an event");
    now_ = to;
  }

 private:
  struct alignas(64) Slot {  // one line of the cache
    Action action;
    TimeNs at = 0;
    std::uint64_t order = 0;  // sequence in the upper 40 bits, slot in the lower 24
    std::uint32_t generation = 0;
    std::uint32_t next = 0;  // the rest of the chain, or the next of the free slots
  };
  struct Entry {
    TimeNs at;
    std::uint64_t order;
  };
  __extension__ using Key = unsigned __int128;

  /// A vector with less to check.
  class Run {
   public:
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    Entry* data() { return cells_.data(); }
    const Entry* data() const { return cells_.data(); }
    const Entry& back() const { return cells_[size_ - 1]; }
    void pop_back() { --size_; }
    void shorten(std::size_t size) { size_ = size; }
    void push_back(const Entry& entry) {
      if (size_ == cells_.size()) [[unlikely]]
        grow();
      cells_[size_++] = entry;
    }

   private:
    [[gnu::noinline]] void grow() { cells_.resize(2 * size_); }

    std::vector<Entry> cells_ = std::vector<Entry>(64);
    std::size_t size_ = 0;
  };

  /// Number of events in a chain of slots in the upper 8 bits (0: none), the first slot in the lower 24; or, with
  /// kCrowd in the upper bits, the number of a crowd.
  using Chain = std::uint32_t;

  static constexpr int kSlotBits = 24;
  static constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << kSlotBits;
  static constexpr std::uint64_t kMaxSequence = std::uint64_t{1} << (64 - kSlotBits);
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  static constexpr std::uint32_t kInLane = std::uint32_t{1} << 31;  // of EventId::slot; the rest is a position there
  static constexpr Chain kNoChain = 0;
  static constexpr Chain kChainOfOne = Chain{1} << kSlotBits;
  static constexpr Chain kChainIndex = kChainOfOne - 1;
  static constexpr Chain kLongestChain = 32 * kChainOfOne;  // then a crowd
  static constexpr Chain kCrowd = 255 * kChainOfOne;
  static constexpr std::size_t kFewDead = 64;
  static constexpr std::size_t kFewestBuckets = 256;
  static constexpr std::size_t kFewestBucketsPerEvent = 8;
  static constexpr int kLargestShift = 48;
  static constexpr std::size_t kLongRun = 48;     // inserting into a longer one takes longer than a heap does
  static constexpr std::size_t kFewPending = 12;  // few enough to do without buckets
  static constexpr std::size_t kUnlinked = 8;
  static constexpr TimeNs kEndless = kNever + 1;
  static constexpr std::uint64_t kLeastAddress = 1 << 16;  // smaller arguments are numbers
  static constexpr std::uintptr_t kOtherBytes = 384;       // a node of a fluid network with a few flows
  static constexpr std::size_t kOpenedBeforeLook = 64;
  static constexpr std::size_t kTakenBeforeLook = 64 * kOpenedBeforeLook;

  static constexpr std::array<std::uint32_t, kUnlinked> filled_with_none() {
    std::array<std::uint32_t, kUnlinked> none{};
    none.fill(kNoSlot);
    return none;
  }
  static Key key(const Entry& e) { return (static_cast<Key>(static_cast<std::uint64_t>(e.at)) << 64) | e.order; }
  static std::uint32_t slot_of(const Entry& e) { return static_cast<std::uint32_t>(e.order & (kMaxSlots - 1)); }

  std::uint32_t take_slot() {
    const std::uint32_t slot = free_;
    if (slot == kNoSlot) [[unlikely]]
      return grow();
    free_ = slots_[slot].next;
    if (free_ != kNoSlot) prefetch_slot(free_);  // for the next event: it may have been free for long
    return slot;
  }

  void insert(TimeNs at, std::uint32_t index) {
    if (next_sequence_ == kMaxSequence) [[unlikely]]
      renumber();
    const std::uint64_t order = (next_sequence_++ << kSlotBits) | index;
    slots_[index].at = at;
    slots_[index].order = order;
    ++future_;
    if (at >= window_end_) {
      link_soon(index);
      if (future_ > mask_ / kFewestBucketsPerEvent) [[unlikely]]
        reshape();
    } else {
      ++late_comers_;
      if (run_.size() < longest_run_) [[likely]] {
        insert_into_run(Entry{at, order});
      } else {
        push_late(Entry{at, order});
      }
    }
  }

  /// For a new event, which comes after those at the same time.
  void insert_into_run(Entry entry) {
    const std::size_t n = run_.size();
    if (n == 0) return run_.push_back(entry);
    // The first step decides between two events that often are equally likely to be first: no branch there.
    const Entry last = run_.back();
    const bool is_first = entry.at < last.at;
    const Entry second = select(is_first, last, entry);
    run_.push_back(select(is_first, entry, last));
    Entry* const first = run_.data();
    std::size_t at = n - 1;
    for (const TimeNs bound = second.at + (is_first ? 0 : 1); at != 0 && first[at - 1].at < bound; --at) {
      first[at].at = first[at - 1].at;
      first[at].order = first[at - 1].order;
    }
    first[at] = second;
  }

  static Entry select(bool take_first, const Entry& first, const Entry& second) {
    const std::uint64_t mask = take_first ? UINT64_MAX : 0;
    return Entry{static_cast<TimeNs>((static_cast<std::uint64_t>(first.at) & mask) |
                                     (static_cast<std::uint64_t>(second.at) & ~mask)),
                 (first.order & mask) | (second.order & ~mask)};
  }

  /// Most events fall into the window: it is too wide, or was moved far ahead before they came.
  bool is_heap_too_busy() const;

  std::size_t bucket_of(std::uint32_t index) const {
    return static_cast<std::size_t>(slots_[index].at >> shift_) & mask_;
  }
  /// Buckets lie anywhere in memory: an event is linked when its bucket has had time to arrive.
  void link_soon(std::uint32_t index) {
    const std::size_t bucket = bucket_of(index);
    __builtin_prefetch(&occupied_[bucket / 64], 1);
    __builtin_prefetch(&buckets_[bucket], 1);
    std::uint32_t& place = unlinked_[next_unlinked_++ % kUnlinked];
    if (place != kNoSlot) link(place);
    place = index;
  }
  void link_all() {
    for (std::size_t i = 0; i < kUnlinked; ++i) {
      std::uint32_t& place = unlinked_[next_unlinked_++ % kUnlinked];
      if (place != kNoSlot) link(place);
      place = kNoSlot;
    }
  }
  void link(std::uint32_t index) {
    const std::size_t bucket = bucket_of(index);
    occupied_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
    Chain& chain = buckets_[bucket];
    if (chain < kLongestChain) [[likely]] {
      slots_[index].next = chain;
      chain = ((chain & ~kChainIndex) + kChainOfOne) | index;
    } else {
      join_crowd(chain, index);
    }
  }

  static std::uint64_t lane_position(EventId id) {
    return static_cast<std::uint64_t>(id.slot & ~kInLane) << 32 | id.generation;
  }
  bool is_pending_in_lane(std::uint64_t position) const {
    return position >= lane_head_ && position < lane_tail_ && lane_[position & (lane_.size() - 1)].run != nullptr;
  }

  // These return an action with a null `run` if the entry was a tombstone. Actions are passed by value, so that they
  // stay in registers: a processor waits long for a wide load of what narrow stores have just written.
  Action pop_lane() {
    const Action action = lane_[lane_head_++ & (lane_.size() - 1)];
    if (action.run == nullptr) [[unlikely]]
      --lane_dead_;
    return action;
  }
  Action pop_run() {
    if (run_.size() > kLongRun) [[unlikely]]
      prefetch_run();
    const std::uint32_t index = slot_of(run_.back());
    run_.pop_back();
    return release(index);
  }
  /// Frees the slot.
  Action release(std::uint32_t index) {
    Slot& slot = slots_[index];
    --future_;
    slot.next = free_;
    free_ = index;
    const Action action = slot.action;
    if (action.run != nullptr) [[likely]] {
      ++slot.generation;
    } else {
      --dead_;
    }
    return action;
  }

  /// Whether the heap holds the first event of the window; needs one of heap and run not to be empty.
  bool heap_is_first() const { return !heap_.empty() && (run_.empty() || key(heap_.front()) < key(run_.back())); }

  void push(Entry entry) {
    ++heap_pending_;
    if (hole_) {
      hole_ = false;
      sift_down(0, entry);
    } else {
      heap_.push_back(entry);
      sift_up(heap_.size() - 1, entry);
    }
  }

  void sift_up(std::size_t at, Entry entry) {
    while (at != 0) {
      const std::size_t parent = (at - 1) / 4;
      if (key(heap_[parent]) < key(entry)) break;
      heap_[at] = heap_[parent];
      at = parent;
    }
    heap_[at] = entry;
  }

  void sift_down(std::size_t at, Entry entry);
  Action pop_mixed(bool& from_lane);
  void widen_lane();
  void fill_hole();
  void drop_first(bool in_heap);
  void push_late(Entry entry);
  void drop_dead_of_run();
  bool open_next_window();
  bool take_group(std::uint64_t number);
  void take_bucket(std::size_t bucket);
  void take_crowd(std::size_t bucket);
  void join_crowd(Chain& chain, std::uint32_t index);
  void form_crowd(Chain& chain);
  void disband(std::uint32_t crowd);
  template <class Visit>
  void visit_later(Visit&& visit) const;
  void jump_to_earliest();
  void prefetch_ahead(std::uint64_t number) const;
  void prefetch_run() const;
  void prefetch_slot(std::uint32_t index) const { __builtin_prefetch(&slots_[index]); }
  static void prefetch_subject(const Slot& slot) {
    // As numbers: an event without a subject has no lines behind it that a pointer may point to.
    const auto self = std::bit_cast<std::uintptr_t>(slot.action.self);
    for (std::uintptr_t offset = 0; offset < 256; offset += 64)
      __builtin_prefetch(std::bit_cast<const void*>(self + offset));
    if (slot.action.argument < kLeastAddress) return;
    const auto other = static_cast<std::uintptr_t>(slot.action.argument);
    for (std::uintptr_t offset = 0; offset < kOtherBytes; offset += 64)
      __builtin_prefetch(std::bit_cast<const void*>(other + offset));
  }
  void sort_run(std::size_t from);
  void adapt();
  void reshape();
  void rebuild();
  TimeNs gap_ahead(const std::vector<std::uint32_t>& kept) const;
  TimeNs gap_behind() const;
  static int shift_for(TimeNs gap);
  void put_back(const std::vector<std::uint32_t>& kept);
  void unlink_all(std::vector<std::uint32_t>& kept);
  void choose_shape(const std::vector<std::uint32_t>& kept);
  void renumber();
  std::uint32_t grow();

  Run run_;                  // of the window, latest first
  std::vector<Entry> heap_;  // of the window, scheduled since it was opened
  std::vector<Chain, HugePageAllocator<Chain>> buckets_ = decltype(buckets_)(kFewestBuckets);
  std::vector<std::uint64_t> occupied_ = std::vector<std::uint64_t>(kFewestBuckets / 64);  // a bit per bucket
  std::vector<Slot, HugePageAllocator<Slot>> slots_;
  std::array<std::uint32_t, kUnlinked> unlinked_ = filled_with_none();  // events that wait for their bucket, a ring
  std::size_t next_unlinked_ = 0;
  std::vector<std::vector<Entry>> crowds_;  // very many events of one bucket
  std::vector<std::uint32_t> free_crowds_;
  std::vector<Action> lane_ = std::vector<Action>(16);  // a ring; positions count from the start of the simulation
  std::uint64_t lane_head_ = 0;
  std::uint64_t lane_tail_ = 0;
  std::size_t mask_ = kFewestBuckets - 1;
  std::size_t heap_pending_ = 0;  // entries in the heap but for the hole
  std::size_t future_ = 0;        // entries outside the lane, tombstones included
  std::size_t dead_ = 0;          // tombstones among them
  std::size_t lane_dead_ = 0;     // tombstones in the lane
  std::uint64_t next_sequence_ = 0;
  TimeNs now_ = 0;
  TimeNs window_end_ = kEndless;           // every event in the buckets lies at or after it
  std::size_t longest_run_ = kFewPending;  // that takes new events
  int shift_ = 10;                         // a bucket is 2^shift_ ns wide
  std::uint32_t free_ = kNoSlot;
  bool hole_ = false;  // the root was taken; the next push replaces it, which saves a pop and a sift
  // What happened since the shape was last looked at.
  std::size_t opened_ = 0;  // windows
  std::size_t taken_ = 0;   // events in them
  std::size_t scanned_ = 0;
  std::size_t late_comers_ = 0;
  std::size_t pushed_ = 0;   // onto the heap
  std::size_t crowded_ = 0;  // in buckets of many events that do not all tie
  TimeNs looked_at_ = 0;
  std::size_t patience_ = 1;  // grows when a new shape did not help
};

}  // namespace headrace::sim
