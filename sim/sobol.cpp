#include "sim/sobol.hpp"

#include <bit>
#include <stdexcept>

#include "sim/feistel_permutation.hpp"

namespace headrace::sim {

namespace {

/// A primitive polynomial over GF(2), its coefficients as bits, and the odd numbers that the recursion starts from.
struct Start {
  std::uint32_t polynomial;
  std::uint32_t numbers[9];
};

/// Dimensions 2 to 64; the first one is the radical inverse.
// clang-format off
constexpr Start kStarts[kSobolDimensions - 1] = {
    {3, {1}}, {7, {1, 3}}, {11, {1, 3, 1}}, {13, {1, 1, 1}}, {19, {1, 1, 3, 3}}, {25, {1, 3, 5, 13}},
    {37, {1, 1, 5, 5, 17}}, {41, {1, 1, 5, 5, 5}}, {47, {1, 1, 7, 11, 19}}, {55, {1, 1, 5, 1, 1}},
    {59, {1, 1, 1, 3, 11}}, {61, {1, 3, 5, 5, 31}}, {67, {1, 3, 3, 9, 7, 49}}, {91, {1, 1, 1, 15, 21, 21}},
    {97, {1, 3, 1, 13, 27, 49}}, {103, {1, 1, 1, 15, 7, 5}}, {109, {1, 3, 1, 15, 13, 25}},
    {115, {1, 1, 5, 5, 19, 61}}, {131, {1, 3, 7, 11, 23, 15, 103}}, {137, {1, 3, 7, 13, 13, 15, 69}},
    {143, {1, 1, 3, 13, 7, 35, 63}}, {145, {1, 3, 5, 9, 1, 25, 53}}, {157, {1, 3, 1, 13, 9, 35, 107}},
    {167, {1, 3, 1, 5, 27, 61, 31}}, {171, {1, 1, 5, 11, 19, 41, 61}}, {185, {1, 3, 5, 3, 3, 13, 69}},
    {191, {1, 1, 7, 13, 1, 19, 1}}, {193, {1, 3, 7, 5, 13, 19, 59}}, {203, {1, 1, 3, 9, 25, 29, 41}},
    {211, {1, 3, 5, 13, 23, 1, 55}}, {213, {1, 3, 7, 3, 13, 59, 17}}, {229, {1, 3, 1, 3, 5, 53, 69}},
    {239, {1, 1, 5, 5, 23, 33, 13}}, {241, {1, 1, 7, 7, 1, 61, 123}}, {247, {1, 1, 7, 9, 13, 61, 49}},
    {253, {1, 3, 3, 5, 3, 55, 33}}, {285, {1, 3, 1, 15, 31, 13, 49, 245}}, {299, {1, 3, 5, 15, 31, 59, 63, 97}},
    {301, {1, 3, 1, 11, 11, 11, 77, 249}}, {333, {1, 3, 1, 11, 27, 43, 71, 9}}, {351, {1, 1, 7, 15, 21, 11, 81, 45}},
    {355, {1, 3, 7, 3, 25, 31, 65, 79}}, {357, {1, 3, 1, 1, 19, 11, 3, 205}}, {361, {1, 1, 5, 9, 19, 21, 29, 157}},
    {369, {1, 3, 7, 11, 1, 33, 89, 185}}, {391, {1, 3, 3, 3, 15, 9, 79, 71}}, {397, {1, 3, 7, 11, 15, 39, 119, 27}},
    {425, {1, 1, 3, 1, 11, 31, 97, 225}}, {451, {1, 1, 1, 3, 23, 43, 57, 177}}, {463, {1, 3, 7, 7, 17, 17, 37, 71}},
    {487, {1, 3, 1, 5, 27, 63, 123, 213}}, {501, {1, 1, 3, 5, 11, 43, 53, 133}},
    {529, {1, 3, 5, 5, 29, 17, 47, 173, 479}}, {539, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {545, {1, 1, 1, 5, 17, 39, 23, 5, 343}}, {557, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {563, {1, 1, 1, 11, 11, 17, 63, 105, 183}}, {601, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {607, {1, 1, 5, 15, 19, 45, 41, 7, 383}}, {617, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {623, {1, 1, 1, 3, 23, 15, 111, 223, 83}}, {631, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {637, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
};
// clang-format on

std::array<std::uint32_t, 32> directions_of(std::size_t dimension) {
  std::array<std::uint32_t, 32> numbers{};
  if (dimension == 0) {
    numbers.fill(1);
  } else {
    const Start& start = kStarts[dimension - 1];
    const auto degree = static_cast<unsigned>(std::bit_width(start.polynomial)) - 1;
    for (unsigned j = 0; j < 32; ++j) {
      if (j < degree) {
        numbers[j] = start.numbers[j];
        continue;
      }
      numbers[j] = numbers[j - degree];
      for (unsigned k = 0; k < degree; ++k)
        if ((start.polynomial >> k & 1U) != 0) numbers[j] ^= numbers[j - (degree - k)] << (degree - k);
    }
  }
  for (unsigned j = 0; j < 32; ++j) numbers[j] <<= 31 - j;
  return numbers;
}

std::uint32_t reverse_bits(std::uint32_t x) {
  x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
  x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
  x = (x >> 4 & 0x0f0f0f0fU) | (x & 0x0f0f0f0fU) << 4;
  x = (x >> 8 & 0x00ff00ffU) | (x & 0x00ff00ffU) << 8;
  return x >> 16 | x << 16;
}

/// Flips each digit by a hash of the digits above it: a bijection that keeps every elementary interval an interval.
std::uint32_t owen_scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reverse_bits(x);
  x ^= x * 0x3d20adeaU;
  x += seed;
  x *= (seed >> 16) | 1U;
  x ^= x * 0x05526c56U;
  x ^= x * 0x53a22864U;
  return reverse_bits(x);
}

}  // namespace

SobolPoints::SobolPoints(std::size_t points, std::size_t dimensions, StreamKey key) : points_(points) {
  if (!std::has_single_bit(points) || points > (std::size_t{1} << 20))
    throw std::invalid_argument("Sobol points come in powers of two up to 2^20");
  for (std::size_t d = 0; d < dimensions; ++d) {
    key.entity = static_cast<std::uint32_t>(d);
    const BitsPair bits = uniform_bits_pair(key, 0);
    Axis axis;
    axis.scramble = static_cast<std::uint32_t>(bits.first >> 32);
    if (d < kSobolDimensions) {
      axis.directions = directions_of(d);
    } else {
      const FeistelPermutation order(bits.second, points);
      for (std::size_t i = 0; i < points; ++i) axis.order.push_back(static_cast<std::uint32_t>(order(i)));
    }
    axes_.push_back(std::move(axis));
  }
}

double SobolPoints::at(std::size_t point, std::size_t dimension) const {
  const Axis& axis = axes_[dimension];
  if (!axis.order.empty()) return (axis.order[point] + 0.5) / static_cast<double>(points_);
  std::uint32_t x = 0;
  for (std::size_t rest = point; rest != 0; rest &= rest - 1) x ^= axis.directions[std::countr_zero(rest)];
  return (owen_scrambled(x, axis.scramble) + 0.5) * 0x1p-32;
}

}  // namespace headrace::sim
