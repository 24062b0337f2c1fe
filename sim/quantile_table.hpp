// Tabulated quantile functions: monotone, without a branch on the random argument, and with the same bits everywhere.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace headrace::sim {

namespace detail {

/// Both tails are cut into octaves of v = min(u, 1 - u), so that the tables resolve 2^-53 as well as the median.
inline constexpr int kOctaves = 52;  // v from 2^-53 to 1/2
inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kMantissaMask = 0x000fffffffffffff;
inline constexpr std::uint64_t kBitsOfOne = 0x3ff0000000000000;

/// Brings u into [2^-53, 1 - 2^-53]; not-a-number becomes the lower end.
inline double clamp_probability(double u) {
  const double raised = u > 0x1p-53 ? u : 0x1p-53;
  return raised < 1.0 - 0x1p-53 ? raised : 1.0 - 0x1p-53;
}

}  // namespace detail

/// Value and |slope| of a quantile function at tail probability v: Q(v), or Q(1 - v) where `upper`.
struct TailPoint {
  double value;
  double slope;
};

/// A smooth quantile function as cubic Hermite pieces, 64 to each octave of v, limited after Fritsch and Carlson (SIAM
/// J. Numer. Anal. 17, 1980) so that every piece rises. 208 KiB, of which about 16 KiB are in daily use.
class QuantileTable {
 public:
  using TailFunction = std::function<TailPoint(double v, bool upper)>;

  /// Calls `tail` for v = 2^-53 upwards to 1/2, first for the lower tail, then for the upper.
  explicit QuantileTable(const TailFunction& tail);

  /// Where u lies, which is the same in every table: whoever asks several tables for the same u finds it once.
  struct Place {
    std::uint16_t piece;
    double t;  ///< from 0 to 1 within the piece
  };

  /// u is brought into [2^-53, 1 - 2^-53].
  static Place place_of(double u) {
    const double below_median = 0.5 - detail::clamp_probability(u);
    const std::uint64_t signed_bits = std::bit_cast<std::uint64_t>(below_median);
    const double v = 0.5 - std::bit_cast<double>(signed_bits & ~detail::kSignBit);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(v);
    const std::uint64_t index =
        (bits >> (52 - kPieceBits)) - kFirstPiece + (signed_bits >> 63) * static_cast<std::uint64_t>(kPiecesPerTail);
    const double t = std::bit_cast<double>((bits << kPieceBits & detail::kMantissaMask) | detail::kBitsOfOne) - 1.0;
    return {static_cast<std::uint16_t>(index), t};
  }

  double at(std::uint16_t piece, double t) const { return pieces_[piece].at(t); }

  /// Q(u); u is brought into [2^-53, 1 - 2^-53].
  double operator()(double u) const {
    const Place place = place_of(u);
    return at(place.piece, place.t);
  }

 private:
  static constexpr int kPieceBits = 6;
  static constexpr std::uint64_t kFirstPiece = static_cast<std::uint64_t>(1023 - 53) << kPieceBits;
  static constexpr std::size_t kPiecesPerTail = (static_cast<std::size_t>(detail::kOctaves) << kPieceBits) + 1;
  static constexpr double kLastArgument = 1.0 - 0x1p-46;  ///< 52 - kPieceBits bits are left for a place in a piece

  struct alignas(32) Piece {
    double value;
    double slope;
    double square;
    double cubic;

    double at(double t) const { return ((cubic * t + square) * t + slope) * t + value; }
  };

  void fill_tail(const TailFunction& tail, bool upper);

  std::vector<Piece> pieces_;
};

/// The standard normal quantile, absolute error below 1e-9, monotone (unlike AS 241) and about five times as fast.
const QuantileTable& normal_quantile_table();

/// A point of a quantile function: Q(probability) = value.
struct QuantilePoint {
  double probability;
  double value;
};

/// A quantile function straight between given points, with jumps (equal probabilities) and flat parts (equal values).
/// Below the first point and above the last it is constant. About 10 ns per value, whatever the number of points.
class KnotTable {
 public:
  /// `points`: both members non-decreasing, probabilities within [0, 1], at least one point.
  explicit KnotTable(const std::vector<QuantilePoint>& points);

  /// Q(u); u is brought into [2^-53, 1 - 2^-53].
  double operator()(double u) const;

 private:
  struct Piece {
    double start;  ///< probability at which the piece begins
    double inverse_width;
    double value;
    double end_value;
  };

  void build_guide();

  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> guide_;  ///< per cell of u: the last piece that begins before the cell
};

}  // namespace headrace::sim
