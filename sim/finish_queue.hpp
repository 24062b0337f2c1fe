// The flows of a bundle in the order in which they finish. They share one rate, so a flow that starts when the bundle
// has moved v bytes per flow finishes when it has moved v + its own bytes: the order never changes once a flow has
// joined.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/time.hpp"

namespace headrace::sim {

/// A few flows lie in the queue itself, where whoever knows the bundle can fetch them without a pointer to follow.
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
  const Entry& front() const { return *begin(); }
  const Entry* begin() const { return entries() + head_; }
  const Entry* end() const { return entries() + end_; }

  /// Behind all entries with the same finish point. Equal sizes append; others cost a short move.
  void push(const Entry& entry) {
    if (end_ == capacity_) make_room();
    Entry* place = entries() + end_++;
    for (const Entry* const first = begin(); place != first && (place - 1)->finish_point > entry.finish_point; --place)
      *place = *(place - 1);
    *place = entry;
  }

  void pop() {
    if (capacity_ == kFew) {  // these stay at the front, on the same lines of the cache
      --end_;
      std::copy_n(few_.begin() + 1, end_, few_.begin());
      return;
    }
    ++head_;
    if (empty()) start_anew();
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
    if (empty()) start_anew();
  }

  /// Moves the origin of the virtual bytes forward.
  void shift_origin(double bytes) {
    for (std::uint32_t i = head_; i < end_; ++i) entries()[i].finish_point -= bytes;
  }

 private:
  static constexpr std::uint32_t kFew = 8;

  Entry* entries() { return capacity_ == kFew ? few_.data() : many_.get(); }
  const Entry* entries() const { return capacity_ == kFew ? few_.data() : many_.get(); }

  void start_anew() {
    head_ = end_ = 0;
    capacity_ = kFew;
  }

  /// Moves the entries to the front if there is room, else to more room.
  void make_room() {
    if (capacity_ != kFew && head_ >= capacity_ / 2) {
      std::copy(entries() + head_, entries() + end_, entries());
    } else {
      const std::uint32_t wider = capacity_ == kFew ? std::max(many_capacity_, 4 * kFew) : 2 * capacity_;
      std::unique_ptr<Entry[]> room = wider == many_capacity_ ? std::move(many_) : std::make_unique<Entry[]>(wider);
      std::copy(entries() + head_, entries() + end_, room.get());
      many_ = std::move(room);
      many_capacity_ = capacity_ = wider;
    }
    end_ -= head_;
    head_ = 0;
  }

  std::uint32_t head_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t capacity_ = kFew;
  std::uint32_t many_capacity_ = 0;
  std::unique_ptr<Entry[]> many_;  // kept when few flows are left: those of a step come and go together
  std::array<Entry, kFew> few_{};
};

}  // namespace headrace::sim
