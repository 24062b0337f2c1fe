#include "models/calibration/nelder_mead.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headrace::models::calibration {
namespace {

using Point = std::vector<double>;
using Function = std::function<double(const Point&)>;

/// a + t (b - a)
Point between(const Point& a, const Point& b, double t) {
  Point result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] + t * (b[i] - a[i]);
  return result;
}

class Simplex {
 public:
  Simplex(const Function& f, const Point& start, double step) : f_(f) {
    corners_.push_back(evaluated(start));
    for (std::size_t i = 0; i < start.size(); ++i) {
      Point moved = start;
      moved[i] += step;
      corners_.push_back(evaluated(std::move(moved)));
    }
  }

  Minimum run(int most_evaluations) {
    while (evaluations_ < most_evaluations) {
      std::sort(corners_.begin(), corners_.end(), [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
      const double spread = corners_.back().value - corners_.front().value;
      if (spread <= 1e-12 * (std::abs(corners_.front().value) + 1e-12)) break;
      move();
    }
    return *std::min_element(corners_.begin(), corners_.end(),
                             [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
  }

 private:
  Minimum evaluated(Point point) {
    ++evaluations_;
    const double value = f_(point);
    return {std::move(point), std::isfinite(value) ? value : std::numeric_limits<double>::max()};
  }

  void move() {
    Point centre(corners_.front().at.size(), 0.0);
    for (std::size_t c = 0; c + 1 < corners_.size(); ++c)
      for (std::size_t i = 0; i < centre.size(); ++i)
        centre[i] += corners_[c].at[i] / static_cast<double>(corners_.size() - 1);
    Minimum& worst = corners_.back();
    Minimum reflected = evaluated(between(centre, worst.at, -1.0));
    if (reflected.value < corners_.front().value) {
      Minimum expanded = evaluated(between(centre, worst.at, -2.0));
      worst = expanded.value < reflected.value ? expanded : reflected;
    } else if (reflected.value < corners_[corners_.size() - 2].value) {
      worst = reflected;
    } else {
      Minimum contracted = evaluated(between(centre, reflected.value < worst.value ? reflected.at : worst.at, 0.5));
      if (contracted.value < std::min(worst.value, reflected.value))
        worst = contracted;
      else
        shrink();
    }
  }

  void shrink() {
    for (std::size_t c = 1; c < corners_.size(); ++c)
      corners_[c] = evaluated(between(corners_.front().at, corners_[c].at, 0.5));
  }

  const Function& f_;
  std::vector<Minimum> corners_;
  int evaluations_ = 0;
};

}  // namespace

Minimum nelder_mead(const Function& f, const Point& start, double step, int most_evaluations) {
  const Minimum first = Simplex(f, start, step).run(most_evaluations / 2);
  return Simplex(f, first.at, 0.3 * step).run(most_evaluations / 2);
}

}  // namespace headrace::models::calibration
