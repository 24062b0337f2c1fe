// A binary heap of (key, id) from which any id can be removed in O(log n). The keys must be totally ordered and
// distinct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace headrace::sim {

template <class Key>
class IndexedHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  std::uint32_t top() const { return entries_.front().id; }
  const Key& top_key() const { return entries_.front().key; }

  /// `id` must not be in the heap; ids should be small, a table of their places is kept.
  void push(std::uint32_t id, Key key) {
    if (id >= place_.size()) place_.resize(id + 1);
    entries_.push_back(Entry{std::move(key), id});
    sift_up(entries_.size() - 1);
  }
  void pop() { remove(top()); }
  /// `id` must be in the heap.
  void remove(std::uint32_t id) {
    const std::size_t at = place_[id];
    Entry last = std::move(entries_.back());
    entries_.pop_back();
    if (at == entries_.size()) return;
    entries_[at] = std::move(last);
    if (at != 0 && entries_[at].key < entries_[(at - 1) / 2].key) {
      sift_up(at);
    } else {
      sift_down(at);
    }
  }
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    Key key;
    std::uint32_t id;
  };

  void put(std::size_t at, Entry entry) {
    place_[entry.id] = at;
    entries_[at] = std::move(entry);
  }
  void sift_up(std::size_t at) {
    Entry moving = std::move(entries_[at]);
    while (at != 0 && moving.key < entries_[(at - 1) / 2].key) {
      put(at, std::move(entries_[(at - 1) / 2]));
      at = (at - 1) / 2;
    }
    put(at, std::move(moving));
  }
  void sift_down(std::size_t at) {
    Entry moving = std::move(entries_[at]);
    while (true) {
      std::size_t child = 2 * at + 1;
      if (child >= entries_.size()) break;
      if (child + 1 < entries_.size() && entries_[child + 1].key < entries_[child].key) ++child;
      if (moving.key < entries_[child].key) break;
      put(at, std::move(entries_[child]));
      at = child;
    }
    put(at, std::move(moving));
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> place_;  // by id
};

}  // namespace headrace::sim
