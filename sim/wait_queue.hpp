// The intrusive first-in-first-out list of processes that wait for one thing. An awaiter is in the list of its thing
// exactly while it may touch it: the thing unlinks all of them when it goes, the awaiter unlinks itself when it goes.
#pragma once

#include <cstddef>

#include "sim/process.hpp"

namespace headrace::sim {

struct WaitLink {
  WaitLink* previous = nullptr;
  WaitLink* next = nullptr;

  bool is_linked() const { return previous != nullptr; }
  void unlink() {
    if (previous == nullptr) return;
    previous->next = next;
    next->previous = previous;
    previous = next = nullptr;
  }
  /// Links `other`, which is in no list, in front of this.
  void insert_before(WaitLink& other) {
    other.previous = previous;
    other.next = this;
    previous->next = &other;
    previous = &other;
  }
};

/// An awaiter that can stand in a WaitQueue.
class QueuedAwaiter : public Awaiter, protected WaitLink {
 protected:
  ~QueuedAwaiter() { unlink(); }
  template <class Waiter>
  friend class WaitQueue;
};

/// Waiters in order of arrival; `Waiter` derives from QueuedAwaiter.
template <class Waiter>
class WaitQueue {
 public:
  WaitQueue() { head_.previous = head_.next = &head_; }
  /// Walks from link to link: a loop until the queue is empty relies on stores through links being seen in the head,
  /// which GCC 12 got wrong where it inlined this into the destruction of something larger.
  ~WaitQueue() {
    for (WaitLink* link = head_.next; link != &head_;) {
      WaitLink* const next = link->next;
      link->previous = link->next = nullptr;
      link = next;
    }
  }
  WaitQueue(const WaitQueue&) = delete;
  WaitQueue& operator=(const WaitQueue&) = delete;

  bool empty() const { return head_.next == &head_; }
  Waiter& front() const { return *from_link(head_.next); }
  Waiter& back() const { return *from_link(head_.previous); }
  void push_back(Waiter& waiter) { head_.insert_before(static_cast<QueuedAwaiter&>(waiter)); }
  Waiter& pop_front() {
    Waiter& waiter = front();
    head_.next->unlink();
    return waiter;
  }

 private:
  static Waiter* from_link(WaitLink* link) { return static_cast<Waiter*>(static_cast<QueuedAwaiter*>(link)); }
  WaitLink head_;
};

}  // namespace headrace::sim
