// sigma and kappa from throughput over workers: known laws come back, intervals hold them, few points are drawn to what
// is known, and cells become parameters. Curves are drawn from fixed seeds.
#include <cmath>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/calibration/scaling_fit.hpp"
#include "models/calibration/worker_probes.hpp"
#include "models/twins/worker_scaling.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {
namespace {

constexpr sim::Purpose kWorkerNoise{3903};
constexpr ScalingPrior kNothingKnown{};

struct Truth {
  double sigma = 0.0;
  double kappa = 0.0;
  double cores = 0.0;
};

/// 100/s for one, each rate off by a factor exp(noise z).
std::vector<Throughput> drawn_curve(const Truth& truth, const std::vector<double>& workers, double noise,
                                    std::uint64_t seed) {
  std::vector<Throughput> points;
  for (const double n : workers) {
    const double z = sim::normal_quantile(sim::uniform({seed, 0, kWorkerNoise, 0}, points.size()));
    const double running = truth.cores > 0.0 ? std::min(n, truth.cores) : n;
    points.push_back({n, 100.0 * running / twins::usl_slowdown(truth.sigma, truth.kappa, n) * std::exp(noise * z)});
  }
  return points;
}

bool is_within(const FitNumber& number, double truth) { return number.low <= truth && truth <= number.high; }

Cell worker_cell(std::uint64_t threads, double rate, Verdict verdict) {
  Cell cell;
  cell.probe = "workers";
  cell.detail = "jpeg";
  cell.threads = threads;
  cell.estimate = {rate, 0.98 * rate, 1.02 * rate, 5, 5, verdict};
  return cell;
}

}  // namespace

TEST_CASE("sigma and kappa come back from curves without noise") {
  for (const Truth& truth :
       {Truth{0.03, 0.006}, Truth{0.3, 0.05}, Truth{0.0, 0.002}, Truth{1.0, 0.006}, Truth{0.1, 0.0}}) {
    const ScalingFit fit = fit_worker_scaling(drawn_curve(truth, {1, 2, 4, 8, 16, 32}, 0.0, 1), 0.0, kNothingKnown);
    INFO(truth.sigma << " " << truth.kappa);
    CHECK(fit.sigma.value == Approx(truth.sigma).margin(1e-3));
    CHECK(fit.kappa.value == Approx(truth.kappa).margin(1e-5));
    CHECK(fit.rate_of_one_per_s.value == Approx(100.0).epsilon(1e-3));
    CHECK(fit.throughput(24.0) == Approx(2400.0 / twins::usl_slowdown(truth.sigma, truth.kappa, 24.0)).epsilon(1e-3));
    CHECK(is_within(fit.sigma, fit.sigma.value));
    CHECK(is_within(fit.kappa, fit.kappa.value));
  }
}

TEST_CASE("more workers than cores are no contention") {
  const Truth ideal{0.0, 0.0, 2.0};
  const ScalingFit fit = fit_worker_scaling(drawn_curve(ideal, {1, 2, 4}, 0.0, 1), 2.0);
  CHECK(fit.kappa.value < 0.006);
  CHECK(fit.throughput(2.0, 2.0) == Approx(200.0).epsilon(0.02));
  // three points cannot tell a kappa of 0 from the known one: 193.6
  CHECK(fit.throughput(4.0, 2.0) == Approx(200.0).epsilon(0.035));
  const Truth real{0.05, 0.01, 8.0};
  const ScalingFit known = fit_worker_scaling(drawn_curve(real, {1, 2, 4, 8, 16}, 0.0, 1), real.cores, kNothingKnown);
  CHECK(known.sigma.value == Approx(real.sigma).margin(1e-3));
  CHECK(known.kappa.value == Approx(real.kappa).epsilon(0.01));
}

TEST_CASE("intervals hold the law that curves were drawn from", "[statistical]") {
  // 200 curves with 5 % of noise. A 95 % interval holds the truth in 180 or more of them but for one run in 500; that
  // of published scatter beside it makes these wider, so that the seeds here leave room.
  const Truth truth{0.08, 0.006};
  int sigma = 0;
  int kappa = 0;
  constexpr int kCurves = 200;
  for (std::uint64_t seed = 1; seed <= kCurves; ++seed) {
    const ScalingFit fit = fit_worker_scaling(drawn_curve(truth, {1, 2, 4, 8, 16, 32}, 0.05, seed), 0.0, kNothingKnown);
    sigma += is_within(fit.sigma, truth.sigma) ? 1 : 0;
    kappa += is_within(fit.kappa, truth.kappa) ? 1 : 0;
  }
  INFO(sigma << " and " << kappa << " of " << kCurves);
  CHECK(sigma >= 180);
  CHECK(kappa >= 180);
}

TEST_CASE("few workers do not tell kappa: it is drawn to that of other loaders, and its interval says so") {
  const Truth truth{0.05, 0.004};
  double drawn = 0.0;
  double alone = 0.0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<Throughput> few = drawn_curve(truth, {1, 2, 4, 8}, 0.05, seed);
    const ScalingFit with = fit_worker_scaling(few);
    drawn += std::abs(std::log(with.kappa.value / truth.kappa));
    alone += std::abs(std::log(std::max(1e-7, fit_worker_scaling(few, 0.0, kNothingKnown).kappa.value) / truth.kappa));
    CHECK(with.kappa.low < 0.6 * with.kappa.value);
    CHECK(with.kappa.high > 1.5 * with.kappa.value);
  }
  CHECK(drawn < alone / 2.0);
  CHECK(fit_worker_scaling({}).kappa.value == 0.0);
}

TEST_CASE("workers are counted by powers of two up to twice the cores") {
  CHECK(worker_counts(1) == std::vector<unsigned>{1, 2});
  CHECK(worker_counts(2) == std::vector<unsigned>{1, 2, 4});
  CHECK(worker_counts(6) == std::vector<unsigned>{1, 2, 4, 6, 8, 12});
  CHECK(worker_counts(64) == std::vector<unsigned>{1, 2, 4, 8, 16, 32, 64, 128});
}

TEST_CASE("cells of workers become sigma and kappa of host/contention, with intervals") {
  Calibration calibration;
  for (const std::uint64_t n : {1U, 2U, 4U, 8U, 16U})
    calibration.cells.push_back(worker_cell(
        n, 1e6 * std::min(static_cast<double>(n), 8.0) / twins::usl_slowdown(0.06, 0.004, static_cast<double>(n)),
        Verdict::clean));
  const auto fit = fit_workers(calibration.cells, 8);
  REQUIRE(fit.has_value());
  CHECK(fit->family == "usl");
  CHECK(fit->chosen);
  CHECK(fit->count == 25);
  calibration.fits.push_back(*fit);
  add_parameters(calibration, {"storage", "gpus", false});
  const Parameter* sigma = find_parameter(calibration, "host.contention.sigma");
  const Parameter* kappa = find_parameter(calibration, "host.contention.kappa");
  REQUIRE(sigma != nullptr);
  REQUIRE(kappa != nullptr);
  CHECK(sigma->value == Approx(0.06).margin(0.01));
  CHECK(kappa->value == Approx(0.004).epsilon(0.11));  // 0.00441: drawn to the known 0.0058
  CHECK(sigma->low < sigma->high);
  CHECK(kappa->target == "/cluster/pools/gpus/host/contention/kappa");
  CHECK(kappa->verdict == Verdict::clean);
  for (Cell& cell : calibration.cells)
    if (cell.threads > 2) cell.estimate.verdict = Verdict::undetermined;
  const auto too_few = fit_workers(calibration.cells, 8);
  REQUIRE(too_few.has_value());
  CHECK_FALSE(too_few->chosen);
  CHECK(too_few->decision.find("undetermined") != std::string::npos);
  CHECK_FALSE(fit_workers({}, 8).has_value());
}

}  // namespace headrace::models::calibration
