// A first-in-first-out queue in one growing block: after it has grown to its working size it allocates nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace headrace::sim {

template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() { return *cells_[head_]; }
  void push_back(T value) {
    if (size_ == cells_.size()) grow();
    cells_[(head_ + size_) & (cells_.size() - 1)].emplace(std::move(value));
    ++size_;
  }
  T pop_front() {
    std::optional<T>& cell = cells_[head_];
    T value = std::move(*cell);
    cell.reset();
    head_ = (head_ + 1) & (cells_.size() - 1);
    --size_;
    return value;
  }

 private:
  void grow() {
    std::vector<std::optional<T>> larger(cells_.empty() ? 8 : 2 * cells_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move(cells_[(head_ + i) & (cells_.size() - 1)]);
    cells_.swap(larger);
    head_ = 0;
  }

  std::vector<std::optional<T>> cells_;  // a power of two of them
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace headrace::sim
