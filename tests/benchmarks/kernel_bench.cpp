// Speed of the event kernel. Each figure is the median of interleaved rounds, in processor time, against a yardstick
// measured in the same rounds, so that a busy or slow machine moves both; one JSON line per figure on stdout.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "sim/bounded_buffer.hpp"
#include "sim/calendar.hpp"
#include "sim/fcfs_station.hpp"
#include "sim/simulation.hpp"
#include "sim/station_statistics.hpp"

using namespace headrace::sim;

namespace {

/// Processor time of this thread: other programs on the machine do not count.
double now_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// xoshiro256++ of Blackman and Vigna (2019).
class Bits {
 public:
  explicit Bits(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = seed = (seed + 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
  }
  std::uint64_t operator()() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  std::uint64_t state_[4];
};

/// Exponential durations by the ziggurat of Marsaglia and Tsang (2000), 256 layers: about as cheap as an exact draw can
/// be, so that the queue, not the draw, is measured.
class Durations {
 public:
  explicit Durations(double mean_ns, std::uint64_t seed = 1) : bits_(seed), mean_ns_(mean_ns) {
    constexpr double kArea = 3.9496598225815571993e-3;
    edge_[0] = kArea / std::exp(-kTail);
    edge_[1] = kTail;
    for (std::size_t i = 2; i < 256; ++i) edge_[i] = -std::log(std::exp(-edge_[i - 1]) + kArea / edge_[i - 1]);
    edge_[256] = 0;
    for (std::size_t i = 0; i <= 256; ++i) height_[i] = std::exp(-edge_[i]);
  }
  TimeNs operator()() { return static_cast<TimeNs>(standard() * mean_ns_) + 1; }

 private:
  static constexpr double kTail = 7.69711747013104972;

  double standard() {
    double shift = 0;
    while (true) {
      const std::uint64_t bits = bits_();
      const std::size_t layer = bits & 255;
      const double x = static_cast<double>(bits >> 11) * 0x1p-53 * edge_[layer];
      if (x < edge_[layer + 1]) [[likely]]
        return shift + x;
      if (layer == 0) {
        shift += kTail;
        continue;
      }
      const double u = static_cast<double>(bits_() >> 11) * 0x1p-53;
      if (height_[layer] + u * (height_[layer + 1] - height_[layer]) < std::exp(-x)) return shift + x;
    }
  }

  Bits bits_;
  double mean_ns_;
  double edge_[257];
  double height_[257];
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void report(const std::string& name, double value, const char* unit, double ratio, const char* against, double bar) {
  std::printf(
      "{\"name\":\"%s\",\"value\":%.4g,\"unit\":\"%s\",\"ratio\":%.4g,\"against\":\"%s\",\"bar\":%.4g,\"ok\":%s}\n",
      name.c_str(), value, unit, ratio, against, bar, ratio <= bar ? "true" : "false");
  std::fflush(stdout);
}

void nothing(void*, std::uint64_t) {}

constexpr double kMeanNs = 1e9;

struct PlainEntry {
  TimeNs at;
  std::uint64_t sequence;
  bool operator>(const PlainEntry& other) const { return at != other.at ? at > other.at : sequence > other.sequence; }
};

/// Pop the first, schedule it again later, with `pending` events: nanoseconds per operation.
double hold_priority_queue(std::size_t pending, std::size_t operations) {
  Durations draw(kMeanNs);
  std::priority_queue<PlainEntry, std::vector<PlainEntry>, std::greater<>> queue;
  std::uint64_t sequence = 0;
  for (std::size_t i = 0; i < pending; ++i) queue.push(PlainEntry{draw(), sequence++});
  double start = 0;
  for (std::size_t i = 0; i < pending + operations; ++i) {
    if (i == pending) start = now_ns();
    const PlainEntry first = queue.top();
    queue.pop();
    queue.push(PlainEntry{first.at + draw(), sequence++});
  }
  return (now_ns() - start) / static_cast<double>(operations);
}

double hold_calendar(std::size_t pending, std::size_t operations) {
  Durations draw(kMeanNs);
  Calendar calendar;
  for (std::size_t i = 0; i < pending; ++i) calendar.schedule(draw(), Action{&nothing, nullptr, i});
  double start = 0;
  Action action;
  bool from_lane = false;
  for (std::size_t i = 0; i < pending + operations; ++i) {
    if (i == pending) start = now_ns();
    while (!calendar.pop_current(action, from_lane)) calendar.advance_to(calendar.next_time());
    action();
    calendar.schedule(calendar.now() + draw(), action);
  }
  return (now_ns() - start) / static_cast<double>(operations);
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
  const double start = now_ns();
  simulation.run_until(simulation.now() + static_cast<TimeNs>(operations) * event_spacing_ns);
  return (now_ns() - start) / static_cast<double>(simulation.events_executed() - before);
}

void bench_hold(std::size_t pending, double bar) {
  const std::size_t operations = pending >= 1'000'000 ? 1'000'000 : 500'000;
  const int rounds = pending >= 1'000'000 ? 3 : 9;
  std::vector<double> plain;
  std::vector<double> calendar;
  for (int i = 0; i < rounds; ++i) {
    plain.push_back(hold_priority_queue(pending, operations));
    calendar.push_back(hold_calendar(pending, operations));
  }
  report("hold_" + std::to_string(pending), median(calendar), "ns/event", median(calendar) / median(plain),
         "std::priority_queue", bar);
}

void bench_processes(std::size_t pending) {
  std::vector<double> plain;
  std::vector<double> processes;
  double frame_bytes = 0;
  for (int i = 0; i < 5; ++i) {
    plain.push_back(hold_priority_queue(pending, 500'000));
    processes.push_back(hold_processes(pending, 500'000, frame_bytes));
  }
  report("process_delay_" + std::to_string(pending), median(processes), "ns/event", median(processes) / 60.0, "60 ns",
         1.0);
  report("process_delay_" + std::to_string(pending) + "_vs_queue", median(processes), "ns/event",
         median(processes) / median(plain), "std::priority_queue", 1.0);
  report("delay_loop_frame", frame_bytes, "bytes", frame_bytes / 256.0, "256 bytes", 1.0);
}

// M/M/1 at 90 % utilization.
constexpr double kArrivalMeanNs = 1e9;
constexpr double kServiceMeanNs = 0.9e9;
constexpr std::uint64_t kCustomers = 500'000;

/// W' = max(0, W + S - A) of Lindley (1952): the least work that can tell the mean wait.
double lindley(double& mean_wait_s) {
  Durations arrivals(kArrivalMeanNs, 1);
  Durations services(kServiceMeanNs, 2);
  TimeNs wait = 0;
  TimeNs sum = 0;
  const double start = now_ns();
  for (std::uint64_t i = 0; i < kCustomers; ++i) {
    sum += wait;
    wait = std::max<TimeNs>(0, wait + services() - arrivals());
  }
  const double elapsed = now_ns() - start;
  mean_wait_s = seconds(sum) / static_cast<double>(kCustomers);
  return elapsed / static_cast<double>(kCustomers);
}

Process arrivals_to_buffer(Simulation& simulation, BoundedBuffer<TimeNs>& queue, Occupancy& system) {
  Durations draw(kArrivalMeanNs, 1);
  for (std::uint64_t i = 0; i < kCustomers; ++i) {
    system.arrive(simulation.now());
    co_await queue.put(simulation.now());
    co_await simulation.delay(draw());
  }
}

Process server(Simulation& simulation, BoundedBuffer<TimeNs>& queue, Occupancy& system, TimeNs& wait_ns) {
  Durations draw(kServiceMeanNs, 2);
  while (true) {
    const Got<TimeNs> got = co_await queue.get();
    wait_ns += simulation.now() - *got.item;
    co_await simulation.delay(draw());
    system.depart(simulation.now(), *got.item);
  }
}

/// One process that brings customers and one that serves them, a buffer between, number in system and waits measured.
double server_process(double& mean_wait_s) {
  const double start = now_ns();
  Simulation simulation;
  BoundedBuffer<TimeNs> queue(SIZE_MAX);
  Occupancy system(0);
  TimeNs wait_ns = 0;
  simulation.spawn(arrivals_to_buffer(simulation, queue, system), "arrivals");
  simulation.spawn(server(simulation, queue, system, wait_ns), "server");
  simulation.run();
  system.check(simulation.now(), "Little's law");
  const double elapsed = now_ns() - start;
  mean_wait_s = seconds(wait_ns) / static_cast<double>(kCustomers);
  return elapsed / static_cast<double>(kCustomers);
}

Process customer(Simulation&, FcfsStation& station, TimeNs service_ns) { co_await station.serve(service_ns); }

Process arrivals_to_station(Simulation& simulation, FcfsStation& station) {
  Durations draw(kArrivalMeanNs, 1);
  Durations services(kServiceMeanNs, 2);
  for (std::uint64_t i = 0; i < kCustomers; ++i) {
    simulation.spawn(customer(simulation, station, services()), "customer");
    co_await simulation.delay(draw());
  }
}

/// One process per customer at a measuring station.
double customer_processes(double& mean_wait_s) {
  const double start = now_ns();
  Simulation simulation;
  FcfsStation station(simulation, 1);
  simulation.spawn(arrivals_to_station(simulation, station), "arrivals");
  simulation.run();
  mean_wait_s = station.statistics().mean_wait_s;
  return (now_ns() - start) / static_cast<double>(kCustomers);
}

int bench_mm1() {
  std::vector<double> floor;
  std::vector<double> one_server;
  std::vector<double> one_each;
  double expected = 0;
  double by_server = 0;
  double by_customers = 0;
  for (int i = 0; i < 9; ++i) {
    floor.push_back(lindley(expected));
    one_server.push_back(server_process(by_server));
    one_each.push_back(customer_processes(by_customers));
  }
  report("mm1_server_process", median(one_server), "ns/customer", median(one_server) / median(floor),
         "Lindley recursion", 5.0);
  report("mm1_process_per_customer", median(one_each), "ns/customer", median(one_each) / median(floor),
         "Lindley recursion", 10.0);
  // The three are the same queue with the same draws: anything but the same mean wait would be a broken benchmark.
  return expected == by_server && expected == by_customers ? 0 : 1;
}

}  // namespace

int main() {
  bench_hold(100, 0.55);
  bench_hold(10'000, 0.25);
  bench_hold(1'000'000, 0.55);
  bench_processes(80'000);
  return bench_mm1();
}
