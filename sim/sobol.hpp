// Points that fill the unit cube more evenly than random ones: the net of Sobol', its digits scrambled by a key, so
// that every point is uniform and different keys give unrelated sets. Integers only: the same bits everywhere.
//
// Sources: I. M. Sobol', USSR Comput. Math. Math. Phys. 7(4), 1967; S. Joe, F. Y. Kuo, SIAM J. Sci. Comput. 30, 2008
// (direction numbers, file new-joe-kuo-6); A. B. Owen, 1995 (nested uniform scrambling); B. Burley, Practical
// hash-based Owen scrambling, JCGT 9(4), 2020, with the constants of N. Vegdahl, 2021. Deviations: the order of the
// points is that of the net (no Gray code, no shuffling).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/random_stream.hpp"

namespace headrace::sim {

/// Dimensions with direction numbers. Further ones are a Latin hypercube: stratified alone, not together.
inline constexpr std::size_t kSobolDimensions = 64;

/// `points` points (a power of two, at most 2^20) in `dimensions` dimensions. On every axis that has direction numbers
/// each of the first 2^k points falls into another of its 2^k equal parts.
class SobolPoints {
 public:
  /// The entity of `key` is replaced by the dimension. Throws std::invalid_argument for another number of points.
  SobolPoints(std::size_t points, std::size_t dimensions, StreamKey key);

  std::size_t size() const { return points_; }
  std::size_t dimensions() const { return axes_.size(); }
  /// Coordinate in (0, 1).
  double at(std::size_t point, std::size_t dimension) const;

 private:
  struct Axis {
    std::array<std::uint32_t, 32> directions{};  ///< of the net; unused beyond kSobolDimensions
    std::uint32_t scramble = 0;
    std::vector<std::uint32_t> order;  ///< beyond kSobolDimensions: the part that each point falls into
  };

  std::size_t points_;
  std::vector<Axis> axes_;
};

}  // namespace headrace::sim
