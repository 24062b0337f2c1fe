#include "sim/random_stream.hpp"

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

TEST_CASE("Philox2x64-10 gives the published known answers") {
  // Random123's kat_vectors: counter, key -> block.
  const BitsPair zeros = detail::philox(0, 0, 0);
  CHECK(zeros.first == 0xca00a0459843d731);
  CHECK(zeros.second == 0x66c24222c9a845b5);
  const BitsPair ones = detail::philox(~0ull, ~0ull, ~0ull);
  CHECK(ones.first == 0x65b021d60cd8310f);
  CHECK(ones.second == 0x4d02f3222f86df20);
  const BitsPair digits_of_pi = detail::philox(0xa4093822299f31d0, 0x243f6a8885a308d3, 0x13198a2e03707344);
  CHECK(digits_of_pi.first == 0x0a5e742c2997341c);
  CHECK(digits_of_pi.second == 0xb0f883d38000de5d);
}

TEST_CASE("a key fills the counter word without overlap") {
  const StreamKey key{5, 0xabcde, Purpose{0x123}, 0x89abcdef};
  const BitsPair expected = detail::philox(5, 77, 0xabcde12389abcdef);
  CHECK(uniform_bits_pair(key, 77).first == expected.first);
  CHECK(uniform_bits_pair(key, 77).second == expected.second);
}

TEST_CASE("every part of the key changes the draw") {
  const StreamKey base{1, 2, Purpose{3}, 4};
  std::set<std::uint64_t> seen;
  for (std::uint32_t step = 0; step < 16; ++step) {
    seen.insert(uniform_bits({base.seed + step + 1, base.replication, base.purpose, base.entity}, 0));
    seen.insert(uniform_bits({base.seed, base.replication + step + 1, base.purpose, base.entity}, 0));
    seen.insert(
        uniform_bits({base.seed, base.replication, Purpose(static_cast<std::uint16_t>(4 + step)), base.entity}, 0));
    seen.insert(uniform_bits({base.seed, base.replication, base.purpose, base.entity + step + 1}, 0));
    seen.insert(uniform_bits(base, step));
  }
  CHECK(seen.size() == 16 * 5);
}

TEST_CASE("a key that does not fit is refused, its largest neighbour is not") {
  CHECK_THROWS_AS(uniform({0, 1u << 20, Purpose{0}, 0}, 0), std::out_of_range);
  CHECK_THROWS_AS(uniform({0, 0, Purpose{1u << 12}, 0}, 0), std::out_of_range);
  std::array<double, 2> out{};
  CHECK_THROWS_AS(uniforms({0, 1u << 20, Purpose{0}, 0}, 0, out), std::out_of_range);
  CHECK_NOTHROW(uniform({0, (1u << 20) - 1, Purpose{(1u << 12) - 1}, ~0u}, ~0ull));
}

TEST_CASE("uniforms stay inside (0, 1), miss one half, and have exact complements") {
  for (const std::uint64_t bits :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 63, ~(std::uint64_t{1} << 63)}) {
    const double u = uniform_of(bits);
    CHECK(u > 0.0);
    CHECK(u < 1.0);
    CHECK(u != 0.5);
    CHECK(1.0 - (1.0 - u) == u);
  }
  CHECK(uniform_of(0) == 0x1p-53);
  CHECK(uniform_of(~0ull) == 1.0 - 0x1p-53);
}

TEST_CASE("blocks equal single draws") {
  const StreamKey key{11, 12, Purpose{13}, 14};
  std::vector<double> block(37);
  uniforms(key, 1000, block);
  for (std::size_t i = 0; i < block.size(); ++i) CHECK(block[i] == uniform(key, 1000 + i));
  uniforms_over_entities(key, 0xfffffff0u, 9, block);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const auto entity = static_cast<std::uint32_t>(0xfffffff0u + i);
    CHECK(block[i] == uniform({key.seed, key.replication, key.purpose, entity}, 9));
  }
  const UniformPair pair = uniform_pair(key, 5);
  CHECK(pair.first == uniform(key, 5));
  CHECK(pair.second == uniform_of(uniform_bits_pair(key, 5).second));
}

TEST_CASE("uniforms along index and along entity fill 64 cells evenly", "[statistical]") {
  // Chi-square with 63 degrees of freedom; by Wilson-Hilferty P(X > 140) and P(X < 20) are 1.1e-7 and 6e-8: 7e-7 over
  // the four checks.
  std::array<std::array<double, 64>, 4> cells{};
  constexpr int kDraws = 64'000;
  for (std::uint32_t i = 0; i < kDraws; ++i) {
    const UniformPair along_index = uniform_pair({7, 0, Purpose{1}, 3}, i);
    const UniformPair along_entity = uniform_pair({7, 0, Purpose{1}, i}, 3);
    cells[0][static_cast<std::size_t>(along_index.first * 64.0)] += 1.0;
    cells[1][static_cast<std::size_t>(along_entity.first * 64.0)] += 1.0;
    // Pairs: the 8 x 8 square.
    cells[2][static_cast<std::size_t>(along_index.first * 8.0) * 8 +
             static_cast<std::size_t>(along_index.second * 8.0)] += 1.0;
    cells[3][static_cast<std::size_t>(along_entity.first * 8.0) * 8 +
             static_cast<std::size_t>(along_index.first * 8.0)] += 1.0;
  }
  for (const auto& counts : cells) {
    double chi_square = 0.0;
    for (const double count : counts) chi_square += (count - kDraws / 64.0) * (count - kDraws / 64.0) / (kDraws / 64.0);
    CHECK(chi_square < 140.0);
    CHECK(chi_square > 20.0);
  }
}
