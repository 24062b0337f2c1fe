// A winner tree: the smallest of many keys, of which one changes at a time. A change costs O(log n) and stops as soon
// as a parent keeps its value; ties go to the lowest slot, so the winner never depends on the history of the keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace headrace::sim {

/// `Key` is totally ordered (no NaN); every slot starts at `absent`, which compares above every key in use.
template <class Key>
class Tournament {
 public:
  explicit Tournament(Key absent, std::size_t slots = 1) : absent_(absent) { reserve(slots); }

  /// Makes room for at least `slots` slots; keys stay.
  void reserve(std::size_t slots) {
    if (slots <= slots_) return;
    std::size_t wider = std::max<std::size_t>(slots_, 1);
    while (wider < slots) wider *= 2;
    std::vector<Key> keys(2 * wider, absent_);
    for (std::size_t i = 0; i < slots_; ++i) keys[wider + i] = keys_[slots_ + i];
    for (std::size_t i = wider; i-- > 1;) keys[i] = std::min(keys[2 * i], keys[2 * i + 1]);
    keys_.swap(keys);
    slots_ = wider;
  }

  std::size_t slots() const { return slots_; }
  const Key& operator[](std::size_t slot) const { return keys_[slots_ + slot]; }

  void set(std::size_t slot, Key key) {
    std::size_t i = slots_ + slot;
    if (keys_[i] == key) return;
    keys_[i] = key;
    while (i > 1) {
      const Key winner = std::min(keys_[i], keys_[i ^ 1]);
      i /= 2;
      if (keys_[i] == winner) return;
      keys_[i] = winner;
    }
  }
  void clear(std::size_t slot) {
    if (!empty()) set(slot, absent_);
  }

  /// The smallest key, `absent` if no slot has one.
  const Key& top() const { return keys_[1]; }
  bool empty() const { return keys_[1] == absent_; }

  /// The lowest slot that holds top().
  std::size_t winner() const {
    std::size_t i = 1;
    while (i < slots_) {
      i *= 2;
      if (keys_[i] != keys_[1]) ++i;
    }
    return i - slots_;
  }

  /// The lowest slot that holds top(), and the least of all other keys.
  struct Lead {
    std::size_t slot;
    Key runner_up;
    std::size_t runner_up_slot;  ///< any slot if there is none
  };
  Lead lead() const {
    Key runner_up = absent_;
    std::size_t near = 1;
    std::size_t i = 1;
    while (i < slots_) {
      i *= 2;
      if (keys_[i] != keys_[1]) ++i;
      const Key other = keys_[i ^ 1];
      if (other < runner_up) {
        runner_up = other;
        near = i ^ 1;
      }
    }
    while (near < slots_) {
      near *= 2;
      if (keys_[near] != runner_up) ++near;
    }
    return {i - slots_, runner_up, near - slots_};
  }

 private:
  Key absent_;
  std::size_t slots_ = 0;
  std::vector<Key> keys_;
};

}  // namespace headrace::sim
