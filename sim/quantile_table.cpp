#include "sim/quantile_table.hpp"

#include <cmath>

#include "sim/portable_math.hpp"

namespace headrace::sim {
namespace {

constexpr int kCellBits = 4;  // guide cells per octave, as a power of two
constexpr std::uint64_t kCellsPerTail = static_cast<std::uint64_t>(detail::kOctaves) << kCellBits;

/// Number of the guide cell of u, rising with u.
std::uint64_t cell_of(double u) {
  const double clamped = detail::clamp_probability(u);
  const bool upper = clamped > 0.5;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(upper ? 1.0 - clamped : clamped);
  const std::uint64_t cell = (bits >> (52 - kCellBits)) - (static_cast<std::uint64_t>(1023 - 53) << kCellBits);
  return upper ? 2 * kCellsPerTail - cell : cell;
}

}  // namespace

QuantileTable::QuantileTable(const TailFunction& tail) : pieces_(2 * kPiecesPerTail) {
  fill_tail(tail, false);
  fill_tail(tail, true);
}

void QuantileTable::fill_tail(const TailFunction& tail, bool upper) {
  const std::size_t first = upper ? kPiecesPerTail : 0;
  double v = 0x1p-53;
  TailPoint here = tail(v, upper);
  for (std::size_t i = 0; i + 1 < kPiecesPerTail; ++i) {
    const double next_v = std::bit_cast<double>((kFirstPiece + i + 1) << (52 - kPieceBits));
    TailPoint next = tail(next_v, upper);
    if (upper && i + 2 == kPiecesPerTail) next.value = pieces_[kPiecesPerTail - 1].value;  // one median for both tails
    const double width = upper ? v - next_v : next_v - v;
    const double rise = next.value - here.value;
    const double limit = 3.0 * rise;
    double start_slope = here.slope * width;
    double end_slope = next.slope * width;
    if (upper ? !(start_slope > limit) : !(start_slope < limit)) start_slope = limit;
    if (upper ? !(end_slope > limit) : !(end_slope < limit)) end_slope = limit;
    Piece piece{here.value, start_slope, 3.0 * rise - 2.0 * start_slope - end_slope,
                start_slope + end_slope - 2.0 * rise};
    // The rounded end must not pass the next piece. Far in a tail that falls by many decades a bit of the values is
    // little beside a bit of the slopes: nudges grow after some, or they would never end.
    constexpr int kEqualNudges = 64;
    double nudge = (std::abs(here.value) + std::abs(next.value)) * (upper ? -0x1p-53 : 0x1p-53);
    for (int n = 0; upper ? piece.at(kLastArgument) < next.value : piece.at(kLastArgument) > next.value; ++n) {
      piece.slope -= nudge;
      if (n >= kEqualNudges) nudge *= 2.0;
    }
    pieces_[first + i] = piece;
    v = next_v;
    here = next;
  }
  pieces_[first + kPiecesPerTail - 1] = {here.value, 0.0, 0.0, 0.0};
}

const QuantileTable& normal_quantile_table() {
  static const QuantileTable table([](double v, bool upper) {
    constexpr double kSqrtTwoPi = 0x1.40d931ff62706p+1;
    const double z = normal_quantile(v);
    return TailPoint{upper ? -z : z, kSqrtTwoPi * pexp(0.5 * z * z)};
  });
  return table;
}

KnotTable::KnotTable(const std::vector<QuantilePoint>& points) {
  pieces_.reserve(points.size() + 1);
  const auto add = [this](double start, double end, double value, double end_value) {
    if (end > start) pieces_.push_back({start, 1.0 / (end - start), value, end_value});
  };
  const QuantilePoint& first = points.front();
  const QuantilePoint& last = points.back();
  add(0.0, first.probability, first.value, first.value);
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    add(points[i].probability, points[i + 1].probability, points[i].value, points[i + 1].value);
  }
  add(last.probability, 1.0, last.value, last.value);
  build_guide();
}

void KnotTable::build_guide() {
  guide_.assign(2 * kCellsPerTail + 2, 0);
  std::size_t piece = 0;
  for (std::size_t cell = 0; cell < guide_.size(); ++cell) {
    while (piece + 1 < pieces_.size() && cell_of(pieces_[piece + 1].start) < cell) ++piece;
    guide_[cell] = static_cast<std::uint32_t>(piece);
  }
}

double KnotTable::operator()(double u) const {
  const double clamped = detail::clamp_probability(u);
  const std::uint64_t cell = cell_of(clamped);
  std::size_t low = guide_[cell];
  std::size_t high = guide_[cell + 1] + std::size_t{1};
  while (high - low > 1) {  // the last piece that begins at or before u
    const std::size_t middle = (low + high) / 2;
    (pieces_[middle].start <= clamped ? low : high) = middle;
  }
  const Piece& piece = pieces_[low];
  const double t = (clamped - piece.start) * piece.inverse_width;
  const double value = piece.value + t * (piece.end_value - piece.value);
  return value < piece.end_value ? value : piece.end_value;
}

}  // namespace headrace::sim
