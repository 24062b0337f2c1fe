// An LRU cache of item numbers, for following every sample of an epoch through a node's cache.
#pragma once

#include <cstdint>
#include <vector>

namespace headrace::models {

/// Items are 0 .. items-1; capacity in items. O(1) per access, 9 bytes per item.
class LruCache {
 public:
  LruCache(std::uint32_t items, std::uint32_t capacity)
      : newer_(items, kNone), older_(items, kNone), held_(items, false), capacity_(capacity) {}

  /// Reads an item: true on a hit. A missed item enters and the least recently used one leaves.
  bool access(std::uint32_t item) {
    if (held_[item]) {
      unlink(item);
      push_newest(item);
      return true;
    }
    if (capacity_ == 0) return false;
    if (size_ == capacity_) {
      held_[oldest_] = false;
      unlink(oldest_);
      --size_;
    }
    push_newest(item);
    held_[item] = true;
    ++size_;
    return false;
  }

  std::uint32_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void unlink(std::uint32_t item) {
    const std::uint32_t newer = newer_[item];
    const std::uint32_t older = older_[item];
    (newer == kNone ? newest_ : older_[newer]) = older;
    (older == kNone ? oldest_ : newer_[older]) = newer;
  }

  void push_newest(std::uint32_t item) {
    newer_[item] = kNone;
    older_[item] = newest_;
    (newest_ == kNone ? oldest_ : newer_[newest_]) = item;
    newest_ = item;
  }

  std::vector<std::uint32_t> newer_;
  std::vector<std::uint32_t> older_;
  std::vector<bool> held_;
  std::uint32_t capacity_;
  std::uint32_t size_ = 0;
  std::uint32_t newest_ = kNone;
  std::uint32_t oldest_ = kNone;
};

}  // namespace headrace::models
