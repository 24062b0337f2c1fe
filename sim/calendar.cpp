#include "sim/calendar.hpp"

#include <algorithm>

namespace headrace::sim {

void Calendar::sift_down(std::size_t at, Entry entry) {
  const std::size_t n = heap_.size();
  Entry* const heap = heap_.data();
  const Key moving = key(entry);
  while (true) {
    const std::size_t first = 4 * at + 1;
    if (first >= n) break;
    std::size_t least = first;
    Key least_key = key(heap[first]);
    const std::size_t last = std::min(first + 4, n);
    for (std::size_t child = first + 1; child < last; ++child) {
      const Key child_key = key(heap[child]);
      least = child_key < least_key ? child : least;
      least_key = child_key < least_key ? child_key : least_key;
    }
    if (moving < least_key) break;
    heap[at] = heap[least];
    at = least;
  }
  heap[at] = entry;
}

void Calendar::fill_hole() {
  hole_ = false;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) sift_down(0, last);
}

void Calendar::drop_dead() {
  if (hole_) fill_hole();
  while (!heap_.empty() && slots_[slot_of(heap_.front())].action.run == nullptr) {
    Action ignored;
    release(slot_of(heap_.front()), ignored);
    fill_hole();
  }
  while (lane_head_ != lane_.size() && slots_[lane_[lane_head_]].action.run == nullptr) {
    Action ignored;
    release(lane_[lane_head_++], ignored);
  }
  if (lane_head_ == lane_.size()) {
    lane_.clear();
    lane_head_ = 0;
  }
}

void Calendar::compact() {
  if (hole_) fill_hole();
  std::size_t kept = 0;
  for (const Entry& entry : heap_) {
    Action ignored;
    if (slots_[slot_of(entry)].action.run != nullptr) {
      heap_[kept++] = entry;
    } else {
      release(slot_of(entry), ignored);
    }
  }
  heap_.resize(kept);
  for (std::size_t i = kept < 2 ? 0 : (kept - 2) / 4 + 1; i-- > 0;) sift_down(i, heap_[i]);
}

void Calendar::renumber() {
  if (hole_) fill_hole();
  std::sort(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) { return key(a) < key(b); });
  next_sequence_ = 0;
  for (Entry& entry : heap_) entry.order = (next_sequence_++ << kSlotBits) | slot_of(entry);  // sorted is a heap
}

std::uint32_t Calendar::grow() {
  HEADRACE_ASSERT(slots_.size() < kMaxSlots, "more than 16,777,216 events are pending");
  slots_.emplace_back();
  return static_cast<std::uint32_t>(slots_.size() - 1);
}

}  // namespace headrace::sim
