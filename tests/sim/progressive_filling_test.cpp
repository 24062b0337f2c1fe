#include "sim/progressive_filling.hpp"

#include "sim/assert.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

TEST_CASE("one link shares what small caps leave") {
  const auto rates = progressive_filling({10.0}, {{{0}, 1.0}, {{0}, 2.0}, {{0}, 9.0}, {{0}, 9.0}});
  CHECK(rates == std::vector<double>{1.0, 2.0, 3.5, 3.5});
}

TEST_CASE("parking lot: the long flow and the short ones split every link") {
  // Bertsekas & Gallager, fig. 6.16 in spirit: one flow over three links, one short flow on each.
  const auto rates = progressive_filling({1.0, 2.0, 4.0}, {{{0, 1, 2}}, {{0}}, {{1}}, {{2}}});
  CHECK(rates[0] == 0.5);
  CHECK(rates[1] == 0.5);
  CHECK(rates[2] == 1.5);
  CHECK(rates[3] == 3.5);
}

TEST_CASE("routes that are not a tree: a triangle of links") {
  const auto rates = progressive_filling({6.0, 3.0, 9.0}, {{{0, 1}}, {{1, 2}}, {{2, 0}}, {{2}}});
  CHECK(rates[0] == Approx(1.5));
  CHECK(rates[1] == Approx(1.5));
  CHECK(rates[2] == Approx(3.75));
  CHECK(rates[3] == Approx(3.75));
}

TEST_CASE("infinite links limit nobody, and a flow without any limit is infinite") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto rates = progressive_filling({inf, 4.0}, {{{0}, 7.0}, {{0}}, {{0, 1}}, {{}}});
  CHECK(rates == std::vector<double>{7.0, inf, 4.0, inf});
}

TEST_CASE("no flows and unknown links") {
  CHECK(progressive_filling({1.0}, {}).empty());
  CHECK_THROWS_AS(progressive_filling({1.0}, {{{1}}}), InternalError);
}
