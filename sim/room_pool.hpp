// Memory for many arrays of one kind that grow and shrink by powers of two. They lie side by side in large pieces,
// which may be huge pages: thousands of arrays each in a small page of its own would cost a walk through the page
// tables at every visit.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/huge_pages.hpp"

namespace headrace::sim {

/// Nothing is given back to the system before the pool ends, and all rooms end with it.
template <class T>
class RoomPool {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  RoomPool() = default;
  RoomPool(const RoomPool&) = delete;  // rooms belong to one pool
  RoomPool& operator=(const RoomPool&) = delete;

  /// Room for `count` elements, a power of two.
  T* take(std::size_t count) {
    std::vector<T*>& known = free_[size_class(count)];
    if (known.empty()) return cut(count);
    T* const room = known.back();
    known.pop_back();
    return room;
  }
  void give_back(T* room, std::size_t count) { free_[size_class(count)].push_back(room); }

 private:
  std::size_t size_class(std::size_t count) {
    const auto number = static_cast<std::size_t>(std::countr_zero(count));
    if (number >= free_.size()) free_.resize(number + 1);
    return number;
  }

  /// From the present piece, or from a new one as large as all before it: few flows need little memory.
  T* cut(std::size_t count) {
    if (left_ < count) {
      left_ = std::max(count, all_);
      all_ += left_;
      pieces_.push_back(allocate_raw(left_ * sizeof(T)));
      next_ = static_cast<T*>(pieces_.back().get());
    }
    left_ -= count;
    T* const room = next_;
    next_ += count;
    return room;
  }

  std::vector<RawMemory> pieces_;
  std::vector<std::vector<T*>> free_;  // by the logarithm of their size
  T* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t all_ = 0;
};

}  // namespace headrace::sim
