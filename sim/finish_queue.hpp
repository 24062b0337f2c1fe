// The flows of a bundle in the order in which they finish. They share one rate, so a flow that starts when the bundle
// has moved v bytes per flow finishes when it has moved v + its own bytes: the order never changes once a flow has
// joined.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/room_pool.hpp"
#include "sim/time.hpp"

namespace headrace::sim {

/// A few flows lie in the queue itself, where whoever knows the bundle can fetch them without a pointer to follow. Many
/// lie elsewhere, but of the first ones there is a copy here.
class FinishQueue {
 public:
  /// All that is known of a flow lies here: with many thousand of them a table beside it would be one more place that
  /// every start and end has to wait for.
  struct Entry {
    double finish_point = 0.0;  ///< in the bundle's virtual bytes
    double bytes = 0.0;
    TimeNs start = 0;
    TimeNs end_at_cap = 0;  ///< if it runs at the bundle's cap from its start on
    std::uint64_t user = 0;
    std::uint64_t sequence = 0;  ///< of its start
  };

  bool empty() const { return head_ == end_; }
  std::size_t size() const { return end_ - head_; }
  const Entry& front() const { return few_[near_]; }
  const Entry* begin() const { return entries() + head_; }
  const Entry* end() const { return entries() + end_; }

  /// Behind all entries with the same finish point. Equal sizes append; others cost a short move. `rooms` is always the
  /// same one and outlives the queue.
  void push(const Entry& entry, RoomPool<Entry>& rooms) {
    if (end_ == capacity_) make_room(rooms);
    Entry* place = entries() + end_++;
    if (capacity_ != kFew && entry.finish_point >= last_point_) {  // without a look at the one before
      *place = entry;
      last_point_ = entry.finish_point;
      return;
    }
    for (const Entry* const first = begin(); place != first && (place - 1)->finish_point > entry.finish_point; --place)
      *place = *(place - 1);
    *place = entry;
    if (capacity_ != kFew && place < begin() + (near_end_ - near_)) copy_first();
  }

  void pop() {
    if (capacity_ == kFew) {  // these stay at the front, on the same lines of the cache
      --end_;
      std::copy_n(few_.begin() + 1, end_, few_.begin());
      return;
    }
    ++head_;
    if (empty())
      start_anew();
    else if (++near_ == near_end_)
      copy_first();
  }

  /// Fetches what push() may need elsewhere.
  void prefetch_end() const {
    if (capacity_ == kFew) return;
    __builtin_prefetch(end() - 1, 1);
    __builtin_prefetch(end(), 1);
  }
  /// Fetches what pop() will need elsewhere, if anything.
  void prefetch_next() const {
    if (capacity_ == kFew || near_ + 1 != near_end_) return;
    const Entry* const next = begin() + 1;
    for (std::size_t i = 0; i < kNear; ++i) __builtin_prefetch(next + i);
  }

  /// The flow that started as number `sequence`, null if it is not here.
  const Entry* find(std::uint64_t sequence) const {
    const auto* const place = std::find_if(begin(), end(), [=](const Entry& e) { return e.sequence == sequence; });
    return place == end() ? nullptr : place;
  }
  /// Takes out an entry of this queue.
  void remove(const Entry& entry) {
    Entry* const place = entries() + (&entry - entries());
    std::copy(place + 1, entries() + end_, place);
    --end_;
    look_again();
  }

  /// Moves the origin of the virtual bytes forward.
  void shift_origin(double bytes) {
    for (std::uint32_t i = head_; i < end_; ++i) entries()[i].finish_point -= bytes;
    look_again();
  }

 private:
  static constexpr std::uint32_t kFew = 8;
  static constexpr std::uint32_t kNear = 4;  // entries of many that are copied at once

  Entry* entries() { return capacity_ == kFew ? few_.data() : many_; }
  const Entry* entries() const { return capacity_ == kFew ? few_.data() : many_; }

  void start_anew() {
    head_ = end_ = near_ = 0;
    capacity_ = kFew;
  }

  /// After changes anywhere.
  void look_again() {
    if (empty()) return start_anew();
    if (capacity_ == kFew) return;
    last_point_ = (end() - 1)->finish_point;
    copy_first();
  }

  void copy_first() {
    near_ = 0;
    near_end_ = std::min(kNear, end_ - head_);
    std::copy_n(begin(), near_end_, few_.begin());
  }

  /// Moves the entries to the front if there is room, else to more room.
  void make_room(RoomPool<Entry>& rooms) {
    if (capacity_ != kFew && head_ >= capacity_ / 2) {
      std::copy(entries() + head_, entries() + end_, entries());
    } else {
      const std::uint32_t wider = capacity_ == kFew ? std::max(many_capacity_, 4 * kFew) : 2 * capacity_;
      Entry* const room = wider == many_capacity_ ? many_ : rooms.take(wider);
      std::copy(entries() + head_, entries() + end_, room);
      if (many_ != nullptr && room != many_) rooms.give_back(many_, many_capacity_);
      many_ = room;
      many_capacity_ = capacity_ = wider;
    }
    end_ -= head_;
    head_ = 0;
    look_again();
  }

  std::uint32_t head_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t capacity_ = kFew;
  std::uint32_t many_capacity_ = 0;
  std::uint32_t near_ = 0;         // the first entry, among few_
  std::uint32_t near_end_ = 0;     // of the copies, while there are many
  double last_point_ = 0.0;        // the finish point of the last entry, while there are many
  Entry* many_ = nullptr;          // kept when few flows are left: those of a step come and go together
  std::array<Entry, kFew> few_{};  // or copies of the first ones
};

}  // namespace headrace::sim
