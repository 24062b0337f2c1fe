// Caches of item numbers under policies other than LRU, for following every sample of an epoch through a node's cache.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/purposes.hpp"
#include "models/spec/node_cache.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

/// fifo, clock, random and pinned on one ring of slots: O(1) per access (clock: on average), 5 bytes per item and slot.
class ItemCache {
 public:
  ItemCache(CachePolicy policy, std::uint32_t items, std::uint32_t capacity, std::uint64_t seed)
      : policy_(policy), seed_(seed), held_(items, false), read_again_(items, false), capacity_(capacity) {}

  /// Reads an item: true on a hit. A missed item enters, unless it is pinned out, and another one leaves.
  bool access(std::uint32_t item) {
    if (held_[item]) {
      read_again_[item] = true;
      return true;
    }
    if (slots_.size() < capacity_) {
      slots_.push_back(item);
      held_[item] = true;
      return false;
    }
    if (capacity_ == 0 || policy_ == CachePolicy::pinned || policy_ == CachePolicy::clairvoyant) return false;
    const std::uint32_t slot = victim();
    held_[slots_[slot]] = false;
    slots_[slot] = item;
    held_[item] = true;
    read_again_[item] = false;
    return false;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

 private:
  std::uint32_t victim() {
    if (policy_ == CachePolicy::random) {
      const double place = sim::uniform({seed_, 0, kDrawEviction, 0}, evictions_++) * capacity_;
      return place < capacity_ ? static_cast<std::uint32_t>(place) : capacity_ - 1;
    }
    while (policy_ == CachePolicy::clock && read_again_[slots_[hand_]]) {
      read_again_[slots_[hand_]] = false;
      hand_ = next(hand_);
    }
    const std::uint32_t slot = hand_;
    hand_ = next(hand_);
    return slot;
  }
  std::uint32_t next(std::uint32_t slot) const { return slot + 1 == capacity_ ? 0 : slot + 1; }

  CachePolicy policy_;
  std::uint64_t seed_;
  std::vector<bool> held_;
  std::vector<bool> read_again_;
  std::vector<std::uint32_t> slots_;
  std::uint32_t capacity_;
  std::uint32_t hand_ = 0;
  std::uint64_t evictions_ = 0;
};

}  // namespace headrace::models
