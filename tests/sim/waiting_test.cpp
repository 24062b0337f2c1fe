// Every thing that processes wait for: what it promises, and that it can be torn down at any point in any order.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/fcfs_station.hpp"
#include "sim/gate.hpp"
#include "sim/semaphore.hpp"
#include "sim/shared_station.hpp"
#include "sim/simulation.hpp"
#include "sim/token_bucket.hpp"
#include "tests/stations/barrier.hpp"
#include "tests/stations/bounded_buffer.hpp"
#include "tests/stations/mutex.hpp"

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

using Log = std::vector<TimeNs>;

Process open_at(Simulation& simulation, Gate& gate, TimeNs at) {
  co_await simulation.until(at);
  gate.open();
}

Process pass(Simulation& simulation, Gate& gate, Log& log, TimeNs id) {
  co_await gate.wait();
  log.push_back(id * 100 + simulation.now());
}

Process hold(Simulation& simulation, Semaphore& semaphore, Semaphore::Count count, TimeNs ns, Log& log) {
  co_await semaphore.acquire(count);
  const Semaphore::Permit permit(semaphore, count);
  log.push_back(simulation.now());
  co_await simulation.delay(ns);
}

}  // namespace

TEST_CASE("a gate releases everybody in order of arrival, and an open gate lets through at once") {
  Simulation simulation;
  Gate gate;
  Log log;
  for (TimeNs id : {1, 2, 3}) simulation.spawn(pass(simulation, gate, log, id));
  simulation.spawn(open_at(simulation, gate, 7));
  simulation.run();
  simulation.spawn(pass(simulation, gate, log, 4));
  simulation.run();
  CHECK(log == Log{107, 207, 307, 407});
  gate.close();
  simulation.spawn(pass(simulation, gate, log, 5));
  simulation.run();
  CHECK(gate.has_waiters());
  gate.pulse();
  simulation.run();
  CHECK(log.back() == 507);
  CHECK_FALSE(gate.is_open());
}

TEST_CASE("a semaphore grants first in, first out, and a large request is not overtaken") {
  Simulation simulation;
  Semaphore semaphore(3);
  Log log;
  simulation.spawn(hold(simulation, semaphore, 2, 10, log));  // 0 to 10
  simulation.spawn(hold(simulation, semaphore, 2, 10, log));  // waits for 10
  simulation.spawn(hold(simulation, semaphore, 1, 5, log));   // one token is free, but it waits its turn: 10 to 15
  simulation.run_until(5);
  CHECK(log == Log{0});
  CHECK_FALSE(semaphore.try_acquire());
  simulation.run();
  CHECK(log == Log{0, 10, 10});
  CHECK(semaphore.available() == 3);
}

TEST_CASE("whoever leaves the head of a semaphore's queue lets the next one in") {
  Simulation simulation;
  Semaphore semaphore(1);
  Log log;
  simulation.spawn(hold(simulation, semaphore, 1, 100, log));
  const ProcessId large = simulation.spawn(hold(simulation, semaphore, 5, 1, log));
  simulation.spawn(hold(simulation, semaphore, 0, 1, log));
  simulation.run_until(20);
  simulation.destroy(large);
  simulation.run();
  CHECK(log == Log{0, 20});
  CHECK(semaphore.available() == 1);
}

TEST_CASE("tokens granted to a process that is destroyed before it resumes come back") {
  Simulation simulation;
  Semaphore semaphore(1);
  Log log;
  CHECK(semaphore.try_acquire());
  const ProcessId first = simulation.spawn(hold(simulation, semaphore, 1, 10, log));
  simulation.spawn(hold(simulation, semaphore, 1, 10, log));
  simulation.run_until(5);
  semaphore.release();  // granted to the first, which will resume in the next run
  CHECK(semaphore.available() == 0);
  CHECK_FALSE(simulation.interrupt(first, 1));  // too late: it has what it waited for
  simulation.destroy(first);
  simulation.run();
  CHECK(log == Log{5});
  CHECK(semaphore.available() == 1);
}

TEST_CASE("a mutex admits one at a time and a destroyed holder unlocks it") {
  Simulation simulation;
  Mutex mutex;
  Log log;
  const auto body = [](Simulation& s, Mutex& m, Log& times) -> Process {
    co_await m.lock();
    const Mutex::Lock lock(m);
    times.push_back(s.now());
    co_await s.delay(10);
  };
  const ProcessId first = simulation.spawn(body(simulation, mutex, log));
  simulation.spawn(body(simulation, mutex, log));
  simulation.spawn(body(simulation, mutex, log));
  simulation.run_until(4);
  CHECK(mutex.is_locked());
  simulation.destroy(first);
  simulation.run();
  CHECK(log == Log{0, 4, 14});
  CHECK_FALSE(mutex.is_locked());
  CHECK_THROWS_AS(mutex.unlock(), InternalError);
}

namespace {

struct Meeting {
  std::uint32_t party;
  TimeNs at;
  Barrier::Result result;
};

Process meet(Simulation& simulation, Barrier& barrier, std::uint32_t party, TimeNs period, std::vector<Meeting>& log) {
  for (int round = 0; round < 2; ++round) {
    co_await simulation.delay(period);
    const Barrier::Result result = co_await barrier.arrive(party);
    log.push_back(Meeting{party, simulation.now(), result});
  }
}

}  // namespace

TEST_CASE("a barrier tells the order of arrival and who came last") {
  Simulation simulation;
  Barrier barrier(3);
  std::vector<Meeting> log;
  simulation.spawn(meet(simulation, barrier, 7, 30, log));
  simulation.spawn(meet(simulation, barrier, 8, 10, log));
  simulation.spawn(meet(simulation, barrier, 9, 20, log));
  simulation.run();
  REQUIRE(log.size() == 6);
  const std::uint32_t parties[] = {7, 8, 9, 7, 8, 9};
  const std::uint32_t orders[] = {2, 0, 1, 2, 0, 1};
  const TimeNs waits[] = {0, 20, 10, 0, 20, 10};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(log[i].party == parties[i]);
    CHECK(log[i].at == (i < 3 ? 30 : 60));
    CHECK(log[i].result.order == orders[i]);
    CHECK(log[i].result.last_party == 7);
    CHECK(log[i].result.waited_ns == waits[i]);
  }
}

TEST_CASE("a party that leaves a barrier has not arrived") {
  Simulation simulation;
  Barrier barrier(2);
  std::vector<Meeting> log;
  const ProcessId leaves = simulation.spawn(meet(simulation, barrier, 1, 5, log));
  simulation.run_until(6);
  CHECK(barrier.arrived() == 1);
  simulation.destroy(leaves);
  CHECK(barrier.arrived() == 0);
  simulation.spawn(meet(simulation, barrier, 2, 4, log));
  simulation.spawn(meet(simulation, barrier, 3, 5, log));
  simulation.run();
  REQUIRE(log.size() == 4);
  CHECK(log[0].at == 11);
  CHECK(log[0].result.last_party == 3);
}

namespace {

using Box = std::unique_ptr<int>;

Process produce(Simulation& simulation, BoundedBuffer<Box>& buffer, int count, TimeNs period, Log& log) {
  for (int i = 0; i < count; ++i) {
    co_await simulation.delay(period);
    Box box = std::make_unique<int>(i);
    co_await buffer.put(std::move(box));
    log.push_back(simulation.now());
  }
}

Process consume(Simulation& simulation, BoundedBuffer<Box>& buffer, int count, TimeNs period, Log& log) {
  for (int i = 0; i < count; ++i) {
    Got<Box> got = co_await buffer.get();
    if (!got.item) {
      log.push_back(-static_cast<TimeNs>(got.wait.reason));
      co_return;
    }
    log.push_back(1000 * **got.item + simulation.now());
    co_await simulation.delay(period);
  }
}

}  // namespace

TEST_CASE("a bounded buffer holds back the producer when full and the consumer when empty") {
  Simulation simulation;
  BoundedBuffer<Box> buffer(2);
  Log puts;
  Log gets;
  simulation.spawn(produce(simulation, buffer, 6, 1, puts));
  simulation.spawn(consume(simulation, buffer, 6, 10, gets));
  simulation.run();
  CHECK(gets == Log{1, 1011, 2021, 3031, 4041, 5051});
  CHECK(puts == Log{1, 2, 3, 11, 21, 31});  // two in the buffer, the next waits for a get
  CHECK(buffer.largest_size() == 2);
  CHECK(buffer.size() == 0);
}

TEST_CASE("an item promised to a consumer that is destroyed goes to the next") {
  Simulation simulation;
  BoundedBuffer<Box> buffer(4);
  Log first;
  Log second;
  const ProcessId gone = simulation.spawn(consume(simulation, buffer, 1, 1, first));
  const ProcessId stays = simulation.spawn(consume(simulation, buffer, 2, 1, second));
  simulation.run();
  Box box = std::make_unique<int>(5);
  CHECK(buffer.try_put(box));
  CHECK_FALSE(buffer.try_get().has_value());  // it is promised
  simulation.destroy(gone);
  simulation.run();
  CHECK(first.empty());
  CHECK(second == Log{5000});
  CHECK(simulation.interrupt(stays, 3));
  simulation.run();
  CHECK(second == Log{5000, -3});
}

TEST_CASE("a token bucket is ready at the instant it names and not a nanosecond before") {
  // 3 tokens per second: one every 333,333,333.3 ns.
  TokenBucket bucket(3, 2);
  CHECK(bucket.reserve(0, 2) == 0);
  CHECK(bucket.reserve(0, 1) == 333'333'334);
  CHECK(bucket.reserve(0, 1) == 666'666'667);
  CHECK(bucket.reserve(0, 1) == 1'000'000'000);
  for (std::uint64_t count : {1, 2}) {
    const TimeNs ready = count == 1 ? 333'333'334 : 666'666'667;
    TokenBucket drained(3, 2);
    drained.reserve(0, 2);
    CHECK(drained.available(ready - 1) == count - 1);
    CHECK(drained.available(ready) == count);
  }
}

TEST_CASE("a token bucket loses what overflows, borrows beyond its burst and does not drift") {
  TokenBucket bucket(10, 5);
  CHECK(bucket.reserve(50 * kNanosecondsPerSecond, 5) == 50 * kNanosecondsPerSecond);
  CHECK(bucket.reserve(50 * kNanosecondsPerSecond, 20) == 52 * kNanosecondsPerSecond);
  CHECK(bucket.reserve(51 * kNanosecondsPerSecond, 10) == 53 * kNanosecondsPerSecond);
  CHECK(bucket.available(53 * kNanosecondsPerSecond) == 0);
  TokenBucket steady(7, 1);
  TimeNs now = 0;
  for (int i = 0; i <= 700'000; ++i) now = steady.reserve(now, 1);
  CHECK(now == 100'000 * kNanosecondsPerSecond);
  TokenBucket slow(1, 1, kNever);
  slow.reserve(0, 1);
  CHECK(slow.reserve(0, 5) == kNever);
}

namespace {

Process serve_at(Simulation& simulation, FcfsStation& station, TimeNs at, TimeNs service, std::uint32_t priority,
                 Log& log) {
  co_await simulation.until(at);
  const FcfsStation::Served served = co_await station.serve(service, priority);
  log.push_back(simulation.now() * 1000 + served.queued_ns);
}

}  // namespace

TEST_CASE("a first-come station serves in order on all its servers and measures itself") {
  Simulation simulation;
  FcfsStation station(simulation, 2);
  Log log;
  for (TimeNs at : {0, 1, 2, 3}) simulation.spawn(serve_at(simulation, station, at, 10, 0, log));
  simulation.run_until(20);
  CHECK(log == Log{10'000, 11'000, 20'008});
  simulation.run_until(40);
  CHECK(log.back() == 21'008);
  const StationStatistics s = station.statistics();
  CHECK(s.completions == 4);
  CHECK(s.busy_server_s == Approx(40e-9));
  CHECK(s.utilization == Approx(0.5));
  CHECK(s.mean_in_queue == Approx(16.0 / 40));
  CHECK(s.mean_wait_s == Approx(4e-9));
  CHECK(s.mean_sojourn_s == Approx(14e-9));
  CHECK(s.largest_number == 4);
}

TEST_CASE("priority goes first but does not interrupt a service") {
  Simulation simulation;
  FcfsStation station(simulation, 1, 3);
  Log log;
  simulation.spawn(serve_at(simulation, station, 0, 10, 2, log));
  simulation.spawn(serve_at(simulation, station, 1, 10, 2, log));
  simulation.spawn(serve_at(simulation, station, 2, 10, 0, log));
  simulation.spawn(serve_at(simulation, station, 3, 10, 1, log));
  simulation.run();
  CHECK(log == Log{10'000, 20'008, 30'017, 40'029});
}

TEST_CASE("jobs that leave a first-come station make room, and its measures survive a reset") {
  Simulation simulation;
  FcfsStation station(simulation, 1);
  Log log;
  const ProcessId serving = simulation.spawn(serve_at(simulation, station, 0, 100, 0, log));
  const ProcessId queued = simulation.spawn(serve_at(simulation, station, 0, 100, 0, log));
  simulation.spawn(serve_at(simulation, station, 0, 100, 0, log));
  simulation.run_until(10);
  CHECK(simulation.interrupt(queued, 1));
  simulation.run_until(20);
  CHECK(log == Log{10'010});
  station.reset_statistics();
  simulation.run_until(30);
  simulation.destroy(serving);
  simulation.run();
  CHECK(log == Log{10'010, 130'030});
  const StationStatistics s = station.statistics();
  CHECK(s.withdrawals == 1);
  CHECK(s.utilization == Approx(1.0));
  CHECK(s.mean_in_system == Approx((2 * 10 + 100) / 110.0));
}

// Tear-down: one process per kind of suspension point, each with a rival that makes it wait.
namespace {

struct Everything {
  std::unique_ptr<Simulation> simulation = std::make_unique<Simulation>();
  std::unique_ptr<Gate> gate = std::make_unique<Gate>();
  std::unique_ptr<Semaphore> semaphore = std::make_unique<Semaphore>(1);
  std::unique_ptr<Mutex> mutex = std::make_unique<Mutex>();
  std::unique_ptr<Barrier> barrier = std::make_unique<Barrier>(5);
  std::unique_ptr<BoundedBuffer<Box>> full = std::make_unique<BoundedBuffer<Box>>(1);
  std::unique_ptr<BoundedBuffer<Box>> empty = std::make_unique<BoundedBuffer<Box>>(1);
  std::unique_ptr<FcfsStation> fcfs = std::make_unique<FcfsStation>(*simulation, 1);
  std::unique_ptr<SharedStation> shared = std::make_unique<SharedStation>(*simulation, 2.0, 1.0);
  std::vector<ProcessId> processes;
  int ended = 0;
};

constexpr int kPoints = 10;

Process wait_at(Simulation& simulation, Everything& all, int point) {
  switch (point) {
    case 0:
      co_await simulation.delay(50);
      break;
    case 1:
      co_await all.gate->wait();
      break;
    case 2: {
      co_await all.semaphore->acquire();
      const Semaphore::Permit permit(*all.semaphore);
      co_await simulation.delay(20);
      break;
    }
    case 3: {
      co_await all.mutex->lock();
      const Mutex::Lock lock(*all.mutex);
      co_await simulation.delay(20);
      break;
    }
    case 4:
      co_await all.barrier->arrive(1);
      break;
    case 5: {
      Box box = std::make_unique<int>(1);
      co_await all.full->put(std::move(box));
      break;
    }
    case 6:
      co_await all.empty->get();
      break;
    case 7:
      co_await all.fcfs->serve(20);
      break;
    case 8:
      co_await all.shared->serve(20e-9);
      break;
    default:
      co_await simulation.join(all.processes.front());
      break;
  }
  ++all.ended;
}

/// Three processes at every kind of suspension point, so that some are served and some queue.
std::unique_ptr<Everything> everything() {
  auto all = std::make_unique<Everything>();
  for (int round = 0; round < 3; ++round) {
    for (int point = 0; point < kPoints; ++point) {
      all->processes.push_back(all->simulation->spawn(wait_at(*all->simulation, *all, point), "p"));
    }
  }
  return all;
}

void stir(Everything& all) {
  // Grants that have not been resumed yet: the awkward moment to be destroyed.
  all.gate->pulse();
  Box box = std::make_unique<int>(2);
  all.empty->try_put(box);
  all.full->try_get();
}

}  // namespace

TEST_CASE("processes can be destroyed at every suspension point, in any order") {
  for (TimeNs until : {0, 1, 10, 20, 39, 40, 45}) {
    for (bool stirred : {false, true}) {
      for (std::size_t stride : {1, 7, 11, 13}) {
        auto all = everything();
        all->simulation->run_until(until);
        if (stirred) stir(*all);
        for (std::size_t i = 0; i < all->processes.size(); ++i) {
          all->simulation->destroy(all->processes[i * stride % all->processes.size()]);
        }
        CHECK(all->simulation->live_processes() == 0);
        CHECK(all->simulation->arena().live_frames() == 0);
        all->simulation->run();
        CHECK(all->simulation->pending_events() == 0);
        CHECK(all->semaphore->available() == 1);
        CHECK_FALSE(all->mutex->is_locked());
        CHECK(all->barrier->arrived() == 0);
        CHECK(all->fcfs->statistics().mean_in_system >= 0);
        CHECK(all->fcfs->in_system() == 0);
        CHECK(all->shared->in_service() == 0);
      }
    }
  }
}

TEST_CASE("one process can be destroyed alone at every suspension point while the rest go on") {
  for (std::size_t victim = 0; victim < 3 * kPoints; ++victim) {
    for (TimeNs until : {0, 10, 20, 40}) {
      auto all = everything();
      all->simulation->run_until(until);
      stir(*all);
      all->simulation->destroy(all->processes[victim]);
      all->simulation->run();
      CHECK(all->ended >= 15);
      all->fcfs->statistics();
      all->shared->statistics();
    }
  }
}

TEST_CASE("what processes wait for and the simulation can go down in any order") {
  using Step = std::function<void(Everything&)>;
  const std::vector<Step> steps = {[](Everything& e) { e.simulation.reset(); }, [](Everything& e) { e.gate.reset(); },
                                   [](Everything& e) { e.semaphore.reset(); },  [](Everything& e) { e.mutex.reset(); },
                                   [](Everything& e) { e.barrier.reset(); },    [](Everything& e) { e.full.reset(); },
                                   [](Everything& e) { e.empty.reset(); },      [](Everything& e) { e.fcfs.reset(); },
                                   [](Everything& e) { e.shared.reset(); }};
  for (std::size_t first = 0; first < steps.size(); ++first) {
    for (bool stirred : {false, true}) {
      auto all = everything();
      all->simulation->run_until(25);
      if (stirred) stir(*all);
      for (std::size_t i = 0; i < steps.size(); ++i) steps[(first + i) % steps.size()](*all);
      CHECK(all->simulation == nullptr);
    }
  }
}

TEST_CASE("what processes waited for may go while they live: they wait on until they are destroyed") {
  auto all = everything();
  all->simulation->run_until(5);
  all->gate.reset();
  all->fcfs.reset();
  all->shared.reset();
  all->simulation->run();
  CHECK(all->simulation->live_processes() > 0);
}

TEST_CASE("an interrupt ends a wait at every suspension point") {
  auto all = everything();
  all->simulation->run_until(5);
  std::size_t interrupted = 0;
  for (const ProcessId id : all->processes) interrupted += all->simulation->interrupt(id, 1) ? 1 : 0;
  // All wait but the one that put its item into the free place.
  CHECK(interrupted == 29);
  all->simulation->run_until(5);
  CHECK(all->fcfs->in_system() == 0);
  CHECK(all->shared->in_service() == 0);
  CHECK(all->barrier->arrived() == 0);
}
