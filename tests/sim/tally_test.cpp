#include "sim/tally.hpp"

#include <cstddef>
#include <limits>
#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

// A fixed, uneven sequence around `offset`.
std::vector<double> uneven(std::size_t n, double offset) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(offset + static_cast<double>((i * i * 7 + 3 * i) % 101) - 17.0);
  return values;
}

Tally tally_of(const std::vector<double>& values, std::size_t from, std::size_t to) {
  Tally tally;
  for (std::size_t i = from; i < to; ++i) tally.add(values[i]);
  return tally;
}

}  // namespace

TEST_CASE("a tally agrees with two passes over the data") {
  const std::vector<double> values = uneven(997, 0.0);
  double sum = 0.0;
  for (const double v : values) sum += v;
  const double mean = sum / 997.0;
  double squares = 0.0;
  for (const double v : values) squares += (v - mean) * (v - mean);

  const Tally tally = tally_of(values, 0, values.size());
  CHECK(tally.count() == 997);
  CHECK(tally.mean() == Approx(mean).epsilon(1e-13));
  CHECK(tally.variance() == Approx(squares / 996.0).epsilon(1e-13));
  CHECK(tally.standard_error() * tally.standard_error() * 997.0 == Approx(tally.variance()).epsilon(1e-13));
  CHECK(tally.min() == -17.0);
  CHECK(tally.max() == 83.0);
}

TEST_CASE("a tally keeps the variance of small differences of large values") {
  const std::vector<double> near = uneven(1000, 0.0);
  const std::vector<double> far = uneven(1000, 1e9);
  // The sum of squares minus the square of the sum would lose every digit here.
  CHECK(tally_of(far, 0, 1000).variance() == Approx(tally_of(near, 0, 1000).variance()).epsilon(1e-7));
}

TEST_CASE("merged tallies equal one tally over everything") {
  const std::vector<double> values = uneven(1000, 5.0);
  const Tally whole = tally_of(values, 0, 1000);
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{333}, std::size_t{1000}}) {
    Tally merged = tally_of(values, 0, cut);
    merged.merge(tally_of(values, cut, 1000));
    CHECK(merged.count() == whole.count());
    CHECK(merged.mean() == Approx(whole.mean()).epsilon(1e-13));
    CHECK(merged.variance() == Approx(whole.variance()).epsilon(1e-13));
    CHECK(merged.min() == whole.min());
    CHECK(merged.max() == whole.max());
  }
}

TEST_CASE("a tally of nothing or of one value has no variance") {
  Tally tally;
  CHECK(tally.count() == 0);
  CHECK(tally.mean() == 0.0);
  CHECK(tally.variance() == 0.0);
  CHECK(tally.min() == std::numeric_limits<double>::infinity());
  tally.add(4.5);
  CHECK(tally.mean() == 4.5);
  CHECK(tally.variance() == 0.0);
  CHECK(tally.standard_error() == 0.0);
  CHECK(tally.min() == 4.5);
  CHECK(tally.max() == 4.5);
}
