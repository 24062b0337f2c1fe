// V11 of docs/validation.md: throughput over workers. 17 curves of SPDL's documentation with 1 to 32 workers, 17 of
// PRESTO with 1 to 8 threads. How well the universal scalability law fits them, what it says of 16 and 32 workers from
// up to 8, and what the presets of the catalogue say of a curve that they were not fitted to. Arithmetic on published
// figures: nothing is drawn, so that nothing fails by chance. With --success the tables are printed.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/calibration/nelder_mead.hpp"
#include "models/calibration/scaling_fit.hpp"
#include "models/twins/worker_scaling.hpp"
#include "tests/catch.hpp"
#include "tests/validation/csv_rows.hpp"

namespace headrace::scaling_curves {
namespace {

using models::calibration::fit_worker_scaling;
using models::calibration::kWorkerPrior;
using models::calibration::ScalingFit;
using models::calibration::ScalingPrior;
using models::calibration::Throughput;
using Rates = std::vector<Throughput>;

constexpr ScalingPrior kNoPrior{};

struct Curve {
  std::string name;
  std::string kind;
  double batch_bytes = 0.0;
  Rates rates;
};

std::vector<Curve> spdl_curves() {
  std::vector<Curve> curves;
  for (const std::vector<std::string>& cells : testing::csv_rows("spdl_scaling.csv")) {
    const std::string name = cells[0] + ", " + cells[1];
    if (curves.empty() || curves.back().name != name) curves.push_back({name, cells[2], std::stod(cells[3]), {}});
    curves.back().rates.push_back({std::stod(cells[4]), std::stod(cells[5])});
  }
  return curves;
}

std::vector<Curve> presto_curves() {
  std::map<std::string, Curve> curves;
  const auto add = [&curves](const std::string& name, const std::string& threads, const std::string& rate) {
    curves[name].name = name;
    curves[name].rates.push_back({std::stod(threads), std::stod(rate)});
  };
  for (const std::vector<std::string>& cells : testing::csv_rows("presto_imagenet.csv"))
    if (cells[2] == "8000") add(cells[0], cells[1], cells[3]);
  for (const std::vector<std::string>& cells : testing::csv_rows("presto_synthetic.csv"))
    add("synthetic " + cells[0] + " MB", cells[2], cells[3]);
  std::vector<Curve> all;
  for (auto& [name, curve] : curves) all.push_back(std::move(curve));
  return all;
}

Rates up_to(const Rates& rates, double most) {
  Rates few;
  for (const Throughput& point : rates)
    if (point.concurrency <= most) few.push_back(point);
  return few;
}

/// Absolute relative errors.
struct CurveErrors {
  std::vector<double> all;
  void add(double modelled, double measured) { all.push_back(std::abs(modelled / measured - 1.0)); }
  void add(const std::function<double(double)>& law, const Rates& rates, double above = 0.0) {
    for (const Throughput& point : rates)
      if (point.concurrency > above) add(law(point.concurrency), point.rate_per_s);
  }
  void add(const CurveErrors& other) { all.insert(all.end(), other.all.begin(), other.all.end()); }
  double mean() const {
    double sum = 0.0;
    for (const double error : all) sum += error;
    return sum / static_cast<double>(all.size());
  }
  double median() const {
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    return 0.5 * (sorted[sorted.size() / 2] + sorted[(sorted.size() - 1) / 2]);
  }
};

std::function<double(double)> scaling(const Rates& rates, const ScalingPrior& prior) {
  return [fit = fit_worker_scaling(rates, 0.0, prior)](double workers) { return fit.throughput(workers); };
}

/// The older law, X = lambda N^(1 - beta) with 0 <= beta <= 1: a line through the logarithms.
std::function<double(double)> exponent(const Rates& rates) {
  double x = 0.0;
  double y = 0.0;
  const auto n = static_cast<double>(rates.size());
  for (const Throughput& p : rates) {
    x += std::log(p.concurrency) / n;
    y += std::log(p.rate_per_s) / n;
  }
  double xy = 0.0;
  double xx = 0.0;
  for (const Throughput& p : rates) {
    xy += (std::log(p.concurrency) - x) * (std::log(p.rate_per_s) - y);
    xx += (std::log(p.concurrency) - x) * (std::log(p.concurrency) - x);
  }
  const double slope = std::clamp(xy / xx, 0.0, 1.0);
  return [=](double workers) { return std::exp(y + slope * (std::log(workers) - x)); };
}

/// sigma and kappa common to curves of different rates: least squares of the logarithm.
std::pair<double, double> common_law(const std::vector<const Curve*>& curves, bool with_kappa) {
  const auto values = [&](const std::vector<double>& at) {
    return std::pair{std::min(1.0, std::exp(std::min(at[0], 3.0))), with_kappa ? std::exp(std::min(at[1], 0.0)) : 0.0};
  };
  const auto squares = [&](const std::vector<double>& at) {
    const auto [sigma, kappa] = values(at);
    double sum = 1e-12 * at[0] * at[0];
    for (const Curve* curve : curves) {
      double first = 0.0;
      double second = 0.0;
      for (const Throughput& p : curve->rates) {
        const double off =
            std::log(p.rate_per_s / p.concurrency * models::twins::usl_slowdown(sigma, kappa, p.concurrency));
        first += off;
        second += off * off;
      }
      sum += second - first * first / static_cast<double>(curve->rates.size());
    }
    return sum;
  };
  models::calibration::Minimum best;
  bool any = false;
  for (const double sigma : {-5.0, -2.5, -1.0, 0.0})
    for (const double kappa : {-9.0, -7.0, -5.0, -3.0}) {
      std::vector<double> start{sigma};
      if (with_kappa) start.push_back(kappa);
      models::calibration::Minimum found = models::calibration::nelder_mead(squares, start, 0.5);
      if (!any || found.value < best.value) best = std::move(found);
      any = true;
    }
  return values(best.at);
}

/// kappa of each curve, fitted to all of it.
std::vector<double> kappas(const std::vector<Curve>& curves) {
  std::vector<double> all;
  for (const Curve& curve : curves)
    all.push_back(std::max(1e-5, fit_worker_scaling(curve.rates, 0.0, kNoPrior).kappa.value));
  return all;
}

/// Median of kappa without one curve, or without two.
double median_without(const std::vector<double>& kappa, std::size_t left_out, std::size_t also) {
  std::vector<double> others;
  for (std::size_t i = 0; i < kappa.size(); ++i)
    if (i != left_out && i != also) others.push_back(kappa[i]);
  std::sort(others.begin(), others.end());
  return std::sqrt(others[others.size() / 2] * others[(others.size() - 1) / 2]);
}

constexpr double kWeights[] = {0.02, 0.03, 0.05, 0.07, 0.1, 0.14, 0.2};

/// 16 and 32 workers from up to 8, with a prior from other curves.
class Extrapolation {
 public:
  explicit Extrapolation(const std::vector<Curve>& curves) : curves_(curves), kappa_(kappas(curves)) {}

  /// Centre and weight come from the other curves alone; the weight is the one that serves those best.
  CurveErrors left_out(std::size_t i) {
    double best_weight = 0.0;
    double least = 1e9;
    for (const double weight : kWeights) {
      CurveErrors others;
      for (std::size_t j = 0; j < curves_.size(); ++j)
        if (j != i) others.add(errors(j, {median_without(kappa_, i, j), weight}));
      if (others.mean() >= least) continue;
      least = others.mean();
      best_weight = weight;
    }
    return errors(i, {median_without(kappa_, i, i), best_weight});
  }

  const CurveErrors& errors(std::size_t i, const ScalingPrior& prior) {
    const auto [found, fresh] = known_.try_emplace({i, prior.kappa, prior.weight});
    if (fresh) found->second.add(scaling(up_to(curves_[i].rates, 8), prior), curves_[i].rates, 8);
    return found->second;
  }

 private:
  const std::vector<Curve>& curves_;
  std::vector<double> kappa_;
  std::map<std::tuple<std::size_t, double, double>, CurveErrors> known_;
};

nlohmann::json preset(const char* name) {
  const std::string text =
      testing::file_text(std::string(HEADRACE_SOURCE_DIR) + "/scenarios/catalogue/contention.json");
  return nlohmann::json::parse(text)["entries"][name];
}

/// Curves of a preset; those of processes only where batches of 32 are handed over.
std::vector<const Curve*> curves_of(const std::vector<Curve>& all, const std::string& kind, double batch_bytes) {
  std::vector<const Curve*> chosen;
  for (const Curve& curve : all)
    if (curve.kind == kind && (batch_bytes == 0.0 || curve.batch_bytes == batch_bytes)) chosen.push_back(&curve);
  return chosen;
}

/// Each curve from its rate of one worker and the law of the others.
struct LeftOut {
  CurveErrors scaling, amdahl, linear;
};

LeftOut leave_one_out(const std::vector<const Curve*>& curves) {
  LeftOut errors;
  for (const Curve* curve : curves) {
    std::vector<const Curve*> others = curves;
    std::erase(others, curve);
    const double one = curve->rates.front().rate_per_s;
    const auto predicted = [one](std::pair<double, double> law) {
      return [=](double n) { return one * n / models::twins::usl_slowdown(law.first, law.second, n); };
    };
    errors.scaling.add(predicted(common_law(others, true)), curve->rates, 1);
    errors.amdahl.add(predicted(common_law(others, false)), curve->rates, 1);
    errors.linear.add(predicted({0.0, 0.0}), curve->rates, 1);
  }
  return errors;
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
    amdahl.add(scaling(few, {1e-7, 100.0}), curve.rates, 4);  // kappa nailed to nothing
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
