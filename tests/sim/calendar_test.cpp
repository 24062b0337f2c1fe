#include "sim/calendar.hpp"

#include <map>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

// A small generator of test inputs (xorshift64*, Vigna 2016).
struct Xorshift {
  std::uint64_t state = 88172645463325252ULL;
  std::uint64_t operator()() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717ULL;
  }
};

void nothing(void*, std::uint64_t) {}

Action tagged(std::uint64_t tag) { return Action{&nothing, nullptr, tag}; }

/// Tag of the next event in order, moving the clock if need be; UINT64_MAX if there is none.
std::uint64_t pop(Calendar& calendar) {
  Action action;
  bool from_lane = false;
  while (!calendar.pop_current(action, from_lane)) {
    const TimeNs next = calendar.next_time();
    if (next >= kNever) return UINT64_MAX;
    calendar.advance_to(next);
  }
  return action.argument;
}

/// Runs `operations` random schedules, cancels and pops beside a std::multimap, with times up to `spread` ahead;
/// returns the number of disagreements.
std::size_t disagreements(Calendar calendar, std::uint64_t operations, std::uint64_t spread,
                          std::uint64_t target_size) {
  struct Known {
    EventId id;
    std::uint64_t tag;
  };
  std::multimap<TimeNs, Known> reference;  // equal keys stay in order of insertion
  Xorshift draw;
  std::uint64_t tag = 0;
  std::size_t wrong = 0;
  EventId last;
  TimeNs last_at = 0;
  for (std::uint64_t i = 0; i < operations; ++i) {
    const std::uint64_t choice = draw() >> 32;
    if (reference.size() < target_size ? choice % 8 < 5 : choice % 8 < 3) {
      const TimeNs at = calendar.now() + static_cast<TimeNs>((draw() >> 8) % spread);
      last = calendar.schedule(at, tagged(tag));
      last_at = at;
      reference.emplace(at, Known{last, tag++});
    } else if (choice % 8 == 7) {
      auto it = reference.lower_bound(last_at);
      while (it != reference.end() && it->first == last_at && !(it->second.id == last)) ++it;
      const bool pending = it != reference.end() && it->first == last_at;
      if (pending) reference.erase(it);
      wrong += calendar.cancel(last) != pending;
    } else if (!reference.empty()) {
      const auto first = reference.begin();
      wrong += pop(calendar) != first->second.tag || calendar.now() != first->first;
      reference.erase(first);
    }
    wrong += calendar.size() != reference.size();
  }
  while (!reference.empty()) {
    wrong += pop(calendar) != reference.begin()->second.tag;
    reference.erase(reference.begin());
  }
  return wrong + (calendar.empty() ? 0 : 1);
}

}  // namespace

TEST_CASE("calendar order equals a multimap's over two million random operations") {
  CHECK(disagreements(Calendar(), 700'000, 7, 3000) == 0);
  CHECK(disagreements(Calendar(), 700'000, 50, 100) == 0);
  CHECK(disagreements(Calendar(), 400'000, 1'000'000, 1000) == 0);
  CHECK(disagreements(Calendar(), 100'000, std::uint64_t{1} << 44, 30) == 0);
  CHECK(disagreements(Calendar(), 100'000, std::uint64_t{1} << 30, 5000) == 0);
}

TEST_CASE("calendar keeps its order when the sequence numbers run out") {
  CHECK(disagreements(Calendar((std::uint64_t{1} << 40) - 5000), 20'000, 40, 500) == 0);
}

TEST_CASE("calendar runs a tie group of a million events first in, first out") {
  Calendar calendar;
  constexpr std::uint64_t kEvents = 1'000'000;
  for (std::uint64_t i = 0; i < kEvents; ++i) calendar.schedule(1000 * static_cast<TimeNs>(1 + i % 8), tagged(i));
  std::size_t wrong = 0;
  for (std::uint64_t group = 0; group < 8; ++group) {
    for (std::uint64_t i = group; i < kEvents; i += 8) wrong += pop(calendar) != i;
  }
  CHECK(wrong == 0);
  CHECK(calendar.empty());
}

TEST_CASE("events at the current instant run after those scheduled for it earlier, in order") {
  Calendar calendar;
  calendar.schedule(10, tagged(1));
  calendar.schedule(10, tagged(2));
  CHECK(pop(calendar) == 1);
  calendar.schedule(10, tagged(3));
  calendar.schedule(11, tagged(5));
  calendar.schedule(10, tagged(4));
  for (std::uint64_t expected : {2, 3, 4, 5}) CHECK(pop(calendar) == expected);
}

TEST_CASE("a cancelled event does not run, and its id stays dead when the slot is used again") {
  Calendar calendar;
  const EventId first = calendar.schedule(5, tagged(1));
  CHECK(calendar.is_pending(first));
  CHECK(calendar.cancel(first));
  CHECK_FALSE(calendar.cancel(first));
  CHECK(calendar.next_time() == kNever);
  const EventId second = calendar.schedule(6, tagged(2));
  CHECK_FALSE(calendar.cancel(first));
  CHECK(pop(calendar) == 2);
  CHECK_FALSE(calendar.cancel(second));
  const EventId zero_delay = calendar.schedule(calendar.now(), tagged(3));
  CHECK(calendar.cancel(zero_delay));
  CHECK(pop(calendar) == UINT64_MAX);
}

TEST_CASE("an event that is moved again and again does not fill the calendar") {
  Calendar calendar;
  EventId moving = calendar.schedule(1'000'000, tagged(0));
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    calendar.cancel(moving);
    moving = calendar.schedule(static_cast<TimeNs>(1'000'000 + i), tagged(i));
  }
  CHECK(calendar.size() == 1);
  CHECK(calendar.peak_size() < 200);
  CHECK(pop(calendar) == 100'000);
}

TEST_CASE("cancelling most of an instant keeps the order of the rest") {
  Calendar calendar;
  std::vector<EventId> ids;
  for (std::uint64_t i = 0; i < 400; ++i) ids.push_back(calendar.schedule(10, tagged(i)));
  CHECK(pop(calendar) == 0);
  calendar.schedule(10, tagged(1000));  // into the lane, behind all of them
  for (std::size_t i = 1; i < 400; ++i) {
    if (i % 8 != 0) calendar.cancel(ids[i]);
  }
  for (std::uint64_t i = 8; i < 400; i += 8) CHECK(pop(calendar) == i);
  CHECK(pop(calendar) == 1000);
  CHECK(calendar.empty());
}

TEST_CASE("events may come before a window that was opened far ahead") {
  Calendar calendar;
  calendar.schedule(kNever, tagged(7));
  calendar.schedule(TimeNs{1} << 50, tagged(6));
  CHECK(calendar.next_time() == TimeNs{1} << 50);
  calendar.advance_to(1000);
  for (std::uint64_t i = 0; i < 20'000; ++i)
    calendar.schedule(2000 + static_cast<TimeNs>(i * 7919 % 20'000), tagged(i));
  std::size_t wrong = 0;
  for (TimeNs at = 2000; at < 22'000; ++at) wrong += pop(calendar) == UINT64_MAX || calendar.now() != at;
  CHECK(wrong == 0);
  CHECK(pop(calendar) == 6);
  CHECK(calendar.next_time() == kNever);
  CHECK(calendar.size() == 1);
}

TEST_CASE("scheduling in the past and moving the clock past an event are internal errors") {
  Calendar calendar;
  calendar.schedule(10, tagged(0));
  CHECK_THROWS_AS(calendar.advance_to(11), InternalError);
  calendar.advance_to(10);
  CHECK_THROWS_AS(calendar.schedule(9, tagged(1)), InternalError);
}
