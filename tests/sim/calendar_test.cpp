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
  bool from_lane = false;
  Action action = calendar.pop_current(from_lane);
  if (action.run == nullptr) action = calendar.pop_next(kNever - 1);
  return action.run != nullptr ? action.argument : UINT64_MAX;
}

/// The same in steps: look at the time of the next event, move the clock there, remove it.
std::uint64_t look_and_pop(Calendar& calendar) {
  bool from_lane = false;
  Action action = calendar.pop_current(from_lane);
  if (action.run != nullptr) return action.argument;
  if (calendar.next_time() >= kNever) return UINT64_MAX;
  calendar.advance_to(calendar.next_time());
  action = calendar.pop_current(from_lane);
  return action.run != nullptr ? action.argument : UINT64_MAX;
}

/// Runs `operations` random schedules, cancels and pops beside a std::multimap, with times up to `spread` ahead that
/// are multiples of `grain` apart; returns the number of disagreements.
std::size_t disagreements(Calendar calendar, std::uint64_t operations, std::uint64_t spread, std::uint64_t target_size,
                          std::uint64_t grain = 1) {
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
      const TimeNs at = calendar.now() + static_cast<TimeNs>((draw() >> 8) % spread / grain * grain);
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
      const std::uint64_t popped = choice / 8 % 2 == 0 ? pop(calendar) : look_and_pop(calendar);
      wrong += popped != first->second.tag || calendar.now() != first->first;
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

TEST_CASE("calendar order holds for large groups at few instants, near and far", "[long_3]") {
  CHECK(disagreements(Calendar(), 100'000, 3000, 20'000, 1000) == 0);
  CHECK(disagreements(Calendar(), 100'000, std::uint64_t{3} << 40, 20'000, std::uint64_t{1} << 40) == 0);
  CHECK(disagreements(Calendar(), 100'000, std::uint64_t{64} << 20, 500, std::uint64_t{1} << 20) == 0);
}

TEST_CASE("calendar order holds while the density of events changes a million times over") {
  Calendar calendar;
  std::multimap<TimeNs, std::uint64_t> reference;
  Xorshift draw;
  std::size_t wrong = 0;
  std::uint64_t tag = 0;
  for (const std::uint64_t spread : {1'000'000'000ULL, 1'000ULL, 1'000'000ULL, 30ULL, 1'000'000'000'000ULL, 5'000ULL}) {
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t size = i % 4000 < 2000 ? 3000 : 10;  // swells and drains
      if (reference.size() < size) {
        const TimeNs at = calendar.now() + 1 + static_cast<TimeNs>((draw() >> 8) % spread);
        calendar.schedule(at, tagged(tag));
        reference.emplace(at, tag++);
      } else {
        wrong += pop(calendar) != reference.begin()->second || calendar.now() != reference.begin()->first;
        reference.erase(reference.begin());
        if (draw() % 2 == 0) continue;
        wrong += pop(calendar) != reference.begin()->second;
        reference.erase(reference.begin());
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(calendar.size() == reference.size());
}

TEST_CASE("events of a large group are cancelled wherever they stand") {
  Calendar calendar;
  std::vector<EventId> ids;
  for (std::uint64_t i = 0; i < 10'000; ++i) ids.push_back(calendar.schedule(1000 + i % 2 * 1000, tagged(i)));
  for (std::uint64_t i = 0; i < 10'000; i += 3) CHECK(calendar.cancel(ids[i]));
  std::size_t wrong = 0;
  for (std::uint64_t group = 0; group < 2; ++group) {
    for (std::uint64_t i = group; i < 10'000; i += 2) {
      if (i % 3 != 0) wrong += pop(calendar) != i;
      if (i == 4001 && calendar.is_pending(ids[4003])) {
        calendar.cancel(ids[4003]);
        wrong += calendar.is_pending(ids[4003]);
        i += 2;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(calendar.empty());
}

TEST_CASE("zero-delay events are cancelled before they run, and their ids stay dead") {
  Calendar calendar;
  std::vector<EventId> ids;
  for (std::uint64_t i = 0; i < 100; ++i) ids.push_back(calendar.schedule(calendar.now(), tagged(i)));
  for (std::uint64_t i = 0; i < 100; i += 2) CHECK(calendar.cancel(ids[i]));
  CHECK(calendar.size() == 50);
  CHECK_FALSE(calendar.cancel(ids[0]));
  for (std::uint64_t i = 1; i < 100; i += 2) CHECK(pop(calendar) == i);
  CHECK(pop(calendar) == UINT64_MAX);
  for (const EventId id : ids) CHECK_FALSE(calendar.is_pending(id));
  for (std::uint64_t i = 0; i < 1000; ++i) calendar.schedule_now(tagged(i));
  for (std::uint64_t i = 0; i < 1000; ++i) CHECK(pop(calendar) == i);
  CHECK_FALSE(calendar.is_pending(EventId{}));
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
