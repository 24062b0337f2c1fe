// V11 of docs/validation.md: throughput over workers. 17 curves of SPDL's documentation with 1 to 32 workers, 17 of
// PRESTO with 1 to 8 threads. How well the universal scalability law fits them, what it says of 16 and 32 workers from
// up to 8, and what the presets of the catalogue say of a curve that they were not fitted to. Arithmetic on published
// figures: nothing is drawn, so that nothing fails by chance. With --success the tables are printed.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/twins/worker_scaling.hpp"
#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/twins/scaling.hpp"
#include "tests/validation/worker_curves.hpp"

namespace headrace::scaling_curves {
namespace {

using models::calibration::fit_worker_scaling;
using models::calibration::kWorkerPrior;
using models::calibration::ScalingFit;

nlohmann::json preset(const char* name) {
  const std::string text =
      testing::file_text(std::string(HEADRACE_SOURCE_DIR) + "/scenarios/catalogue/contention.json");
  return nlohmann::json::parse(text)["entries"][name];
}

}  // namespace

TEST_CASE("V11: the universal scalability law fits published curves within 4 %", "[validation]") {
  const std::vector<Curve> spdl = spdl_curves();
  const std::vector<Curve> presto = presto_curves();
  REQUIRE(spdl.size() == 17);
  REQUIRE(presto.size() == 17);
  CurveErrors of_spdl;
  CurveErrors of_presto;
  CurveErrors exponent_spdl;
  CurveErrors exponent_presto;
  for (const Curve& curve : spdl) {
    const ScalingFit fit = fit_worker_scaling(curve.rates, 0.0, kNoPrior);
    INFO(curve.name << ": sigma " << fit.sigma.value << " [" << fit.sigma.low << ", " << fit.sigma.high << "], kappa "
                    << fit.kappa.value << " [" << fit.kappa.low << ", " << fit.kappa.high << "], rms "
                    << fit.rms_log_error);
    CHECK(fit.rms_log_error < 0.13);
    of_spdl.add(scaling(curve.rates, kNoPrior), curve.rates);
    exponent_spdl.add(exponent(curve.rates), curve.rates);
  }
  for (const Curve& curve : presto) {
    of_presto.add(scaling(curve.rates, kNoPrior), curve.rates);
    exponent_presto.add(exponent(curve.rates), curve.rates);
  }
  CurveErrors all = of_spdl;
  all.add(of_presto);
  INFO("median: all " << all.median() << ", SPDL " << of_spdl.median() << ", PRESTO " << of_presto.median()
                      << "; exponent: SPDL " << exponent_spdl.median() << ", PRESTO " << exponent_presto.median());
  CHECK(all.median() < 0.04);
  CHECK(of_spdl.median() < 0.03);
  CHECK(of_presto.median() < 0.04);
  CHECK(exponent_spdl.median() > 0.15);
}

TEST_CASE("V11: 16 and 32 workers from up to 8, constants from the other curves", "[validation]") {
  const std::vector<Curve> curves = spdl_curves();
  Extrapolation extrapolation(curves);
  CurveErrors drawn;
  CurveErrors plain;
  CurveErrors older;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    drawn.add(extrapolation.left_out(i));
    plain.add(extrapolation.errors(i, kNoPrior));
    older.add(exponent(up_to(curves[i].rates, 8)), curves[i].rates, 8);
  }
  INFO("median, mean: drawn to the others " << drawn.median() << ", " << drawn.mean() << "; least squares alone "
                                            << plain.median() << ", " << plain.mean() << "; exponent " << older.median()
                                            << ", " << older.mean());
  CHECK(drawn.median() < 0.15);  // 15 % was aimed at
  CHECK(drawn.mean() < 0.16);
  CHECK(plain.median() > 0.15);
  CHECK(older.median() > 0.7);
  // The constants that calibrate uses are those of all curves.
  CHECK(median_without(kappas(curves), 99, 99) == Approx(kWorkerPrior.kappa).epsilon(0.02));
}

TEST_CASE("V11: 8 threads from up to 4, in a publication that no constant was chosen on", "[validation]") {
  CurveErrors drawn;
  CurveErrors plain;
  CurveErrors older;
  CurveErrors amdahl;
  for (const Curve& curve : presto_curves()) {
    const Rates few = up_to(curve.rates, 4);
    drawn.add(scaling(few, kWorkerPrior), curve.rates, 4);
    plain.add(scaling(few, kNoPrior), curve.rates, 4);
    older.add(exponent(few), curve.rates, 4);
    amdahl.add(scaling(few, kAmdahl), curve.rates, 4);
  }
  INFO("median: drawn " << drawn.median() << ", least squares alone " << plain.median() << ", exponent "
                        << older.median() << ", Amdahl " << amdahl.median());
  CHECK(drawn.median() < plain.median());
  CHECK(drawn.median() < older.median());
  CHECK(drawn.median() < 0.12);
  CHECK(amdahl.median() < drawn.median());  // these curves hardly bend within 8 threads
}

TEST_CASE("V11: the presets are the fits of their curves, and what they say of another curve", "[validation]") {
  const std::vector<Curve> all = spdl_curves();
  struct Judged {
    const char* name;
    const char* kind;
    double batch_bytes;
    double at_most;  ///< median error of a curve that is left out
  };
  constexpr double kBatchOf32 = 32 * 3 * 224 * 224;
  for (const Judged& judged : {Judged{"torch_processes", "processes", kBatchOf32, 0.15},
                               Judged{"threads", "threads", 0.0, 0.27}, Judged{"gil_bound", "gil", 0.0, 0.11}}) {
    const std::vector<const Curve*> curves = curves_of(all, judged.kind, judged.batch_bytes);
    const auto [sigma, kappa] = common_law(curves, true);
    const nlohmann::json entry = preset(judged.name);
    const double per_byte = entry.contains("kappa_per_byte") ? entry["kappa_per_byte"]["value"].get<double>() : 0.0;
    const LeftOut left_out = leave_one_out(curves);
    INFO(judged.name << ": sigma " << sigma << ", kappa " << kappa << "; left out: " << left_out.scaling.median()
                     << ", Amdahl " << left_out.amdahl.median() << ", linear " << left_out.linear.median());
    CHECK(entry["sigma"]["value"].get<double>() == Approx(sigma).epsilon(0.02));
    CHECK(entry["kappa"]["value"].get<double>() + per_byte * judged.batch_bytes == Approx(kappa).epsilon(0.03));
    CHECK(left_out.scaling.median() < judged.at_most);
    CHECK(left_out.scaling.median() < left_out.linear.median() / 2.0);
  }
}

TEST_CASE("V11: kappa by bytes: one figure for it, one curve against it", "[validation]") {
  const nlohmann::json entry = preset("torch_processes");
  const double sigma = entry["sigma"]["value"];
  const double per_byte = entry["kappa_per_byte"]["value"];
  const auto kappa = [&](double bytes) { return entry["kappa"]["value"].get<double>() + per_byte * bytes; };
  // Batches of 256 images: the maximum is at 8 workers.
  CHECK(models::twins::usl_peak(sigma, kappa(256 * 3 * 224 * 224)) == Approx(8.0).epsilon(0.02));
  // Batches of 32 images as floats, which no constant came from: too slow beyond 8 workers.
  for (const Curve& curve : spdl_curves()) {
    if (curve.name != "multi_thread_preprocessing_plot, PyTorch: batch; normalize") continue;
    CurveErrors by_bytes;
    CurveErrors without;
    const auto law = [&](double bytes) {
      return [&, bytes](double n) {
        return curve.rates.front().rate_per_s * n / models::twins::usl_slowdown(sigma, kappa(bytes), n);
      };
    };
    by_bytes.add(law(curve.batch_bytes), curve.rates, 1);
    without.add(law(32 * 3 * 224 * 224), curve.rates, 1);
    INFO("with the bytes of its batches " << by_bytes.median() << ", as for uint8 " << without.median());
    CHECK(by_bytes.median() > without.median());
    CHECK(by_bytes.median() < 0.4);
  }
}

}  // namespace headrace::scaling_curves
