#include "sim/simulation.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sim/random_stream.hpp"
#include "sim/tally.hpp"
#include "tests/catch.hpp"
#include "tests/stations/bounded_buffer.hpp"

using namespace headrace::sim;

namespace {

using Log = std::vector<TimeNs>;

void note_time(void* self, std::uint64_t argument) {
  static_cast<Log*>(self)->push_back(static_cast<TimeNs>(argument));
}

Process ticker(Simulation& simulation, Log& log, TimeNs period, int count) {
  for (int i = 0; i < count; ++i) {
    co_await simulation.delay(period);
    log.push_back(simulation.now());
  }
}

StreamKey draws(std::uint32_t replication, std::uint16_t purpose) {
  return StreamKey{.seed = 7, .replication = replication, .purpose = Purpose{purpose}, .entity = 0};
}

Process arrivals(Simulation& simulation, BoundedBuffer<TimeNs>& line, std::uint32_t replication, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    co_await simulation.delay(duration_ns(2 * uniform(draws(replication, 1), i)));
    co_await line.put(simulation.now());
  }
}

Process server(Simulation& simulation, BoundedBuffer<TimeNs>& line, std::uint32_t replication, Tally& sojourns) {
  for (std::uint64_t i = 0;; ++i) {
    const Got<TimeNs> customer = co_await line.get();
    co_await simulation.delay(duration_ns(1.8 * uniform(draws(replication, 2), i)));
    sojourns.add(seconds(simulation.now() - *customer.item));
  }
}

/// Times in a single-server queue with a line of 16.
Tally single_server(std::uint32_t replication, std::uint64_t customers) {
  Simulation simulation;
  BoundedBuffer<TimeNs> line(16);
  Tally sojourns;
  simulation.spawn(arrivals(simulation, line, replication, customers));
  simulation.spawn(server(simulation, line, replication, sojourns));
  simulation.run();
  return sojourns;
}

Process thrower(Simulation& simulation) {
  co_await simulation.delay(5);
  throw std::runtime_error("the disk is on fire");
}

Process sleeper(Simulation& simulation, TimeNs ns, WaitResult& result) { result = co_await simulation.delay(ns); }

std::string error_of(Simulation& simulation) {
  try {
    simulation.run();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("processes and callbacks share the clock in order") {
  Simulation simulation;
  Log log;
  simulation.spawn(ticker(simulation, log, 10, 3), "ticker");
  simulation.schedule_at(15, Action{&note_time, &log, 15});
  simulation.schedule_after(30, Action{&note_time, &log, 99});
  const EventId cancelled = simulation.schedule_at(16, Action{&note_time, &log, 16});
  CHECK(simulation.cancel(cancelled));
  simulation.run();
  CHECK(log == Log{10, 15, 20, 99, 30});
  CHECK(simulation.now() == 30);
  CHECK(simulation.live_processes() == 0);
  CHECK(simulation.events_executed() == 6);
}

TEST_CASE("a run until a horizon includes every event at it and leaves the clock there") {
  Simulation simulation;
  Log log;
  simulation.spawn(ticker(simulation, log, 10, 100), "a");
  simulation.spawn(ticker(simulation, log, 5, 100), "b");
  simulation.run_until(20);
  CHECK(log == Log{5, 10, 10, 15, 20, 20});
  simulation.run_until(24);
  CHECK(simulation.now() == 24);
  CHECK(log.size() == 6);
}

TEST_CASE("until goes on at once for a time that is not in the future") {
  Simulation simulation;
  const auto body = [](Simulation& s, Log& log) -> Process {
    co_await s.until(7);
    log.push_back(s.now());
    co_await s.until(7);
    co_await s.until(3);
    log.push_back(s.now());
  };
  Log log;
  simulation.spawn(body(simulation, log));
  simulation.run();
  CHECK(log == Log{7, 7});
  CHECK(simulation.events_executed() == 2);
}

TEST_CASE("a stop request ends the run after the current event and the next run goes on") {
  Simulation simulation;
  const auto body = [](Simulation& s, Log& log) -> Process {
    for (int i = 0; i < 4; ++i) {
      co_await s.delay(1);
      log.push_back(s.now());
      if (i == 1) s.request_stop();
    }
  };
  Log log;
  simulation.spawn(body(simulation, log));
  simulation.run_until(100);
  CHECK(log == Log{1, 2});
  CHECK(simulation.now() == 2);
  simulation.run();
  CHECK(log == Log{1, 2, 3, 4});
}

TEST_CASE("an exception leaves a process through run, and the rest can go on") {
  Simulation simulation;
  Log log;
  simulation.spawn(thrower(simulation));
  simulation.spawn(ticker(simulation, log, 4, 2));
  CHECK_THROWS_WITH(simulation.run(), "the disk is on fire");
  CHECK(simulation.live_processes() == 1);
  simulation.run();
  CHECK(log == Log{4, 8});
}

TEST_CASE("an interrupt ends a delay with its reason") {
  Simulation simulation;
  WaitResult early;
  WaitResult full;
  const ProcessId first = simulation.spawn(sleeper(simulation, 100, early));
  const ProcessId second = simulation.spawn(sleeper(simulation, 100, full));
  CHECK_FALSE(simulation.interrupt(first, 1));  // it has not started
  simulation.run_until(40);
  CHECK(simulation.interrupt(first, 7));
  CHECK_FALSE(simulation.interrupt(first, 8));  // its wait is over
  simulation.run();
  CHECK(early.interrupted);
  CHECK(early.reason == 7);
  CHECK(full.completed());
  CHECK(simulation.now() == 100);
  CHECK_FALSE(simulation.interrupt(second, 9));
  CHECK_FALSE(simulation.is_alive(first));
}

TEST_CASE("join waits for the end of a process, however it ends") {
  Simulation simulation;
  Log log;
  WaitResult ignored;
  const auto body = [](Simulation& s, Log& times, ProcessId who) -> Process {
    co_await s.join(who);
    times.push_back(s.now());
    co_await s.join(who);  // ended: goes on at once
    times.push_back(s.now());
  };
  const ProcessId normal = simulation.spawn(sleeper(simulation, 30, ignored));
  const ProcessId cancelled = simulation.spawn(sleeper(simulation, 1000, ignored));
  simulation.spawn(body(simulation, log, normal));
  simulation.spawn(body(simulation, log, cancelled));
  simulation.run_until(50);
  CHECK(simulation.destroy(cancelled));
  CHECK_FALSE(simulation.destroy(cancelled));
  simulation.run();
  CHECK(log == Log{30, 30, 50, 50});
}

TEST_CASE("a process cannot destroy itself") {
  Simulation simulation;
  const auto body = [](Simulation& s) -> Process {
    co_await s.delay(1);
    s.destroy(s.current_process());
  };
  simulation.spawn(body(simulation), "lemming", 3);
  CHECK_THROWS_AS(simulation.run(), InternalError);
}

namespace {

struct Counting final : Settler {
  Simulation& simulation;
  std::vector<TimeNs> at;
  int again = 0;
  explicit Counting(Simulation& s) : simulation(s) {}
  void settle(TimeNs now) override {
    at.push_back(now);
    if (again-- > 0) simulation.mark_dirty(*this);
  }
};

Process marker(Simulation& simulation, Counting& settler, TimeNs at) {
  co_await simulation.until(at);
  simulation.mark_dirty(settler);
  simulation.mark_dirty(settler);
}

}  // namespace

TEST_CASE("a dirty settler is called once per instant after its events, and again if it asks") {
  Simulation simulation;
  Counting settler(simulation);
  for (TimeNs at : {10, 10, 10, 20}) simulation.spawn(marker(simulation, settler, at));
  simulation.run_until(15);
  CHECK(settler.at == Log{10});
  settler.again = 2;
  simulation.run();
  CHECK(settler.at == Log{10, 20, 20, 20});
}

TEST_CASE("settlers and timers may go before or after their simulation") {
  auto simulation = std::make_unique<Simulation>();
  auto gone_first = std::make_unique<Counting>(*simulation);
  Counting stays(*simulation);
  Log log;
  auto timer_gone_first = std::make_unique<Timer>(*simulation, Action{&note_time, &log, 1});
  Timer timer_stays(*simulation, Action{&note_time, &log, 2});
  timer_gone_first->set(5);
  timer_stays.set(5);
  simulation->mark_dirty(*gone_first);
  simulation->mark_dirty(stays);
  gone_first.reset();
  timer_gone_first.reset();
  simulation->run();
  CHECK(stays.at == Log{0});
  CHECK(log == Log{2});
  simulation->mark_dirty(stays);
  timer_stays.set(50);
  simulation.reset();
  timer_stays.set(60);
  CHECK(timer_stays.at() == kNever);
}

TEST_CASE("a timer is one entry that moves") {
  Simulation simulation;
  Log log;
  Timer timer(simulation, Action{&note_time, &log, 4});
  timer.set(10);
  timer.set(30);
  timer.set(20);
  CHECK(simulation.pending_events() == 1);
  simulation.run();
  CHECK(simulation.now() == 20);
  CHECK(log == Log{4});
  CHECK(timer.at() == kNever);
  timer.set(40);
  timer.clear();
  CHECK(simulation.pending_events() == 0);
}

TEST_CASE("an instant that never ends is an internal error that names the processes") {
  Simulation simulation;
  const auto spin = [](Simulation& s) -> Process {
    co_await s.delay(3);
    while (true) co_await s.delay(0);
  };
  simulation.spawn(spin(simulation), "spinner", 4);
  const std::string text = error_of(simulation);
  CHECK(text.find("spinner[4]") != std::string::npos);
  CHECK(text.find("at 3 ns") != std::string::npos);
}

TEST_CASE("a settle phase that never ends is an internal error") {
  Simulation simulation;
  Counting settler(simulation);
  settler.again = 1 << 30;
  simulation.mark_dirty(settler);
  CHECK(error_of(simulation).find("settle") != std::string::npos);
}

TEST_CASE("a tie group of 125,000 processes is not an instant that never ends") {
  Simulation simulation;
  Log log;
  for (int i = 0; i < 125'000; ++i) simulation.spawn(ticker(simulation, log, 10, 2));
  simulation.run();
  CHECK(log.size() == 250'000);
  CHECK(simulation.now() == 20);
}

TEST_CASE("a million callbacks at one instant are not an instant that never ends") {
  Simulation simulation;
  Log log;
  for (int i = 0; i < 1'000'000; ++i) simulation.schedule_after(0, Action{&note_time, &log, 0});
  simulation.run();
  CHECK(log.size() == 1'000'000);
}

TEST_CASE("simulations give the same bits one after another and on threads") {
  constexpr std::uint32_t kReplications = 24;
  const auto replicate = [](std::uint32_t threads) {
    std::vector<Tally> sojourns(kReplications);
    std::vector<std::thread> pool;
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      pool.emplace_back([&sojourns, thread, threads] {
        for (std::uint32_t i = thread; i < kReplications; i += threads) sojourns[i] = single_server(i, 2000);
      });
    }
    for (std::thread& thread : pool) thread.join();
    return sojourns;
  };
  const std::vector<Tally> alone = replicate(1);
  CHECK(alone[0].mean() != alone[1].mean());
  for (const std::uint32_t threads : {2u, 3u, 7u}) {
    const std::vector<Tally> together = replicate(threads);
    for (std::uint32_t i = 0; i < kReplications; ++i) {
      CHECK(together[i].count() == alone[i].count());
      CHECK(together[i].mean() == alone[i].mean());
      CHECK(together[i].variance() == alone[i].variance());
    }
  }
}

TEST_CASE("a process that was never spawned may outlive its simulation") {
  Log log;
  auto simulation = std::make_unique<Simulation>();
  // Behind a volatile pointer: clang puts the frame of a process that it sees never to escape on the stack.
  Process (*volatile make)(Simulation&, Log&, TimeNs, int) = &ticker;
  Process never_spawned = make(*simulation, log, 1, 1);
  CHECK(simulation->arena().live_frames() == 1);
  simulation.reset();
  CHECK(log.empty());
}

namespace {

struct Looks {
  std::uint64_t count = 0;
  std::uint64_t last = ~std::uint64_t{0};  ///< the look that throws
  static void look(void* self, std::uint64_t) {
    auto& looks = *static_cast<Looks*>(self);
    if (looks.count++ == looks.last) throw std::runtime_error("looked enough");
  }
};

struct Idle final : Settler {
  void settle(TimeNs) override { ++settled; }
  int settled = 0;
};

}  // namespace

TEST_CASE("a run looks up every so many events, and what it then throws ends it") {
  Simulation simulation;
  Log log;
  Looks looks;
  simulation.look_now_and_then({&Looks::look, &looks, 0});
  simulation.spawn(ticker(simulation, log, 10, static_cast<int>(5 * Simulation::kEventsToLook)));
  simulation.run_until(10 * static_cast<TimeNs>(3 * Simulation::kEventsToLook));
  CHECK(looks.count == 3);
  looks.last = 4;
  CHECK_THROWS_AS(simulation.run(), std::runtime_error);
  CHECK(looks.count == 5);
}

TEST_CASE("a large settle phase looks up, and can be left") {
  std::vector<Idle> settlers(3 * Simulation::kSettlersToLook);
  Simulation simulation;
  Looks looks;
  looks.last = 1;
  simulation.look_now_and_then({&Looks::look, &looks, 0});
  for (Idle& settler : settlers) simulation.mark_dirty(settler);
  Log log;
  simulation.schedule_at(1, {&note_time, &log, 1});
  CHECK_THROWS_AS(simulation.run(), std::runtime_error);
  CHECK(settlers.front().settled == 1);
  CHECK(settlers.back().settled == 0);
}
