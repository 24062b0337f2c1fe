// The set of pending events, in exact (time, sequence) order: events at one instant run in the order in which they were
// scheduled. Events in the future sit in a 4-ary implicit heap of 16-byte entries whose 128-bit key is (time,
// sequence), so that a tie group of any size stays O(log n) per event; events at the current instant go through a
// first-in-first-out lane and never touch the heap.
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

  /// Throws InternalError if `at` lies before now().
  EventId schedule(TimeNs at, Action action) {
    HEADRACE_ASSERT(at >= now_, "an event was scheduled in the past");
    const std::uint32_t slot = take_slot(action, at == now_);
    if (at == now_) {
      lane_.push_back(slot);
    } else {
      push(Entry{at, order_of(slot)});
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
    if (slot.link == kInHeap && ++dead_in_heap_ > kFewDead && dead_in_heap_ > heap_.size() / 2) compact();
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
      if (!heap_.empty() && heap_.front().at == now_) {
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

  /// Time of the earliest pending event, kNever if there is none.
  TimeNs next_time() {
    drop_dead();
    if (lane_head_ != lane_.size()) return now_;
    return heap_.empty() ? kNever : heap_.front().at;
  }

  /// Moves the current instant forward to `to`; no pending event may lie before it.
  void advance_to(TimeNs to) {
    HEADRACE_ASSERT(to >= now_ && to <= next_time(), "the clock would run backwards or skip an event");
    now_ = to;
  }

 private:
  struct Slot {
    Action action;
    std::uint32_t generation = 0;
    std::uint32_t link = 0;  // next free slot while free, kInHeap or kInLane while in use
  };
  struct Entry {
    TimeNs at;
    std::uint64_t order;  // sequence in the upper 40 bits, slot in the lower 24
  };
  __extension__ using Key = unsigned __int128;

  static constexpr int kSlotBits = 24;
  static constexpr std::uint64_t kMaxSlots = std::uint64_t{1} << kSlotBits;
  static constexpr std::uint64_t kMaxSequence = std::uint64_t{1} << (64 - kSlotBits);
  static constexpr std::uint32_t kNoSlot = UINT32_MAX;
  static constexpr std::uint32_t kInHeap = UINT32_MAX - 1;
  static constexpr std::uint32_t kInLane = UINT32_MAX - 2;
  static constexpr std::size_t kFewDead = 64;

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
      free_ = slots_[slot].link;
    }
    slots_[slot].action = action;
    slots_[slot].link = in_lane ? kInLane : kInHeap;
    return slot;
  }

  /// Frees the slot; false if it held a tombstone.
  bool release(std::uint32_t index, Action& action) {
    Slot& slot = slots_[index];
    action = slot.action;
    const bool alive = action.run != nullptr;
    if (alive) {
      ++slot.generation;
      --live_;
      slot.action.run = nullptr;
    } else if (slot.link == kInHeap) {
      --dead_in_heap_;
    }
    slot.link = free_;
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
  void drop_dead();
  void compact();
  void renumber();
  std::uint32_t grow();

  std::vector<Entry> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> lane_;
  std::size_t lane_head_ = 0;
  std::size_t live_ = 0;
  std::size_t dead_in_heap_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::uint32_t free_ = kNoSlot;
  TimeNs now_ = 0;
  bool hole_ = false;  // the root was taken; the next push replaces it, which saves a pop and a sift
};

}  // namespace headrace::sim
