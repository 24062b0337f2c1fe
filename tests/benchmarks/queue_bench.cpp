// What modellers pay: a single-server queue and a bounded buffer written as processes, against the least program that
// computes the same numbers, and replications on all cores against one. All must agree to the bit with what they are
// compared with; a disagreement ends the program with an error.
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <queue>
#include <string>
#include <thread>
#include <vector>

#include "sim/distribution.hpp"
#include "sim/fcfs_station.hpp"
#include "sim/random_stream.hpp"
#include "sim/ring.hpp"
#include "sim/simulation.hpp"
#include "sim/tally.hpp"
#include "tests/benchmarks/yardstick.hpp"
#include "tests/stations/bounded_buffer.hpp"

using namespace headrace::sim;
using namespace headrace::benchmarks;

namespace {

void must_equal(double left, double right, const char* what) {
  if (left == right) return;
  std::fprintf(stderr, "%s: %.17g and %.17g differ\n", what, left, right);
  std::exit(1);
}

/// Keyed draws, 64 at a time: how models draw.
class KeyedDurations {
 public:
  KeyedDurations(const Distribution& law, StreamKey key) : law_(&law), key_(key) {}
  TimeNs operator()() {
    if (next_ == values_.size()) refill();
    return duration_ns(values_[next_++]);
  }

 private:
  void refill() {
    uniforms(key_, index_, values_);
    law_->quantiles(values_, values_);
    index_ += values_.size();
    next_ = 0;
  }

  const Distribution* law_;
  StreamKey key_;
  std::uint64_t index_ = 0;
  std::size_t next_ = 64;
  std::array<double, 64> values_;
};

// --- M/M/1 at 90 % utilization ---

constexpr double kArrivalMeanS = 1.0;
constexpr double kServiceMeanS = 0.9;
constexpr std::uint64_t kCustomers = 500'000;

/// Draws by the ziggurat, the cheapest there is.
struct Cheap {
  Durations arrivals{kArrivalMeanS * 1e9, 1};
  Durations services{kServiceMeanS * 1e9, 2};
};

/// Draws as models make them.
struct Keyed {
  static const Distribution& law(double mean_s) {
    static const Distribution arrival = Distribution::exponential(kArrivalMeanS);
    static const Distribution service = Distribution::exponential(kServiceMeanS);
    return mean_s == kArrivalMeanS ? arrival : service;
  }
  explicit Keyed(std::uint32_t replication = 0)
      : arrivals(law(kArrivalMeanS), {1, replication, Purpose{1}, 0}),
        services(law(kServiceMeanS), {1, replication, Purpose{2}, 0}) {}
  KeyedDurations arrivals;
  KeyedDurations services;
};

/// Keeps the compiler from working a run out beforehand or outside of the timing.
std::uint64_t all_customers() {
  static volatile std::uint64_t customers = kCustomers;
  return customers;
}

/// Nanoseconds per customer of `work`, which returns the mean time in the system of kCustomers.
template <class Work>
double time_customers(double& mean_s, Work&& work) {
  const double start = thread_ns();
  mean_s = work();
  return (thread_ns() - start) / static_cast<double>(kCustomers);
}

/// W' = max(0, W + S - A) of Lindley (1952): the least work that can tell the mean.
template <class Draws>
double lindley() {
  Draws draws;
  TimeNs wait = 0;
  TimeNs sum = 0;
  for (std::uint64_t i = all_customers(); i > 0; --i) {
    const TimeNs sojourn = wait + draws.services();
    sum += sojourn;
    wait = std::max<TimeNs>(0, sojourn - draws.arrivals());
  }
  return seconds(sum) / static_cast<double>(kCustomers);
}

using Line = BoundedBuffer<TimeNs>;  // of times of arrival

template <class Draw>
Process bring(Simulation& simulation, Line& line, Draw& draw) {
  for (std::uint64_t i = 0; i < kCustomers; ++i) {
    TimeNs now = simulation.now();
    line.try_put(now);
    co_await simulation.delay(draw());
  }
}

struct Sojourns {
  Tally in_system_s;
  TimeNs sum_ns = 0;
};

template <class Draw>
Process serve(Simulation& simulation, Line& line, Draw& draw, Sojourns& sojourns) {
  while (true) {
    const Got<TimeNs> customer = co_await line.get();
    co_await simulation.delay(draw());
    const TimeNs sojourn = simulation.now() - *customer.item;
    sojourns.sum_ns += sojourn;
    sojourns.in_system_s.add(seconds(sojourn));
  }
}

/// One process that brings customers, one that serves them, a line between; mean, variance and extremes measured.
template <class Draws>
Sojourns two_processes(Draws draws) {
  Simulation simulation;
  Line line(SIZE_MAX);
  Sojourns sojourns;
  simulation.spawn(bring(simulation, line, draws.arrivals), "arrivals");
  simulation.spawn(serve(simulation, line, draws.services, sojourns), "server");
  simulation.run();
  return sojourns;
}

Process customer(Simulation&, FcfsStation& station, TimeNs service_ns) { co_await station.serve(service_ns); }

template <class Draws>
Process customers(Simulation& simulation, FcfsStation& station, Draws& draws) {
  for (std::uint64_t i = 0; i < kCustomers; ++i) {
    simulation.spawn(customer(simulation, station, draws.services()), "customer");
    co_await simulation.delay(draws.arrivals());
  }
}

/// One process per customer at a station that checks Little's law.
template <class Draws>
double one_process_each() {
  Draws draws;
  Simulation simulation;
  FcfsStation station(simulation, 1);
  simulation.spawn(customers(simulation, station, draws), "arrivals");
  simulation.run();
  return station.statistics().mean_sojourn_s;
}

template <class Draws>
void bench_mm1(const std::string& suffix, double bar) {
  double expected = 0;
  double measured = 0;
  const auto yardstick = [&] { return time_customers(expected, lindley<Draws>); };
  compare(
      "mm1_two_processes" + suffix, "ns/customer", "Lindley recursion", bar, 9,
      [&] {
        return time_customers(measured,
                              [] { return seconds(two_processes(Draws()).sum_ns) / static_cast<double>(kCustomers); });
      },
      yardstick);
  must_equal(measured, expected, "mean time in the system");
  compare(
      "mm1_process_per_customer" + suffix, "ns/customer", "Lindley recursion", 2 * bar, 9,
      [&] { return time_customers(measured, one_process_each<Draws>); }, yardstick);
  must_equal(measured, expected, "mean time in the system");
}

// --- 16 producers, a buffer of 8, one consumer ---

constexpr std::uint32_t kProducers = 16;
constexpr std::size_t kRoom = 8;
constexpr std::uint64_t kBatches = 300'000;
constexpr TimeNs kConsumeNs = 1'000'000;

const Distribution& production() {
  static const Distribution law = Distribution::lognormal(15e-3, 0.533);  // sigma 1/2
  return law;
}

std::vector<KeyedDurations> production_draws() {
  std::vector<KeyedDurations> draws;
  for (std::uint32_t i = 0; i < kProducers; ++i) draws.emplace_back(production(), StreamKey{1, 0, Purpose{1}, i});
  return draws;
}

/// The same as a loop over callbacks with the standard library's heap.
class CallbackBuffer {
 public:
  TimeNs run() {
    for (std::uint32_t i = 0; i < kProducers; ++i) produce(i);
    while (true) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      if (event.who() < kProducers) {
        offer(event.who());
      } else {
        if (++consumed_ == kBatches) return now_;
        consume();
      }
    }
  }

 private:
  struct Event {
    TimeNs at;
    std::uint64_t order;  // sequence and, in the last 8 bits, who
    std::uint32_t who() const { return order & 255; }
    bool operator>(const Event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  void schedule(TimeNs delay_ns, std::uint32_t who) { events_.push(Event{now_ + delay_ns, sequence_++ << 8 | who}); }
  void produce(std::uint32_t who) { schedule(draws_[who](), who); }
  void offer(std::uint32_t who) {
    if (items_ == kRoom) {
      blocked_.push_back(who);
      return;
    }
    ++items_;
    produce(who);
    if (is_idle_) consume();
  }
  void consume() {
    is_idle_ = items_ == 0;
    if (is_idle_) return;
    --items_;
    schedule(kConsumeNs, kProducers);
    if (blocked_.empty()) return;
    ++items_;
    produce(blocked_.pop_front());
  }

  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<KeyedDurations> draws_ = production_draws();
  Ring<std::uint32_t> blocked_;
  TimeNs now_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t consumed_ = 0;
  std::size_t items_ = 0;
  bool is_idle_ = true;
};

Process produce(Simulation& simulation, BoundedBuffer<std::uint32_t>& buffer, KeyedDurations& draw) {
  for (std::uint32_t batch = 0;; ++batch) {
    co_await simulation.delay(draw());
    co_await buffer.put(batch);
  }
}

Process consume(Simulation& simulation, BoundedBuffer<std::uint32_t>& buffer) {
  for (std::uint64_t i = 0; i < kBatches; ++i) {
    co_await buffer.get();
    co_await simulation.delay(kConsumeNs);
  }
  simulation.request_stop();
}

TimeNs process_buffer() {
  std::vector<KeyedDurations> draws = production_draws();
  Simulation simulation;
  BoundedBuffer<std::uint32_t> buffer(kRoom);
  for (KeyedDurations& draw : draws) simulation.spawn(produce(simulation, buffer, draw), "producer");
  simulation.spawn(consume(simulation, buffer), "consumer");
  simulation.run();
  return simulation.now();
}

void bench_buffer() {
  TimeNs end = 0;
  TimeNs expected = 0;
  const auto timed = [](TimeNs& result, auto&& work) {
    const double start = thread_ns();
    result = work();
    return (thread_ns() - start) / static_cast<double>(kBatches);
  };
  compare(
      "bounded_buffer_16_producers", "ns/batch", "callbacks over std::priority_queue", 0.9, 9,
      [&] { return timed(end, process_buffer); },
      [&] { return timed(expected, [] { return CallbackBuffer().run(); }); });
  must_equal(static_cast<double>(end), static_cast<double>(expected), "time of the last batch");
}

// --- replications ---

constexpr std::uint32_t kReplications = 32;

/// Mean times in the system, replication by replication, on that many threads; `busiest_ns` becomes the processor time
/// of the thread with most to do: the time that it would take if every thread had a core of its own.
std::vector<double> replicate(std::size_t threads, double& busiest_ns) {
  tbb::task_arena arena(static_cast<int>(threads));
  std::vector<double> means(kReplications);
  std::vector<double> busy_ns(threads);
  const auto one = [&](std::uint32_t i) {
    const double start = thread_ns();
    means[i] = two_processes(Keyed(i)).in_system_s.mean();
    busy_ns[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())] += thread_ns() - start;
  };
  arena.execute([&] { tbb::parallel_for(std::uint32_t{0}, kReplications, one, tbb::simple_partitioner()); });
  busiest_ns = *std::max_element(busy_ns.begin(), busy_ns.end());
  return means;
}

void bench_replications() {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const auto timed = [](std::size_t threads, std::vector<double>& means) {
    double busiest_ns = 0;
    means = replicate(threads, busiest_ns);
    return busiest_ns / static_cast<double>(kReplications * kCustomers);
  };
  std::vector<double> on_all;
  std::vector<double> on_one;
  const double bar = 1 / (0.95 * static_cast<double>(cores));  // 1.9 times as fast on 2 cores
  compare(
      "mm1_replications_on_" + std::to_string(cores) + "_cores", "ns/customer", "one core", bar, 5,
      [&] { return timed(cores, on_all); }, [&] { return timed(1, on_one); });
  for (std::uint32_t i = 0; i < kReplications; ++i) must_equal(on_all[i], on_one[i], "replications");
}

}  // namespace

int main() {
  interleave_repetitions();
  bench_mm1<Cheap>("", 5.0);
  bench_mm1<Keyed>("_keyed_draws", 5.0);
  bench_buffer();
  bench_replications();
}
