#include "tests/validation/worker_curves.hpp"

#include <algorithm>
#include <cmath>

#include "models/calibration/nelder_mead.hpp"
#include "models/twins/worker_scaling.hpp"
#include "tests/validation/csv_rows.hpp"

namespace headrace::scaling_curves {

using models::calibration::fit_worker_scaling;

namespace {

constexpr double kWeights[] = {0.02, 0.03, 0.05, 0.07, 0.1, 0.14, 0.2};

}  // namespace

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

std::vector<const Curve*> curves_of(const std::vector<Curve>& all, const std::string& kind, double batch_bytes) {
  std::vector<const Curve*> chosen;
  for (const Curve& curve : all)
    if (curve.kind == kind && (batch_bytes == 0.0 || curve.batch_bytes == batch_bytes)) chosen.push_back(&curve);
  return chosen;
}

Rates up_to(const Rates& rates, double most) {
  Rates few;
  for (const Throughput& point : rates)
    if (point.concurrency <= most) few.push_back(point);
  return few;
}

void CurveErrors::add(double modelled, double measured) { all.push_back(std::abs(modelled / measured - 1.0)); }

void CurveErrors::add(const Law& law, const Rates& rates, double above) {
  for (const Throughput& point : rates)
    if (point.concurrency > above) add(law(point.concurrency), point.rate_per_s);
}

double CurveErrors::mean() const {
  double sum = 0.0;
  for (const double error : all) sum += error;
  return sum / static_cast<double>(all.size());
}

double CurveErrors::median() const {
  std::vector<double> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  return 0.5 * (sorted[sorted.size() / 2] + sorted[(sorted.size() - 1) / 2]);
}

Law scaling(const Rates& rates, const ScalingPrior& prior) {
  return [fit = fit_worker_scaling(rates, 0.0, prior)](double workers) { return fit.throughput(workers); };
}

Law exponent(const Rates& rates) {
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

Law straight_line(const Rates& rates) {
  double mean_log = 0.0;
  for (const Throughput& p : rates)
    mean_log += std::log(p.rate_per_s / p.concurrency) / static_cast<double>(rates.size());
  return [slope = std::exp(mean_log)](double workers) { return slope * workers; };
}

Law last_value(const Rates& rates) {
  return [last = rates.back().rate_per_s](double) { return last; };
}

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

std::vector<double> kappas(const std::vector<Curve>& curves) {
  std::vector<double> all;
  for (const Curve& curve : curves)
    all.push_back(std::max(1e-5, fit_worker_scaling(curve.rates, 0.0, kNoPrior).kappa.value));
  return all;
}

double median_without(const std::vector<double>& kappa, std::size_t left_out, std::size_t also) {
  std::vector<double> others;
  for (std::size_t i = 0; i < kappa.size(); ++i)
    if (i != left_out && i != also) others.push_back(kappa[i]);
  std::sort(others.begin(), others.end());
  return std::sqrt(others[others.size() / 2] * others[(others.size() - 1) / 2]);
}

CurveErrors Extrapolation::left_out(std::size_t i) {
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

const CurveErrors& Extrapolation::errors(std::size_t i, const ScalingPrior& prior) {
  const auto [found, fresh] = known_.try_emplace({i, prior.kappa, prior.weight});
  if (fresh) found->second.add(scaling(up_to(curves_[i].rates, 8), prior), curves_[i].rates, 8);
  return found->second;
}

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

}  // namespace headrace::scaling_curves
