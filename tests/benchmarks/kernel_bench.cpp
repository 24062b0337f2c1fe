// Speed of the calendar: pop the first event, schedule it again later, with many pending ("hold"; Vaucher and Duval,
// CACM 18, 1975), against std::priority_queue over 16-byte entries that keeps the same order over the same draws.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "sim/calendar.hpp"
#include "sim/simulation.hpp"
#include "tests/benchmarks/yardstick.hpp"

using namespace headrace::sim;
using namespace headrace::benchmarks;

namespace {

constexpr double kMeanNs = 1e9;

/// Exponential: no event is far, none is special.
struct Exponential {
  static constexpr const char* kName = "exponential";
  Durations draw{kMeanNs};
  TimeNs first() { return draw(); }
  TimeNs next() { return draw(); }
};

/// One increment in 16 is a thousand times longer: most pending events are far, most new ones near.
struct Bimodal {
  static constexpr const char* kName = "bimodal";
  Durations draw{kMeanNs};
  TimeNs first() { return draw.scaled(draw.bits() % 64 == 0 ? 0.01 * kMeanNs : 10 * kMeanNs); }  // as it is later on
  TimeNs next() { return draw.scaled(draw.bits() % 16 == 0 ? 10 * kMeanNs : 0.01 * kMeanNs); }
};

/// The same increment for all: a new event comes after all others.
struct Deterministic {
  static constexpr const char* kName = "deterministic";
  Durations draw{kMeanNs};
  TimeNs first() { return static_cast<TimeNs>(draw.bits() % static_cast<std::uint64_t>(kMeanNs)) + 1; }
  TimeNs next() { return static_cast<TimeNs>(kMeanNs); }
};

/// Uniform between one and two seconds.
struct Uniform {
  Durations draw{kMeanNs};
  TimeNs first() { return next(); }
  TimeNs next() { return 1'000'000'000 + static_cast<TimeNs>(draw.bits() % 1'000'000'000); }
};

/// The same in eighths of a second: all events lie at 8 to 16 instants.
struct Tied {
  Durations draw{kMeanNs};
  TimeNs first() { return next(); }
  TimeNs next() { return 1'000'000'000 + static_cast<TimeNs>(draw.bits() % 8) * 125'000'000; }
};

struct PlainEntry {
  TimeNs at;
  std::uint64_t sequence;
  bool operator>(const PlainEntry& other) const { return at != other.at ? at > other.at : sequence > other.sequence; }
};

/// Nanoseconds per pop and push with `pending` events.
template <class Law>
double hold_priority_queue(std::size_t pending, std::size_t operations) {
  Law law;
  std::priority_queue<PlainEntry, std::vector<PlainEntry>, std::greater<>> queue;
  std::uint64_t sequence = 0;
  for (std::size_t i = 0; i < pending; ++i) queue.push(PlainEntry{law.first(), sequence++});
  double start = 0;
  for (std::size_t i = 0; i < pending + operations; ++i) {
    if (i == pending) start = thread_ns();
    const PlainEntry first = queue.top();
    queue.pop();
    queue.push(PlainEntry{first.at + law.next(), sequence++});
  }
  return (thread_ns() - start) / static_cast<double>(operations);
}

void nothing(void*, std::uint64_t) {}

template <class Law>
double hold_calendar(std::size_t pending, std::size_t operations) {
  Law law;
  Calendar calendar;
  for (std::size_t i = 0; i < pending; ++i) calendar.schedule(law.first(), Action{&nothing, nullptr, i});
  double start = 0;
  bool from_lane = false;
  for (std::size_t i = 0; i < pending + operations; ++i) {
    if (i == pending) start = thread_ns();
    Action action = calendar.pop_current(from_lane);
    if (action.run == nullptr) action = calendar.pop_next(kNever - 1);
    action();
    calendar.schedule(calendar.now() + law.next(), action);
  }
  return (thread_ns() - start) / static_cast<double>(operations);
}

template <class Law>
void bench_hold(std::size_t pending, double bar) {
  const std::size_t operations = pending >= 1'000'000 ? 1'000'000 : 500'000;
  compare(
      "hold_" + std::to_string(pending) + "_" + Law::kName, "ns/event", "std::priority_queue", bar,
      pending >= 1'000'000 ? 3 : 9, [&] { return hold_calendar<Law>(pending, operations); },
      [&] { return hold_priority_queue<Law>(pending, operations); });
}

void bench_hold(std::size_t pending, double bar) {
  bench_hold<Exponential>(pending, bar);
  bench_hold<Bimodal>(pending, bar);
  bench_hold<Deterministic>(pending, bar);
}

/// All GPUs end a step together: ties must not cost more than other events.
void bench_ties() {
  constexpr std::size_t kPending = 1'000'000;
  compare(
      "hold_1000000_tied", "ns/event", "untied", 2.0, 5, [] { return hold_calendar<Tied>(kPending, kPending); },
      [] { return hold_calendar<Uniform>(kPending, kPending); });
}

Process holder(Simulation& simulation, Durations& draw) {
  while (true) co_await simulation.delay(draw());
}

double hold_processes(std::size_t pending, std::size_t operations, double& frame_bytes) {
  Durations draw(kMeanNs);
  Simulation simulation;
  for (std::size_t i = 0; i < pending; ++i) simulation.spawn(holder(simulation, draw), "holder");
  frame_bytes = static_cast<double>(simulation.arena().reserved_bytes()) / static_cast<double>(pending);
  const TimeNs event_spacing_ns = static_cast<TimeNs>(kMeanNs / static_cast<double>(pending));
  simulation.run_until(static_cast<TimeNs>(kMeanNs));
  const std::uint64_t before = simulation.events_executed();
  const double start = thread_ns();
  simulation.run_until(simulation.now() + static_cast<TimeNs>(operations) * event_spacing_ns);
  return (thread_ns() - start) / static_cast<double>(simulation.events_executed() - before);
}

void bench_processes(std::size_t pending) {
  constexpr std::size_t kOperations = 500'000;
  double frame_bytes = 0;
  compare(
      "process_delay_" + std::to_string(pending), "ns/event", "std::priority_queue", 1.0, 5,
      [&] { return hold_processes(pending, kOperations, frame_bytes); },
      [&] { return hold_priority_queue<Exponential>(pending, kOperations); });
  report("delay_loop_frame", frame_bytes, "bytes", frame_bytes / 256.0, "256 bytes", 1.0);
}

}  // namespace

int main() {
  interleave_repetitions();
  bench_hold(100, 0.55);
  bench_hold(10'000, 0.25);
  bench_hold(1'000'000, 0.55);
  bench_ties();
  bench_processes(80'000);
}
