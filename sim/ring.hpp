// A first-in-first-out queue in one growing block: after it has grown to its working size it allocates nothing.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace headrace::sim {

template <class T>
class Ring {
 public:
  Ring() = default;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    for (; size_ > 0; --size_, ++head_) std::destroy_at(&cell(head_));
    if (cells_ != nullptr) std::allocator<T>().deallocate(cells_, mask_ + 1);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& front() { return cell(head_); }
  void push_back(T value) {
    if (cells_ == nullptr || size_ > mask_) [[unlikely]]
      grow();
    std::construct_at(&cell(head_ + size_), std::move(value));
    ++size_;
  }
  T pop_front() {
    T& first = front();
    T value = std::move(first);
    std::destroy_at(&first);
    ++head_;
    --size_;
    return value;
  }

 private:
  T& cell(std::size_t at) { return cells_[at & mask_]; }

  void grow() {
    const std::size_t larger = cells_ == nullptr ? 8 : 2 * (mask_ + 1);
    T* const cells = std::allocator<T>().allocate(larger);
    for (std::size_t i = 0; i < size_; ++i) {
      std::construct_at(cells + i, std::move(cell(head_ + i)));
      std::destroy_at(&cell(head_ + i));
    }
    if (cells_ != nullptr) std::allocator<T>().deallocate(cells_, mask_ + 1);
    cells_ = cells;
    mask_ = larger - 1;
    head_ = 0;
  }

  T* cells_ = nullptr;
  std::size_t mask_ = 0;  // a power of two of cells, less one
  std::size_t head_ = 0;  // counts on without end; the cell is what the mask leaves of it
  std::size_t size_ = 0;
};

}  // namespace headrace::sim
