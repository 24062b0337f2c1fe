#include "sim/finish_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

namespace headrace::sim {
namespace {

using Entries = std::vector<FinishQueue::Entry>;

void check_same(const FinishQueue& queue, const Entries& expected) {
  REQUIRE(queue.size() == expected.size());
  REQUIRE(queue.empty() == expected.empty());
  auto entry = queue.begin();
  for (const auto& e : expected) {
    REQUIRE(entry->sequence == e.sequence);
    REQUIRE(entry->finish_point == e.finish_point);
    REQUIRE(queue.find(e.sequence) == entry);
    ++entry;
  }
  REQUIRE(entry == queue.end());
}

/// Few flows lie in the queue itself, many elsewhere: `most` decides how often it changes.
void push_and_take(std::size_t most) {
  RoomPool<FinishQueue::Entry> rooms;
  FinishQueue queue;
  Entries expected;
  bool fills = true;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const BitsPair bits = uniform_bits_pair({2, 0, Purpose{1}, static_cast<std::uint32_t>(most)}, i);
    if (expected.empty()) fills = true;
    if (expected.size() >= most) fills = false;
    if (bits.first % 8 < (fills ? 6U : 2U) || expected.empty()) {
      FinishQueue::Entry entry;
      entry.finish_point = static_cast<double>(bits.second % 16);  // ties keep the order in which they came
      entry.sequence = i;
      const auto behind = [](const auto& a, const auto& b) { return a.finish_point < b.finish_point; };
      expected.insert(std::upper_bound(expected.begin(), expected.end(), entry, behind), entry);
      queue.push(entry, rooms);
    } else if (bits.first % 64 < 48) {
      REQUIRE(queue.front().sequence == expected.front().sequence);
      expected.erase(expected.begin());
      queue.pop();
    } else {
      const std::size_t at = bits.second % expected.size();
      queue.remove(*queue.find(expected[at].sequence));
      expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
    }
    check_same(queue, expected);
  }
}

TEST_CASE("the flows of a bundle stay in the order of their finishes, few or many") {
  push_and_take(6);
  push_and_take(12);
  push_and_take(90);
}

TEST_CASE("a queue of flows may be moved, and its origin shifted") {
  for (const std::uint64_t flows : {3U, 20U}) {
    RoomPool<FinishQueue::Entry> rooms;
    FinishQueue queue;
    for (std::uint64_t i = 0; i < flows; ++i) queue.push({100.0 + static_cast<double>(i), 1.0, 0, 0, 0, i}, rooms);
    queue.pop();
    FinishQueue moved = queue;
    moved.shift_origin(40.0);
    CHECK(moved.size() == flows - 1);
    CHECK(moved.front().finish_point == 61.0);
    CHECK(moved.front().sequence == 1);
  }
}

}  // namespace
}  // namespace headrace::sim
