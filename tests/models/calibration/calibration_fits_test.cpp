// Laws from measured cells: known stations come back within their intervals, and noise is called noise.
#include <cmath>
#include <string>
#include <vector>

#include "models/calibration/concurrency_fit.hpp"
#include "models/calibration/contention_probes.hpp"
#include "models/calibration/dependence_fit.hpp"
#include "models/calibration/latency_fit.hpp"
#include "models/calibration/nelder_mead.hpp"
#include "models/calibration/noise_fit.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr sim::Purpose kFitNoise{3900};

double normal(std::uint64_t seed, std::uint64_t index) {
  return sim::normal_quantile(sim::uniform({seed, 0, kFitNoise, 0}, index));
}

bool holds(const FitNumber& number, double truth) { return number.low <= truth && truth <= number.high; }

const Fit& of_family(const std::vector<Fit>& fits, const std::string& family) {
  for (const Fit& fit : fits)
    if (fit.family == family) return fit;
  throw std::runtime_error("no fit of " + family);
}

/// Windows of a station that follows the universal scalability law, each off by a factor exp(0.1 z).
std::vector<Throughput> usl_station(std::uint64_t seed) {
  std::vector<Throughput> points;
  std::uint64_t index = 0;
  for (const double n : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0})
    for (int window = 0; window < 5; ++window)
      points.push_back({n, throughput_of("usl", {8400.0, 0.2, 1e-3}, n) * std::exp(0.1 * normal(seed, index++))});
  return points;
}

}  // namespace

TEST_CASE("the simplex finds the valley of Rosenbrock") {
  const Minimum found = nelder_mead(
      [](const std::vector<double>& x) { return 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2); },
      {-1.2, 1.0}, 0.5);
  CHECK(found.at[0] == Approx(1.0).margin(1e-3));
  CHECK(found.at[1] == Approx(1.0).margin(1e-3));
}

TEST_CASE("laws of throughput have the limits that they should") {
  CHECK(throughput_of("min", {10.0, 100.0}, 5) == 50.0);
  CHECK(throughput_of("min", {10.0, 100.0}, 50) == 100.0);
  CHECK(throughput_of("smooth_min", {10.0, 100.0, 50.0}, 1000) == Approx(100.0));
  CHECK(throughput_of("smooth_min", {10.0, 100.0, 1.0}, 10) == Approx(50.0));
  CHECK(throughput_of("amdahl", {10.0, 0.1}, 1e9) == Approx(100.0));
  CHECK(throughput_of("usl", {10.0, 0.0, 0.0}, 7) == Approx(70.0));
  // One customer never waits; many keep the server busy. Two: X = 2 / (Z + D (1 + D / (Z + D))).
  CHECK(throughput_of("mva", {90e-6, 10e-6}, 1) == Approx(1e4));
  CHECK(throughput_of("mva", {90e-6, 10e-6}, 2) == Approx(2.0 / 101e-6));
  CHECK(throughput_of("mva", {90e-6, 10e-6}, 500) == Approx(1e5).epsilon(1e-3));
}

// Every interval holds its truth with 95 %, so that of 100 seeds 95 +- 2.2 do; the seeds are fixed and the bound is the
// one that was asked for. What is tested is the deterministic result of these seeds.
TEST_CASE("a known station is recovered within its intervals", "[statistical][long_1]") {
  int rate_of_one = 0;
  int contention = 0;
  int coherency = 0;
  int chosen = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::vector<Fit> fits = fit_throughput(usl_station(seed), "station");
    const Fit& usl = of_family(fits, "usl");
    REQUIRE(usl.numbers.size() == 3);
    rate_of_one += holds(usl.numbers[0], 8400.0) ? 1 : 0;
    contention += holds(usl.numbers[1], 0.2) ? 1 : 0;
    coherency += holds(usl.numbers[2], 1e-3) ? 1 : 0;
    chosen += usl.chosen ? 1 : 0;
  }
  CHECK(rate_of_one >= 93);
  CHECK(contention >= 93);
  CHECK(coherency >= 93);
  CHECK(chosen >= 99);
}

// Two numbers of each of two laws: 400 intervals, of which 93 % must hold. Over 600 seeds 94.5 to 96.2 % do.
TEST_CASE("stations of the other laws are recovered within their intervals", "[statistical][long_3]") {
  const auto recovered = [](const std::string& family, const std::vector<double>& numbers) {
    int held = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      std::vector<Throughput> points;
      std::uint64_t index = 0;
      for (const double n : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0})
        for (int window = 0; window < 4; ++window)
          points.push_back({n, throughput_of(family, numbers, n) * std::exp(0.1 * normal(seed, index++))});
      const std::vector<Fit> fits = fit_throughput(points, family);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        held += holds(of_family(fits, family).numbers[i], numbers[i]) ? 1 : 0;
    }
    return held;
  };
  CHECK(recovered("amdahl", {11.5e3, 0.1}) + recovered("mva", {90e-6, 11e-6}) >= 372);
}

TEST_CASE("a known log-normal is recovered within its intervals", "[statistical]") {
  int median = 0;
  int sigma = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    LatencyHistogram odd;
    LatencyHistogram even;
    for (std::uint64_t i = 0; i < 4000; ++i)
      (i % 2 == 0 ? odd : even).add(static_cast<std::uint64_t>(60e3 * std::exp(0.4 * normal(seed, i))));
    const std::vector<Fit> fits = fit_latency(odd, even, 0.0, "station", LatencyFamilies::lognormal);
    const Fit& law = of_family(fits, "lognormal");
    median += holds(law.numbers[0], 60.0) ? 1 : 0;
    sigma += holds(law.numbers[1], 0.4) ? 1 : 0;
  }
  CHECK(median >= 93);
  CHECK(sigma >= 93);
}

TEST_CASE("noise without any law is undetermined") {
  int undetermined = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::vector<Throughput> points;
    std::uint64_t index = 0;
    for (const double n : {1.0, 4.0, 16.0, 64.0})
      for (int window = 0; window < 4; ++window) points.push_back({n, 1e4 * std::exp(normal(seed, index++))});
    const std::vector<Fit> fits = fit_throughput(points, "noise");
    const bool none = fits.front().family == "none" && fits.front().decision.rfind("undetermined", 0) == 0;
    for (const Fit& fit : fits) CHECK((!none || !fit.chosen));
    undetermined += none ? 1 : 0;
  }
  CHECK(undetermined >= 40);
  CHECK(fit_throughput({}, "nothing").front().decision.rfind("undetermined", 0) == 0);
}

TEST_CASE("a flat line that does not scatter is a saturated station, not noise") {
  std::vector<Throughput> points;
  for (const double n : {1.0, 4.0, 16.0, 64.0})
    for (int window = 0; window < 4; ++window)
      points.push_back({n, 1e4 * std::exp(0.02 * normal(9, static_cast<std::uint64_t>(n) * 10 + window))});
  const Fit first = fit_throughput(points, "flat").front();
  CHECK(first.chosen);
  CHECK(throughput_of(first.family,
                      {first.numbers[0].value, first.numbers.size() > 1 ? first.numbers[1].value : 0.0,
                       first.numbers.size() > 2 ? first.numbers[2].value : 0.0},
                      64) == Approx(1e4).epsilon(0.05));
}

TEST_CASE("a law stands for latencies only where it is close in the tail too") {
  LatencyHistogram odd;
  LatencyHistogram even;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const double body = 60e3 * std::exp(0.15 * normal(5, i));
    const bool stall = sim::uniform({6, 0, kFitNoise, 0}, i) < 0.004;
    (i % 2 == 0 ? odd : even).add(static_cast<std::uint64_t>(stall ? 4e6 + 100.0 * body : body));
  }
  const std::vector<Fit> fits = fit_latency(odd, even, 0.3, "stalls");
  const Fit& lognormal = of_family(fits, "lognormal");
  CHECK_FALSE(lognormal.chosen);
  CHECK(lognormal.quantile_ratios[2].ratio < 0.2);
  CHECK(fits.front().chosen);
  CHECK((fits.front().family == "empirical" || fits.front().family.rfind("lognormal_mixture", 0) == 0));
  CHECK(of_family(fits, "lognormal_mixture_2").held_out > lognormal.held_out);

  const std::vector<Fit> few = fit_latency(LatencyHistogram{}, LatencyHistogram{}, 0.0, "none");
  CHECK(few.front().decision.rfind("undetermined", 0) == 0);
  CHECK_FALSE(few.front().chosen);
}

TEST_CASE("latencies of each family choose it or one that is as close") {
  LatencyHistogram odd;
  LatencyHistogram even;
  for (std::uint64_t i = 0; i < 20000; ++i)
    (i % 2 == 0 ? odd : even).add(static_cast<std::uint64_t>(300e3 * std::exp(0.5 * normal(12, i))));
  const std::vector<Fit> fits = fit_latency(odd, even, 0.0, "plain");
  CHECK(fits.front().chosen);
  CHECK(fits.front().family != "empirical");
  CHECK(*of_family(fits, "lognormal").ks < 0.02);
  CHECK(*of_family(fits, "gamma").ks > 0.02);
}

TEST_CASE("stretches of stalls are a law of two states, evenness is independence") {
  std::vector<double> even_series;
  std::vector<double> stalls;
  for (std::uint64_t i = 0; i < 400; ++i) {
    even_series.push_back(2000.0 + 20.0 * static_cast<double>(i % 2));
    stalls.push_back(i % 40 < 4 ? 200.0 : 2000.0);
  }
  const Fit two = fit_dependence(stalls, 400, 0.9, "stalls");
  CHECK(two.family == "two_state");
  for (const FitNumber& number : two.numbers) {
    if (number.name == "stalled_share") CHECK(number.value == Approx(0.1));
    if (number.name == "stall_s") CHECK(number.value == Approx(0.2));
    if (number.name == "between_stalls_s") CHECK(number.value == Approx(1.8).epsilon(0.15));
    if (number.name == "stalled_rate_ratio") CHECK(number.value == Approx(0.1));
  }
  CHECK(fit_dependence(even_series, 10, 0.0, "even").family == "independent");
  CHECK(fit_dependence(even_series, 10, 0.5, "even").family == "blocks");
  CHECK(fit_dependence({1.0, 2.0}, 10, 0.0, "short").family == "none");
}

TEST_CASE("noise of independent pieces falls with the root of the length, drift stays in all but the Allan deviation") {
  std::vector<double> independent;
  std::vector<double> drifting;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    independent.push_back(1000.0 * (1.0 + 0.1 * normal(11, i)));
    drifting.push_back(1000.0 + 0.1 * static_cast<double>(i));
  }
  const auto number = [](const Fit& fit, const std::string& name) {
    for (const FitNumber& n : fit.numbers)
      if (n.name == name) return n;
    throw std::runtime_error("no " + name);
  };
  const Fit white = fit_noise(independent, "white");
  CHECK(white.family == "noise");
  // 2000, 400 and 20 windows: the fixed seed lies within the 95 % intervals.
  CHECK(holds(number(white, "cv_0.1s"), 0.1 / std::sqrt(2.0)));
  CHECK(holds(number(white, "allan_0.5s"), 0.1 / std::sqrt(10.0)));
  CHECK(holds(number(white, "cv_10s"), 0.1 / std::sqrt(200.0)));
  const Fit drift = fit_noise(drifting, "drift");
  CHECK(number(drift, "cv_1s").value == Approx(400.0 / std::sqrt(12.0) / 1200.0).epsilon(0.01));
  CHECK(number(drift, "allan_1s").value == Approx(2.0 / std::sqrt(2.0) / 1200.0).epsilon(0.01));
  CHECK(fit_noise({1000.0, 1000.0}, "short").family == "none");
  const Fit brief = fit_noise(std::vector<double>(50, 7.0), "brief");  // 2.5 s: four windows of 0.5 s at most
  CHECK(brief.numbers.size() == 6);
  CHECK(brief.numbers.back().value == 0.0);
}

TEST_CASE("contention is what the other activity takes") {
  const auto cell = [](const char* detail, double value, Verdict verdict) {
    Cell c;
    c.probe = "contention";
    c.detail = detail;
    c.estimate = {value, value / 1.02, value * 1.02, 4, 4, verdict};
    return c;
  };
  const std::vector<Fit> fits =
      fit_contention({cell("read", 26.0, Verdict::clean), cell("read beside copy", 18.5, Verdict::clean),
                      cell("read beside read", 0.0, Verdict::undetermined)});
  REQUIRE(fits.size() == 2);
  CHECK(fits[0].numbers[0].value == Approx(0.4054).epsilon(1e-3));
  CHECK(holds(fits[0].numbers[0], 0.41));
  CHECK_FALSE(fits[1].chosen);
  CHECK(fits[1].decision.rfind("undetermined", 0) == 0);
}

}  // namespace headrace::models::calibration
