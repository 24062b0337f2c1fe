#include "tests/stations/time_average.hpp"

#include "tests/catch.hpp"

using namespace headrace::sim;

TEST_CASE("the time average of a step function by hand") {
  TimeAverage<> queue;
  queue.set(2, 10);   // 0 for 10 ns
  queue.add(3, 30);   // 2 for 20 ns
  queue.add(-4, 40);  // 5 for 10 ns
  CHECK(queue.level() == 1);
  CHECK(queue.max() == 5);
  CHECK(queue.integral(60) == 110.0);  // and 1 for 20 ns
  CHECK(queue.mean(60) == 110.0 / 60.0);
  CHECK(queue.integral(60) == 110.0);  // asking changes nothing
}

TEST_CASE("changes at one instant count only with the last level") {
  TimeAverage<> level(7, 100);
  level.set(1000, 100);
  level.set(1, 100);
  CHECK(level.mean(100) == 1.0);
  CHECK(level.mean(200) == 1.0);
  CHECK(level.max() == 1000);
}

TEST_CASE("an integer integral is exact beyond 64 bits and however the time is cut") {
  constexpr std::int64_t bytes = 1'000'000'000'000'007;
  constexpr TimeNs day_ns = 86'400 * kNanosecondsPerSecond;
  TimeAverage<> whole(bytes, 0);
  TimeAverage<> cut(bytes, 0);
  for (TimeNs t = 1; t < 1000; ++t) cut.set(bytes, t * 1'234'567'891);
  CHECK(whole.integral(day_ns) == cut.integral(day_ns));
  CHECK(whole.mean(day_ns) == static_cast<double>(bytes));
}

TEST_CASE("a restart forgets the warm-up and keeps the level") {
  TimeAverage<> busy(100, 0);
  busy.set(4, 1000);
  busy.restart(2000);
  CHECK(busy.level() == 4);
  CHECK(busy.max() == 4);
  CHECK(busy.integral(2500) == 2000.0);
}

TEST_CASE("a real level loses nothing visible over many short pieces") {
  TimeAverage<double> rate(1e16, 0);
  rate.set(0.1, 1);
  for (TimeNs t = 2; t <= 1'000'001; ++t) rate.set(0.1, t);
  // Plain summation would drop every 0.1 beside 1e16.
  CHECK(rate.integral(1'000'001) - 1e16 == Approx(1e5).epsilon(1e-4));
}
