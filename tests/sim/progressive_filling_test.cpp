#include "tests/stations/progressive_filling.hpp"

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

TEST_CASE("weights by hand: one link, then two") {
  // 12 among weights 1 and 3, and a cap of 2 for the third: 2, then 10 over 4.
  const auto one = progressive_filling({12.0}, {{{0}, 100.0, 1.0}, {{0}, 100.0, 3.0}, {{0}, 2.0, 8.0}});
  CHECK(one == std::vector<double>{2.5, 7.5, 2.0});
  // Links of 6 and 10; the long flow has weight 2, the short ones 1. The first link: 4 and 2; the second is left
  // with 6.
  const auto two = progressive_filling({6.0, 10.0}, {{{0, 1}, 100.0, 2.0}, {{0}, 100.0, 1.0}, {{1}, 100.0, 1.0}});
  CHECK(two[0] == Approx(4.0));
  CHECK(two[1] == Approx(2.0));
  CHECK(two[2] == Approx(6.0));
}

TEST_CASE("strict priority by hand: a class fills what the one above leaves") {
  // The high flow takes 4 of 10, whatever the weights below; the others divide 6 by 1 to 2.
  const auto one = progressive_filling({10.0}, {{{0}, 4.0, 1.0, 1}, {{0}, 100.0, 1.0}, {{0}, 100.0, 2.0}});
  CHECK(one[0] == 4.0);
  CHECK(one[1] == Approx(2.0));
  CHECK(one[2] == Approx(4.0));
  // Two links: the high flow is held to 3 by the second, so that the low one on the first has 7, not 5.
  const auto two =
      progressive_filling({10.0, 3.0}, {{{0, 1}, 100.0, 1.0, 2}, {{0}, 100.0, 1.0, 1}, {{1}, 9.0, 1.0, 0}});
  CHECK(two == std::vector<double>{3.0, 7.0, 0.0});
}

TEST_CASE("no flows and unknown links") {
  CHECK(progressive_filling({1.0}, {}).empty());
  CHECK_THROWS_AS(progressive_filling({1.0}, {{{1}}}), InternalError);
}
