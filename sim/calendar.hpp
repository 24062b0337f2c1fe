// The set of pending events, in exact (time, sequence) order: events at one instant run in the order in which they were
// scheduled. Three places hold them:
//  - events at the current instant: a first-in-first-out lane that is never sorted;
//  - events within the window, a short stretch of time after the last event: a sorted run and, for those that come
//  while
//    the window is open, a 4-ary heap. The key is the 128-bit (time, sequence), so a tie group of any size costs O(log
//    n) per event, never more;
//  - all later events: an unsorted calendar of buckets (Brown, "Calendar queues", CACM 31, 1988), each as wide as the
//  window. When
//    the window is empty it moves on to the next bucket with events and sorts what is due there.
// Width and number of buckets follow the events; a bad width only shifts work to the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/action.hpp"
#include "sim/assert.hpp"
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
  bool empty() const { return live_ == 0; }
  /// Number of events that are scheduled and neither run nor cancelled.
  std::size_t size() const { return live_; }
  /// The largest number of entries held at once so far.
  std::size_t peak_size() const { return slots_.size(); }

  /// Throws InternalError if `at` lies before now(). Events at kNever or later are kept at kNever.
  EventId schedule(TimeNs at, Action action) {
    if (at > kNever) at = kNever;
    HEADRACE_ASSERT(at >= now_, "an event was scheduled in the past");
    const std::uint32_t slot = take_slot(action, at == now_);
    if (at == now_) {
      lane_.push_back(slot);
    } else {
      insert(at, slot);
    }
    ++live_;
    return EventId{slot, slots_[slot].generation};
  }

  /// False if the event has already run or was cancelled.
  bool cancel(EventId id) {
    if (!is_pending(id)) return false;
    Slot& slot = slots_[id.slot];
    slot.action.run = nullptr;  // its entry stays as a tombstone until it surfaces or too many pile up
    ++slot.generation;
    --live_;
    if (slot.order != kLaneOrder && ++dead_ > kFewDead && dead_ > future_ / 2) rebuild();
    return true;
  }

  bool is_pending(EventId id) const {
    return id.slot < slots_.size() && slots_[id.slot].generation == id.generation &&
           slots_[id.slot].action.run != nullptr;
  }

  /// Removes the first event of the current instant into `action`; false if there is none. `from_lane` tells whether
  /// the event was scheduled during this very instant.
  bool pop_current(Action& action, bool& from_lane) {
    while (true) {
      std::uint32_t slot = 0;
      if (hole_) fill_hole();
      if (!run_.empty() && run_.back().at == now_ && !heap_is_first()) {
        slot = slot_of(run_.back());
        run_.pop_back();
        from_lane = false;
      } else if (!heap_.empty() && heap_.front().at == now_) {
        slot = slot_of(heap_.front());
        hole_ = true;
        from_lane = false;
      } else if (lane_head_ != lane_.size()) {
        slot = lane_[lane_head_++];
        if (lane_head_ == lane_.size()) {
          lane_.clear();
          lane_head_ = 0;
        }
        from_lane = true;
      } else {
        return false;
      }
      if (release(slot, action)) return true;
    }
  }

  /// Moves the current instant to that of the earliest pending event, unless that lies beyond `limit`: then false.
  bool advance(TimeNs limit) {
    const TimeNs next = next_time();
    if (next > limit) return false;
    now_ = next;
    return true;
  }

  /// Time of the earliest pending event, kNever if there is none.
  TimeNs next_time() {
    if (lane_head_ != lane_.size()) drop_dead_lane();
    if (lane_head_ != lane_.size()) return now_;
    while (true) {
      if (hole_) fill_hole();
      if (run_.empty() && heap_.empty() && !open_next_window()) return kNever;
      const bool in_heap = heap_is_first();
      const Entry& first = in_heap ? heap_.front() : run_.back();
      if (slots_[slot_of(first)].action.run != nullptr) return first.at;
      drop_first(in_heap);
    }
  }

  /// Moves the current instant forward to `to`; no pending event may lie before it.
  void advance_to(TimeNs to) {
    HEADRACE_ASSERT(to >= now_ && to <= next_time(), "the clock would run backwards or skip an event");
    now_ = to;
  }

 private:
  struct Slot {
    Action action;
    TimeNs at = 0;
    std::uint64_t order = 0;  // sequence in the upper 40 bits, slot in the lower 24; kLaneOrder in the lane
    std::uint32_t generation = 0;
    std::uint32_t next = 0;  // in the bucket or among the free slots
  };
  struct Entry {
    TimeNs at;
    std::uint64_t order;
  };
  __extension__ using Key = unsigned __int128;

  static constexpr int kSlotBits = 24;
  static constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << kSlotBits;
  static constexpr std::uint64_t kMaxSequence = std::uint64_t{1} << (64 - kSlotBits);
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  static constexpr std::uint64_t kLaneOrder = UINT64_MAX;
  static constexpr std::size_t kFewDead = 64;
  static constexpr std::size_t kFewestBuckets = 64;

  static Key key(const Entry& e) { return (static_cast<Key>(static_cast<std::uint64_t>(e.at)) << 64) | e.order; }
  static std::uint32_t slot_of(const Entry& e) { return static_cast<std::uint32_t>(e.order & (kMaxSlots - 1)); }

  std::uint64_t order_of(std::uint32_t slot) {
    if (next_sequence_ == kMaxSequence) [[unlikely]]
      renumber();
    return (next_sequence_++ << kSlotBits) | slot;
  }

  std::uint32_t take_slot(const Action& action, bool in_lane) {
    std::uint32_t slot = free_;
    if (slot == kNoSlot) [[unlikely]] {
      slot = grow();
    } else {
      free_ = slots_[slot].next;
    }
    slots_[slot].action = action;
    if (in_lane) slots_[slot].order = kLaneOrder;
    return slot;
  }

  void insert(TimeNs at, std::uint32_t index) {
    if (next_sequence_ == kMaxSequence) [[unlikely]]
      renumber();
    if (future_ > 4 * mask_ || is_heap_too_busy()) [[unlikely]]
      reshape();
    Slot& slot = slots_[index];
    slot.at = at;
    slot.order = order_of(index);
    ++future_;
    if (at < window_end_) {
      ++late_comers_;
      push(Entry{at, slot.order});
    } else {
      link(index);
    }
  }

  /// Most events fall into the window: it is too wide, or was moved far ahead before they came.
  bool is_heap_too_busy() const {
    return late_comers_ > patience_ * (future_ + 1024) && heap_.size() > kFewestBuckets && 2 * heap_.size() > future_;
  }

  void link(std::uint32_t index) {
    std::uint32_t& head = buckets_[static_cast<std::size_t>(slots_[index].at >> shift_) & mask_];
    slots_[index].next = head;
    head = index;
  }

  /// Whether the heap holds the first event of the window; needs one of heap and run not to be empty.
  bool heap_is_first() const { return run_.empty() || (!heap_.empty() && key(heap_.front()) < key(run_.back())); }

  /// Frees the slot; false if it held a tombstone.
  bool release(std::uint32_t index, Action& action) {
    Slot& slot = slots_[index];
    action = slot.action;
    const bool alive = action.run != nullptr;
    if (alive) {
      ++slot.generation;
      --live_;
      slot.action.run = nullptr;
    } else if (slot.order != kLaneOrder) {
      --dead_;
    }
    future_ -= slot.order != kLaneOrder ? 1 : 0;
    slot.next = free_;
    free_ = index;
    return alive;
  }

  void push(Entry entry) {
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
  void fill_hole();
  void drop_dead_lane();
  void drop_first(bool in_heap);
  bool open_next_window();
  bool take_bucket();
  void jump_to_earliest();
  void prefetch_ahead();
  void sort_run();
  void adapt();
  void reshape();
  void rebuild();
  void put_back(const std::vector<std::uint32_t>& kept);
  void unlink_all(std::vector<std::uint32_t>& kept);
  void choose_shape(const std::vector<std::uint32_t>& kept);
  void renumber();
  std::uint32_t grow();

  std::vector<Entry> run_;   // of the window, latest first
  std::vector<Entry> heap_;  // of the window, scheduled since it was opened
  std::vector<std::uint32_t> buckets_ = std::vector<std::uint32_t>(kFewestBuckets, kNoSlot);
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> lane_;
  std::size_t lane_head_ = 0;
  std::size_t mask_ = kFewestBuckets - 1;
  std::size_t live_ = 0;
  std::size_t future_ = 0;  // entries outside the lane, tombstones included
  std::size_t dead_ = 0;    // tombstones among them
  std::uint64_t next_sequence_ = 0;
  TimeNs now_ = 0;
  TimeNs window_end_ = 0;  // every event in the buckets lies at or after it
  int shift_ = 10;         // a bucket is 2^shift_ ns wide
  std::uint32_t free_ = kNoSlot;
  bool hole_ = false;  // the root was taken; the next push replaces it, which saves a pop and a sift
  // What happened since the shape was last looked at.
  std::size_t opened_ = 0;
  std::size_t scanned_ = 0;
  std::size_t late_comers_ = 0;
  std::size_t taken_ = 0;
  std::size_t patience_ = 1;  // grows when a new shape did not help
};

}  // namespace headrace::sim
