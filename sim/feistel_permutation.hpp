// A shuffled order as a function, never as an array: 4.5e9 samples cost no memory and any place is known at once.
// Source: Black and Rogaway, "Ciphers with arbitrary finite domains" (CT-RSA 2002), the generalised Feistel network on
// a x b places, walked (their section 3) where it leaves [0, n). Not for secrets.
#pragma once

#include <array>
#include <cmath>  // std::sqrt only
#include <cstdint>
#include <stdexcept>

#include "sim/random_stream.hpp"

namespace headrace::sim {

/// A keyed bijection of [0, n). Different keys give unrelated orders, the same key and n the same order everywhere.
class FeistelPermutation {
 public:
  /// `key`: take uniform_bits of the stream that names the order (job, epoch). Throws std::invalid_argument unless
  /// 1 <= n <= 2^62.
  FeistelPermutation(std::uint64_t key, std::uint64_t n) : size_(n), rounds_(n < kSmallSize ? kMostRounds : 8) {
    if (n < 1 || n > kLargestSize) throw std::invalid_argument("permutation: the size must be within 1 and 2^62");
    width_ = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
    while (width_ * width_ < n) ++width_;
    height_ = (n + width_ - 1) / width_;
    for (std::uint64_t round = 0; round < rounds_; round += 2) {
      const BitsPair bits = detail::philox(key, round, kRoundKeyTag);
      round_keys_[round] = bits.first;
      round_keys_[round + 1] = bits.second;
    }
  }

  std::uint64_t size() const { return size_; }

  /// The item at place i < size(). width * height < n + sqrt(n) + 1, so that a second walk is rare for large n.
  std::uint64_t operator()(std::uint64_t i) const {
    std::uint64_t place = i;
    do {
      place = encipher(place);
    } while (place >= size_);
    return place;
  }

  /// The place at which item is found: inverse(permutation(i)) == i.
  std::uint64_t inverse(std::uint64_t item) const {
    std::uint64_t place = item;
    do {
      place = decipher(place);
    } while (place >= size_);
    return place;
  }

 private:
  static constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 62;
  /// Halves of a few values mix slowly: with 8 rounds, pairs of 6 items are visibly uneven over keys.
  static constexpr std::uint64_t kSmallSize = 4096;
  static constexpr std::uint64_t kMostRounds = 24;
  static constexpr std::uint64_t kRoundKeyTag = 0x46656973746c6531;  // apart from every index of a stream

  /// A hash of `half` brought into [0, range): the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  static std::uint64_t round_value(std::uint64_t half, std::uint64_t round_key, std::uint64_t range) {
    std::uint64_t z = half * 0x9e3779b97f4a7c15 + round_key;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return static_cast<std::uint64_t>((static_cast<Wide>(z) * range) >> 64);
  }

  static std::uint64_t add_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
    const std::uint64_t sum = a + b;
    return sum >= modulus ? sum - modulus : sum;
  }

  std::uint64_t encipher(std::uint64_t place) const {
    std::uint64_t row = place / width_;
    std::uint64_t column = place - row * width_;
    for (std::uint64_t round = 0; round < rounds_; round += 2) {
      column = add_modulo(column, round_value(row, round_keys_[round], width_), width_);
      row = add_modulo(row, round_value(column, round_keys_[round + 1], height_), height_);
    }
    return row * width_ + column;
  }

  std::uint64_t decipher(std::uint64_t place) const {
    std::uint64_t row = place / width_;
    std::uint64_t column = place - row * width_;
    for (std::uint64_t round = rounds_; round > 0; round -= 2) {
      row = add_modulo(row, height_ - round_value(column, round_keys_[round - 1], height_), height_);
      column = add_modulo(column, width_ - round_value(row, round_keys_[round - 2], width_), width_);
    }
    return row * width_ + column;
  }

  __extension__ typedef unsigned __int128 Wide;

  std::uint64_t size_;
  std::uint64_t rounds_;
  std::uint64_t width_ = 1;
  std::uint64_t height_ = 1;
  std::array<std::uint64_t, kMostRounds> round_keys_{};
};

}  // namespace headrace::sim
