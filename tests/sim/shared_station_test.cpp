#include "sim/shared_station.hpp"

#include <algorithm>
#include <vector>

#include "sim/random_stream.hpp"
#include "sim/simulation.hpp"

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

using Log = std::vector<TimeNs>;

Process job(Simulation& simulation, SharedStation& station, TimeNs at, double work, TimeNs& end) {
  co_await simulation.until(at);
  co_await station.serve(work);
  end = simulation.now();
}

struct Arriving {
  double at_s;
  double work;
};

/// Ends of `jobs` in seconds.
Log ends_of(double capacity, double cap, const std::vector<Arriving>& jobs) {
  Simulation simulation;
  SharedStation station(simulation, capacity, cap);
  Log ends(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    simulation.spawn(job(simulation, station, duration_ns(jobs[i].at_s), jobs[i].work, ends[i]));
  }
  simulation.run();
  CHECK(station.statistics().completions == jobs.size());
  return ends;
}

/// The end of every job by following each job's remaining work from one arrival or end to the next, in exact arithmetic
/// up to rounding of long double; no rounding to the clock.
std::vector<long double> oracle(double capacity, double cap, const std::vector<Arriving>& jobs) {
  std::vector<long double> left(jobs.size());
  std::vector<long double> ends(jobs.size(), -1);
  std::vector<bool> present(jobs.size(), false);
  long double now = 0;
  std::size_t arrived = 0;
  std::size_t n = 0;
  while (arrived < jobs.size() || n > 0) {
    const long double rate = n == 0 ? 0 : std::min<long double>(cap, static_cast<long double>(capacity) / n);
    std::size_t first = jobs.size();
    for (std::size_t i = 0; i < arrived; ++i) {
      if (present[i] && (first == jobs.size() || left[i] < left[first])) first = i;
    }
    const long double end = n == 0 ? 1e18L : now + left[first] / rate;
    const bool is_arrival = arrived < jobs.size() && jobs[arrived].at_s <= end;
    const long double next = is_arrival ? jobs[arrived].at_s : end;
    for (std::size_t i = 0; i < arrived; ++i) left[i] -= present[i] ? rate * (next - now) : 0;
    now = next;
    if (is_arrival) {
      left[arrived] = jobs[arrived].work;
      present[arrived++] = true;
      ++n;
    } else {
      present[first] = false;
      ends[first] = now;
      --n;
    }
  }
  return ends;
}

}  // namespace

TEST_CASE("processor sharing of three jobs that start together") {
  CHECK(ends_of(1, 1, {{0, 1}, {0, 2}, {0, 3}}) == Log{3'000'000'000, 5'000'000'000, 6'000'000'000});
}

TEST_CASE("processor sharing of jobs that come one after the other") {
  CHECK(ends_of(10, 10, {{0, 10}, {0.5, 10}, {1.0, 2}}) == Log{1'700'000'000, 2'200'000'000, 1'600'000'000});
  // A cap above the capacity changes nothing.
  CHECK(ends_of(10, 1000, {{0, 10}, {0.5, 10}, {1.0, 2}}) == Log{1'700'000'000, 2'200'000'000, 1'600'000'000});
}

TEST_CASE("a capped job runs no faster than its cap and slower only when the capacity is short") {
  // Four servers: with two jobs each has its own, with eight each has half of one.
  CHECK(ends_of(4, 1, {{0, 1}, {0.25, 1}}) == Log{1'000'000'000, 1'250'000'000});
  CHECK(ends_of(4, 1, std::vector<Arriving>(8, Arriving{0, 1})) == Log(8, 2'000'000'000));
}

TEST_CASE("a job that always ran at its cap ends exactly at start + ceil(work / cap)") {
  const StreamKey key{.seed = 11, .purpose = Purpose{1}};
  std::vector<Arriving> jobs;
  double at_s = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const UniformPair u = uniform_pair(key, i);
    at_s += 1e-7 * u.first;
    jobs.push_back(Arriving{at_s, 3e-7 * u.second});
  }
  const Log ends = ends_of(1e6, 1, jobs);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    wrong += ends[i] != duration_ns(jobs[i].at_s) + transfer_ns(jobs[i].work, 1);
  }
  CHECK(wrong == 0);
}

TEST_CASE("no job of a shared station ends early, and none more than its roundings late") {
  const StreamKey key{.seed = 12, .purpose = Purpose{1}};
  for (std::uint64_t round = 0; round < 40; ++round) {
    std::vector<Arriving> jobs;
    double at_s = 0;
    for (std::uint64_t i = 0; i < 60; ++i) {
      const UniformPair u = uniform_pair(key, round * 1000 + i);
      at_s += 1e-3 * u.first;
      jobs.push_back(Arriving{seconds(duration_ns(at_s)), 8e-3 * u.second});
    }
    const double capacity = 1.0 + static_cast<double>(round % 7);
    const Log ends = ends_of(capacity, 1.5, jobs);
    const std::vector<long double> exact = oracle(capacity, 1.5, jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const long double late_ns = static_cast<long double>(ends[i]) - exact[i] * 1e9L;
      CHECK(late_ns >= -1e-3L);
      CHECK(late_ns <= 61.0L);  // each end before it may have occupied the station for up to a nanosecond too long
    }
  }
}

TEST_CASE("jobs with callbacks, cancelled jobs and an empty job") {
  Simulation simulation;
  SharedStation station(simulation, 1, 1);
  Log log;
  struct Sink {
    Simulation& simulation;
    Log& log;
    static void done(void* self, std::uint64_t tag) {
      Sink& sink = *static_cast<Sink*>(self);
      sink.log.push_back(static_cast<TimeNs>(tag) * 1000 + sink.simulation.now());
    }
  } sink{simulation, log};
  station.start(10e-9, Action{&Sink::done, &sink, 1});
  const SharedStation::JobId cancelled = station.start(10e-9, Action{&Sink::done, &sink, 2});
  station.start(0, Action{&Sink::done, &sink, 3});
  simulation.run_until(10);
  CHECK(station.in_service() == 2);
  CHECK(station.cancel(cancelled));
  CHECK_FALSE(station.cancel(cancelled));
  simulation.run();
  CHECK(log == Log{3000, 1015});  // 5 of 10 ns done by 10, then alone
  const StationStatistics s = station.statistics();
  CHECK(s.completions == 2);
  CHECK(s.withdrawals == 1);
  CHECK(s.utilization == Approx(1.0));
  CHECK(s.busy_server_s == Approx(15e-9));
}

TEST_CASE("an interrupted or destroyed job leaves its share to the others") {
  Simulation simulation;
  SharedStation station(simulation, 1, 1);
  TimeNs first = -1;
  TimeNs second = -1;
  TimeNs third = -1;
  const ProcessId interrupted = simulation.spawn(job(simulation, station, 0, 30e-9, first));
  const ProcessId destroyed = simulation.spawn(job(simulation, station, 0, 30e-9, second));
  simulation.spawn(job(simulation, station, 0, 30e-9, third));
  simulation.run_until(30);
  CHECK(simulation.interrupt(interrupted, 1));
  simulation.destroy(destroyed);
  simulation.run();
  CHECK(first == 30);
  CHECK(second == -1);
  CHECK(third == 50);
}
