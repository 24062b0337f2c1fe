// Which inputs move an output: the share of its variance that is owed to each input alone, from one set of points that
// fill the cube of inputs. No runs beside those points are needed.
//
// Sources: I. M. Sobol', Math. Comput. Simul. 55, 2001 (first-order indices); B. Sudret, Reliab. Eng. Syst. Safety 93,
// 2008 (the indices from orthogonal polynomials); G. Blatman, B. Sudret, Prob. Eng. Mech. 25, 2010, and C. B. Storlie,
// J. C. Helton, Reliab. Eng. Syst. Safety 93, 2008 (terms chosen one after the other: with few points and many inputs,
// projections on single inputs take chance for effect); J. Chen, Z. Chen, Biometrika 95, 2008 (extended BIC, which ends
// the choice); M. B. Giles, Acta Numerica 24, 2015 (a cheap answer at many points as a control). Deviations: none.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace headrace::sim {

/// Legendre polynomials of every input at every point, with mean square 1 over the cube.
class InputBasis {
 public:
  static constexpr std::size_t kDegrees = 4;

  /// `u(point, input)`: coordinates, uniform on (0, 1).
  InputBasis(std::size_t points, std::size_t inputs, const std::function<double(std::size_t, std::size_t)>& u);

  std::size_t points() const { return points_; }
  std::size_t inputs() const { return inputs_; }
  /// Polynomial number `degree` - 1 of an input at the first points.
  std::span<const double> column(std::size_t input, std::size_t degree) const {
    return std::span<const double>(values_).subspan((input * kDegrees + degree - 1) * points_, points_);
  }

 private:
  std::size_t points_;
  std::size_t inputs_;
  std::vector<double> values_;
};

/// An output at the first points of a basis and, optionally, a cheap stand-in at all of them. The stand-in is used
/// where it correlates with the output.
struct Response {
  std::span<const double> y;
  std::span<const double> control = {};
};

struct Effects {
  double variance = 0.0;       ///< of the output
  std::vector<double> shares;  ///< per input, 0 to 1; their sum falls short of 1 by what inputs do together
};

/// First-order shares, by polynomials up to degree 4 (fewer than 256 points: 2). All 0 for a constant output.
/// Throws std::invalid_argument for more values than the basis has points.
Effects first_order_effects(const Response& response, const InputBasis& basis);

/// Quantile p of the output, straight between order statistics at (i + 1/2) / n; corrected by the stand-in.
double quantile_over_points(const Response& response, double p);

}  // namespace headrace::sim
