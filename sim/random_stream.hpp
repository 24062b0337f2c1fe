// Keyed random numbers: a draw is a pure function of (seed, replication, purpose, entity, index), so that the draw for
// node 7, worker 3, batch 41 is the same whatever happened before it, on whichever thread. Philox2x64-10 of Salmon,
// Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), in the authors' Random123.
#pragma once

#include <Random123/philox.h>

#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace headrace::sim {

/// What a stream of draws is for; every model defines constants of its own: `inline constexpr Purpose kDecode{12};`.
/// 12 bits; two purposes in one simulation must differ.
enum class Purpose : std::uint16_t {};

/// Names one stream. The map from (seed, replication, purpose, entity, index) to the generator's input is injective.
struct StreamKey {
  std::uint64_t seed = 0;
  std::uint32_t replication = 0;  ///< below 2^20
  Purpose purpose{};              ///< below 2^12
  std::uint32_t entity = 0;       ///< node, worker, link, ...
};

struct BitsPair {
  std::uint64_t first;
  std::uint64_t second;
};

struct UniformPair {
  double first;
  double second;
};

/// (2 j + 1) 2^-53 for the top 52 bits j: never 0, 1/2 or 1, and 1 - u is exact, so u and 1 - u are antithetic.
inline double uniform_of(std::uint64_t bits) {
  return (std::bit_cast<double>((bits >> 12) | 0x3ff0000000000000) - 1.0) + 0x1p-53;
}

namespace detail {
[[noreturn]] inline void reject_key() {
  throw std::out_of_range("random stream: replication must be below 2^20 and purpose below 2^12");
}

/// The counter's upper word without the entity. A key out of range would repeat another stream: it is refused.
inline std::uint64_t upper_word(const StreamKey& key) {
  const auto purpose = static_cast<std::uint64_t>(key.purpose);
  if ((key.replication >> 20 | purpose >> 12) != 0) [[unlikely]]
    reject_key();
  return static_cast<std::uint64_t>(key.replication) << 44 | purpose << 32;
}

inline BitsPair philox(std::uint64_t seed, std::uint64_t index, std::uint64_t upper) {
  const philox2x64_ctr_t block = philox2x64_R(10, philox2x64_ctr_t{{index, upper}}, philox2x64_key_t{{seed}});
  return {block.v[0], block.v[1]};
}
}  // namespace detail

/// The 128 bits of block `index`. Throws std::out_of_range for a key that does not fit (as all functions here do).
inline BitsPair uniform_bits_pair(const StreamKey& key, std::uint64_t index) {
  return detail::philox(key.seed, index, detail::upper_word(key) | key.entity);
}

/// 64 random bits: the first half of block `index`.
inline std::uint64_t uniform_bits(const StreamKey& key, std::uint64_t index) {
  return uniform_bits_pair(key, index).first;
}

/// Uniform on (0, 1) from the first half of block `index`; the same number as uniform_pair(...).first.
inline double uniform(const StreamKey& key, std::uint64_t index) { return uniform_of(uniform_bits(key, index)); }

/// Two independent uniforms on (0, 1) for the price of one block.
inline UniformPair uniform_pair(const StreamKey& key, std::uint64_t index) {
  const BitsPair bits = uniform_bits_pair(key, index);
  return {uniform_of(bits.first), uniform_of(bits.second)};
}

/// out[i] = uniform(key, first_index + i).
inline void uniforms(const StreamKey& key, std::uint64_t first_index, std::span<double> out) {
  const std::uint64_t upper = detail::upper_word(key) | key.entity;
  for (double& u : out) u = uniform_of(detail::philox(key.seed, first_index++, upper).first);
}

/// out[i] = uniform(key of entity first_entity + i, index): one draw for each of a run of entities. key.entity is not
/// used; entities wrap at 2^32.
inline void uniforms_over_entities(const StreamKey& key, std::uint32_t first_entity, std::uint64_t index,
                                   std::span<double> out) {
  const std::uint64_t upper = detail::upper_word(key);
  for (double& u : out) u = uniform_of(detail::philox(key.seed, index, upper | first_entity++).first);
}

}  // namespace headrace::sim
