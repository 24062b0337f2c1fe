// Published curves of throughput over workers, and the laws that are held against them: the universal scalability law
// with and without a prior, Amdahl's law, the exponent b^beta, a straight line, the last value. Arithmetic on published
// figures: nothing is drawn. Rows and sources: tests/validation/data/README.md.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/calibration/scaling_fit.hpp"

namespace headrace::scaling_curves {

using models::calibration::ScalingPrior;
using models::calibration::Throughput;
using Rates = std::vector<Throughput>;
using Law = std::function<double(double workers)>;

inline constexpr ScalingPrior kNoPrior{};
/// kappa nailed to nothing.
inline constexpr ScalingPrior kAmdahl{1e-7, 100.0};

struct Curve {
  std::string name;
  std::string kind;
  double batch_bytes = 0.0;
  Rates rates;
};

/// 17 curves of SPDL's documentation with 1 to 32 workers.
std::vector<Curve> spdl_curves();
/// 17 curves of PRESTO with 1 to 8 threads.
std::vector<Curve> presto_curves();
/// Curves of a preset; those of processes only where batches of 32 are handed over.
std::vector<const Curve*> curves_of(const std::vector<Curve>& all, const std::string& kind, double batch_bytes);
Rates up_to(const Rates& rates, double most);

/// Absolute relative errors.
struct CurveErrors {
  std::vector<double> all;
  void add(double modelled, double measured);
  void add(const Law& law, const Rates& rates, double above = 0.0);
  void add(const CurveErrors& other) { all.insert(all.end(), other.all.begin(), other.all.end()); }
  double mean() const;
  double median() const;
};

Law scaling(const Rates& rates, const ScalingPrior& prior);
/// The older law, X = lambda N^(1 - beta) with 0 <= beta <= 1: a line through the logarithms.
Law exponent(const Rates& rates);
/// X = lambda N, least squares of the logarithm.
Law straight_line(const Rates& rates);
/// That of the most workers.
Law last_value(const Rates& rates);

/// sigma and kappa common to curves of different rates: least squares of the logarithm.
std::pair<double, double> common_law(const std::vector<const Curve*>& curves, bool with_kappa);
/// kappa of each curve, fitted to all of it.
std::vector<double> kappas(const std::vector<Curve>& curves);
/// Median of kappa without one curve, or without two.
double median_without(const std::vector<double>& kappa, std::size_t left_out, std::size_t also);

/// 16 and 32 workers from up to 8, with a prior from other curves.
class Extrapolation {
 public:
  explicit Extrapolation(const std::vector<Curve>& curves) : curves_(curves), kappa_(kappas(curves)) {}

  /// Centre and weight come from the other curves alone; the weight is the one that serves those best.
  CurveErrors left_out(std::size_t i);
  const CurveErrors& errors(std::size_t i, const ScalingPrior& prior);

 private:
  const std::vector<Curve>& curves_;
  std::vector<double> kappa_;
  std::map<std::tuple<std::size_t, double, double>, CurveErrors> known_;
};

/// Each curve from its rate of one worker and the law of the others.
struct LeftOut {
  CurveErrors scaling, amdahl, linear;
};
LeftOut leave_one_out(const std::vector<const Curve*>& curves);

}  // namespace headrace::scaling_curves
