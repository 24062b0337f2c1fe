// Flows over links without any finite capacity: each runs at its own cap, so its finish is known when it starts. A
// binary heap that knows where each flow sits, so that starting, ending and cancelling are all O(log n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/time.hpp"

namespace headrace::sim {

class UnconstrainedFlows {
 public:
  struct Entry {
    TimeNs finish;
    double cap_bytes_per_s;
    std::uint64_t sequence;
    std::uint32_t flow;
  };

  std::size_t size() const { return heap_.size(); }
  TimeNs next_finish() const { return heap_.empty() ? kNever : heap_.front().finish; }
  const Entry& front() const { return heap_.front(); }
  const Entry& of(std::uint32_t flow) const { return heap_[place_[flow]]; }
  auto begin() const { return heap_.begin(); }
  auto end() const { return heap_.end(); }

  void push(const Entry& entry) {
    if (place_.size() <= entry.flow) place_.resize(entry.flow + std::size_t{1});
    heap_.push_back(entry);
    sift_up(heap_.size() - 1);
  }

  void remove(std::uint32_t flow) {
    const std::size_t hole = place_[flow];
    const Entry last = heap_.back();
    heap_.pop_back();
    if (hole == heap_.size()) return;
    heap_[hole] = last;
    sift_up(hole);
    sift_down(place_[last.flow]);
  }

 private:
  static bool before(const Entry& a, const Entry& b) {
    return a.finish != b.finish ? a.finish < b.finish : a.sequence < b.sequence;
  }
  void put(std::size_t i, const Entry& entry) {
    heap_[i] = entry;
    place_[entry.flow] = i;
  }
  void sift_up(std::size_t i) {
    const Entry entry = heap_[i];
    for (; i > 0 && before(entry, heap_[(i - 1) / 2]); i = (i - 1) / 2) put(i, heap_[(i - 1) / 2]);
    put(i, entry);
  }
  void sift_down(std::size_t i) {
    const Entry entry = heap_[i];
    while (2 * i + 1 < heap_.size()) {
      std::size_t child = 2 * i + 1;
      if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], entry)) break;
      put(i, heap_[child]);
      i = child;
    }
    put(i, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::size_t> place_;
};

}  // namespace headrace::sim
