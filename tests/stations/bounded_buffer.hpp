// A buffer between producers and consumers: put waits while it is full, get waits while it is empty, both first in,
// first out.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "sim/assert.hpp"
#include "sim/process.hpp"
#include "sim/ring.hpp"
#include "sim/simulation.hpp"
#include "sim/wait_queue.hpp"

namespace headrace::sim {

/// What BoundedBuffer::get returns; `item` is set unless the wait was interrupted.
template <class T>
struct Got {
  std::optional<T> item;
  WaitResult wait;
};

template <class T>
class BoundedBuffer {
 public:
  class [[nodiscard]] Put final : public QueuedAwaiter {
   public:
    Put(BoundedBuffer& buffer, T item) : buffer_(&buffer), item_(std::move(item)) {}
    ~Put() = default;
    void withdraw() noexcept override { unlink(); }  // its item was not in the buffer yet: nobody else is affected
    bool await_ready() { return buffer_->take_in(item_); }
    void await_suspend(Process::Handle handle) {
      begin_wait(handle);
      buffer_->putting_.push_back(*this);
    }
    WaitResult await_resume() { return end_wait(); }

   private:
    friend class BoundedBuffer;
    BoundedBuffer* buffer_;
    T item_;
  };

  class [[nodiscard]] Get final : public QueuedAwaiter {
   public:
    explicit Get(BoundedBuffer& buffer) : buffer_(&buffer) {}
    ~Get() {
      if (is_linked()) give_up();
    }
    void withdraw() noexcept override { unlink(); }
    bool await_ready() const { return buffer_->has_free_item(); }
    void await_suspend(Process::Handle handle) {
      begin_wait(handle);
      buffer_->getting_.push_back(*this);
      buffer_->promise();
    }
    // Inline, because the caller must not read at once from memory, as a whole, what is written here piece by piece.
    [[gnu::always_inline]] Got<T> await_resume() {
      const bool waited = process_ != nullptr;
      const WaitResult wait = end_wait();
      if (waited && !is_linked()) return Got<T>{std::nullopt, wait};  // interrupted, or the buffer is gone
      if (waited) --buffer_->promised_;
      unlink();
      return Got<T>{buffer_->take_out(), wait};
    }

   private:
    friend class BoundedBuffer;
    void give_up() {
      unlink();
      if (!granted_) return;
      --buffer_->promised_;  // destroyed between the grant and the resumption: the next one gets the item
      buffer_->promise();
    }
    BoundedBuffer* buffer_;  // valid while linked
    bool granted_ = false;
  };

  explicit BoundedBuffer(std::size_t capacity) : capacity_(capacity) {
    HEADRACE_ASSERT(capacity > 0, "a buffer needs room for one item");
  }
  BoundedBuffer(const BoundedBuffer&) = delete;
  BoundedBuffer& operator=(const BoundedBuffer&) = delete;

  std::size_t size() const { return items_.size(); }
  std::size_t capacity() const { return capacity_; }
  std::size_t largest_size() const { return largest_size_; }

  /// Waits for room; the item is in the buffer when this ends, unless it was interrupted.
  Put put(T item) { return Put(*this, std::move(item)); }
  /// Waits for an item.
  Get get() { return Get(*this); }
  /// False, leaving `item` alone, if the buffer is full.
  bool try_put(T& item) { return take_in(item); }
  std::optional<T> try_get() {
    if (!has_free_item()) return std::nullopt;
    return take_out();
  }

 private:
  std::size_t unpromised() const { return items_.size() - promised_; }
  /// Whether an item is there and nobody is before the caller.
  bool has_free_item() const { return promised_ == 0 && !items_.empty(); }

  bool take_in(T& item) {
    if (items_.size() == capacity_ || !putting_.empty()) return false;
    store(std::move(item));
    promise();
    return true;
  }
  void store(T item) {
    items_.push_back(std::move(item));
    if (items_.size() > largest_size_) largest_size_ = items_.size();
  }
  T take_out() {
    T item = items_.pop_front();
    if (!putting_.empty()) {
      Put& next = putting_.pop_front();
      store(std::move(next.item_));
      next.process().grant();
      promise();
    }
    return item;
  }
  void promise() {
    while (unpromised() > 0 && !getting_.empty()) {
      Get& first = getting_.pop_front();
      first.granted_ = true;
      ++promised_;
      granted_.push_back(first);
      first.process().grant();
    }
  }

  Ring<T> items_;
  WaitQueue<Put> putting_;
  WaitQueue<Get> getting_;
  WaitQueue<Get> granted_;
  std::size_t capacity_;
  std::size_t promised_ = 0;  // items that a getter will take when it resumes
  std::size_t largest_size_ = 0;
};

}  // namespace headrace::sim
