// Prefetch twins against each other and against queues with the same law.
#include <cmath>
#include <stdexcept>

#include "tests/catch.hpp"
#include "tests/twins/finite_queues.hpp"
#include "tests/twins/prefetch_queue.hpp"

namespace twins = headrace::models::twins;

TEST_CASE("a constant producer idles the GPU only when it is the slower one") {
  CHECK(twins::prefetch_one_producer(0.85, 0.0, 1.0, 2).idle_fraction == 0.0);
  CHECK(twins::prefetch_one_producer(1.25, 0.0, 1.0, 2).idle_fraction == Approx(0.2).epsilon(1e-12));
}

TEST_CASE("one producer: flow balance of the limits") {
  // A producer slower than the GPU: with a deep buffer idle tends to 1 - Tc/E[X], from above.
  const double floor = 1.0 - 1.0 / 1.25;
  double last = 1.0;
  for (int slots : {0, 1, 2, 4, 8, 16, 32}) {
    const double idle = twins::prefetch_one_producer(1.25, 0.5, 1.0, slots).idle_fraction;
    CHECK(idle <= last + 1e-9);
    CHECK(idle >= floor - 1e-6);
    last = idle;
  }
  CHECK(last == Approx(floor).epsilon(1e-6));
}

TEST_CASE("one producer: the answer depends on ratios only") {
  const auto a = twins::prefetch_one_producer(0.85, 1.0, 1.0, 4);
  const auto b = twins::prefetch_one_producer(0.17, 1.0, 0.2, 4);
  CHECK(a.idle_fraction == Approx(b.idle_fraction).epsilon(1e-10));
  CHECK(a.empty_probability == Approx(b.empty_probability).epsilon(1e-10));
}

TEST_CASE("one exponential producer and a constant GPU is M/D/1/K seen from the other side") {
  // Tokens of free places arrive, each is served in an exponential time: idle = blocking complement of the dual.
  for (int slots : {0, 1, 2, 4, 8}) {
    const double batch = 0.85;
    // Work flows from a producer that never starves while a place is free: the GPU is the constant server of a queue
    // whose Poisson source stops when slots + 1 batches and the one in service are there: M/D/1/(slots + 2).
    const auto dual = twins::md1k(1.0 / batch, 1.0, slots + 2);
    CHECK(twins::prefetch_phase_type(1, batch, 1.0, 1.0, slots).idle_fraction ==
          Approx(dual.empty_probability).epsilon(1e-9));
  }
}

TEST_CASE("both exponential is M/M/1/K") {
  for (int slots : {0, 3, 16}) {
    CHECK(twins::prefetch_exponential_idle(0.85, slots) ==
          Approx(twins::mm1k(1.0 / 0.85, 1.0, slots + 2).empty_probability).epsilon(1e-12));
  }
  CHECK(twins::prefetch_exponential_idle(1.0, 3) == Approx(1.0 / 6.0).epsilon(1e-12));
}

TEST_CASE("the phase-type chain keeps the producers' flow") {
  // Saturated producers: the GPU takes N/E[X] batches per second once the buffer is deep, so idle = 1 - N Tc/E[X].
  CHECK(twins::prefetch_phase_type(4, 5.0, 1.0, 1.0, 40).idle_fraction == Approx(0.2).epsilon(1e-6));
  CHECK(twins::prefetch_phase_type(4, 5.0, 2.0, 1.0, 120).idle_fraction == Approx(0.2).epsilon(1e-3));
  // More variation, more idle.
  CHECK(twins::prefetch_phase_type(4, 3.4, 2.0, 1.0, 4).idle_fraction >
        twins::prefetch_phase_type(4, 3.4, 1.0, 1.0, 4).idle_fraction);
}

TEST_CASE("emptiness and idle are different quantities, and the folklore formula is neither") {
  const auto exact = twins::prefetch_one_producer(0.85, 2.0, 1.0, 4);
  CHECK(exact.idle_fraction > 2.0 * exact.empty_probability);
  CHECK(twins::folklore_empty_probability(0.85, 4) == Approx(0.0783).epsilon(1e-3));
  // Same formula for a variation of .3, where the truth is five orders of magnitude smaller.
  CHECK(twins::prefetch_one_producer(0.85, 0.3, 1.0, 4).idle_fraction < 1e-6);
}

TEST_CASE("the two-moment rule stays within its stated error") {
  for (int slots : {1, 2, 4, 8}) {
    const double exact = twins::prefetch_one_producer(0.85, 1.0, 1.0, slots).idle_fraction;
    CHECK(std::abs(twins::prefetch_two_moment_idle(0.85, 1.0, slots) / exact - 1.0) < 0.3);
  }
}

TEST_CASE("what the prefetch twins cannot solve they refuse") {
  CHECK_THROWS_AS(twins::prefetch_one_producer(0.0, 1.0, 1.0, 1), std::invalid_argument);
  CHECK_THROWS_AS(twins::prefetch_one_producer(1.0, 1.0, 1.0, 257), std::invalid_argument);
  CHECK_THROWS_AS(twins::prefetch_phase_type(8, 6.8, 0.5, 1.0, 2), std::invalid_argument);
}
