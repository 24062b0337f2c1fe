// The flows of a bundle in the order in which they finish. They share one rate, so a flow that starts when the bundle
// has moved v bytes per flow finishes when it has moved v + its own bytes: the order never changes once a flow has
// joined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/time.hpp"

namespace headrace::sim {

class FinishQueue {
 public:
  /// All that is known of a flow lies here: with many thousand of them a table beside it would be one more place that
  /// every start and end has to wait for.
  struct Entry {
    double finish_point;  ///< in the bundle's virtual bytes
    double bytes;
    TimeNs start;
    TimeNs end_at_cap;  ///< if it runs at the bundle's cap from its start on
    std::uint64_t user;
    std::uint64_t sequence;  ///< of its start
  };

  bool empty() const { return head_ == entries_.size(); }
  std::size_t size() const { return entries_.size() - head_; }
  const Entry& front() const { return entries_[head_]; }
  auto begin() const { return entries_.begin() + static_cast<std::ptrdiff_t>(head_); }
  auto end() const { return entries_.end(); }

  /// Behind all entries with the same finish point. Equal sizes append; others cost a short move.
  void push(Entry entry) {
    if (empty() || entries_.back().finish_point <= entry.finish_point) {
      entries_.push_back(entry);
      return;
    }
    const auto place = std::upper_bound(begin(), end(), entry,
                                        [](const Entry& a, const Entry& b) { return a.finish_point < b.finish_point; });
    entries_.insert(place, entry);
  }

  void pop() {
    if (++head_ == entries_.size()) {
      entries_.clear();
      head_ = 0;
    } else if (head_ >= 16 && head_ * 2 >= entries_.size()) {
      entries_.erase(entries_.begin(), begin());
      head_ = 0;
    }
  }

  /// The flow that started as number `sequence`, null if it is not here.
  const Entry* find(std::uint64_t sequence) const {
    const auto place = std::find_if(begin(), end(), [=](const Entry& entry) { return entry.sequence == sequence; });
    return place == end() ? nullptr : &*place;
  }
  /// Takes out an entry of this queue.
  void remove(const Entry& entry) {
    entries_.erase(entries_.begin() + (&entry - entries_.data()));
    if (empty()) {
      entries_.clear();
      head_ = 0;
    }
  }

  /// Moves the origin of the virtual bytes forward.
  void shift_origin(double bytes) {
    for (std::size_t i = head_; i < entries_.size(); ++i) entries_[i].finish_point -= bytes;
  }

 private:
  std::vector<Entry> entries_;
  std::size_t head_ = 0;
};

}  // namespace headrace::sim
