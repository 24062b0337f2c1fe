// A Gaussian process over the coordinates of a space, for what simulation adds to a flow bound: the logarithm of
// simulated over bounded step time. It knows where the bound is tight, so few points teach it much.
//
// Sources: C. Rasmussen, C. Williams, Gaussian Processes for Machine Learning, 2006 (equations 2.22 to 2.26, 5.8);
// J. Nelder, R. Mead, Comput. J. 7, 1965. Deviation: hyper-parameters are kept in a box, so that a few points do not
// make the process sure of itself.
#pragma once

#include <memory>
#include <vector>

namespace headrace::scenarios {

struct GapSample {
  std::vector<double> at;
  double gap = 0.0;    ///< log(simulated / bounded)
  double error = 0.0;  ///< standard error of the gap
};

struct GapPrediction {
  double mean = 0.0;
  double deviation = 0.0;
};

class GapSurrogate {
 public:
  /// Fits Matern 5/2 with a length for each axis by maximum likelihood. At least two samples.
  explicit GapSurrogate(const std::vector<GapSample>& samples);
  ~GapSurrogate();
  GapSurrogate(const GapSurrogate&) = delete;
  GapSurrogate& operator=(const GapSurrogate&) = delete;

  GapPrediction at(const std::vector<double>& coordinates) const;

 private:
  struct Fit;
  std::unique_ptr<Fit> fit_;
};

}  // namespace headrace::scenarios
