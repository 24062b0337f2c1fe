#include "sim/time.hpp"

#include "tests/catch.hpp"

using namespace headrace::sim;

TEST_CASE("durations round to the nearest nanosecond and saturate") {
  CHECK(duration_ns(1.0) == kNanosecondsPerSecond);
  CHECK(duration_ns(0.0) == 0);
  CHECK(duration_ns(-1.0) == 0);
  CHECK(duration_ns(1.4e-9) == 1);
  CHECK(duration_ns(1.6e-9) == 2);
  CHECK(duration_ns(1e300) == kNever);
}

TEST_CASE("transfers round up and never end early") {
  CHECK(transfer_ns(1.0, 1e9) == 1);
  CHECK(transfer_ns(1.5, 1e9) == 2);
  CHECK(transfer_ns(0.0, 1e9) == 0);
  CHECK(transfer_ns(1.0, 0.0) == kNever);
}
