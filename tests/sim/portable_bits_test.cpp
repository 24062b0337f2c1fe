// One digest over the outputs of every portable function. It must be equal on every compiler, optimisation level and
// instruction set; when it differs, a rounding has crept in that is not ours (contraction, libm, excess precision).
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/binomial.hpp"
#include "sim/distribution.hpp"
#include "sim/feistel_permutation.hpp"
#include "sim/iid_sum.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

/// FNV-1a over the eight bytes of each value.
class Digest {
 public:
  void add(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ (value & 0xff)) * 0x100000001b3;
      value >>= 8;
    }
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

void add_functions(Digest& digest) {
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const UniformPair u = uniform_pair({99, 3, Purpose{7}, 5}, i);
    const double wide = (u.first - 0.5) * 1400.0;
    digest.add(pexp(wide));
    digest.add(pexp(u.first));
    digest.add(pexpm1(u.second));
    digest.add(plog(u.first));
    digest.add(plog1p(wide * wide));
    digest.add(ppow(u.second, wide));
    const SinCos turn = psincos_2pi(wide);
    digest.add(turn.sin);
    digest.add(turn.cos);
    digest.add(normal_quantile(u.first));
    digest.add(normal_quantile(u.second * 0x1p-20));
    if (i % 50 == 0) {
      digest.add(normal_cdf(wide * 0.01));
      digest.add(plgamma(wide * wide));
      const GammaTails tails = incomplete_gamma(1.0 + 30.0 * u.first, plgamma(1.0 + 30.0 * u.first), 40.0 * u.second);
      digest.add(tails.lower);
      digest.add(tails.upper);
    }
  }
}

void add_laws(Digest& digest) {
  const Distribution lognormal = Distribution::lognormal(2e-3, 0.7);
  const std::vector<Distribution> laws = {
      Distribution::uniform(1.0, 3.0),
      Distribution::exponential(0.1),
      lognormal,
      Distribution::gamma(2.0, 0.4),
      Distribution::gamma(2.0, 3.0),
      Distribution::gamma(2.0, 0.02),
      Distribution::weibull(0.7, 2.0),
      Distribution::pareto(2.2, 1.0),
      Distribution::pareto(1.7, 1.0),
      Distribution::empirical({{0.0, 1.0}, {0.3, 1.5}, {0.9, 2.0}, {1.0, 9.0}}),
      Distribution::mixture({3.0, 1.0, 0.5},
                            {lognormal, Distribution::constant(0.004), Distribution::exponential(0.1)})};
  std::vector<double> u(64);
  std::vector<double> x(64);
  for (std::uint32_t block = 0; block < 50; ++block) {
    uniforms_over_entities({1, 2, Purpose{3}, 0}, block * 64, 4, u);
    for (const Distribution& law : laws) {
      law.quantiles(u, x);
      for (const double value : x) digest.add(value);
    }
  }
  for (const Distribution& law : laws) {
    digest.add(law.mean());
    digest.add(law.variance());
    for (const std::uint32_t n : {2u, 9u, 40u}) {
      const IidSum sum(law, n);
      for (const double probability : u) digest.add(sum.quantile(probability));
    }
  }
}

void add_integers(Digest& digest) {
  const FeistelPermutation large(5, 4'500'000'000ull);
  const FeistelPermutation small(5, 1000);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const UniformPair u = uniform_pair({99, 3, Purpose{8}, 5}, i);
    digest.add(std::uint64_t{binomial_quantile(32, u.second, u.first)});
    digest.add(std::uint64_t{binomial_quantile(1000, u.second, u.first)});
    digest.add(large(i));
    digest.add(small(i % 1000));
    digest.add(uniform_bits({i, 0, Purpose{1}, 2}, i));
  }
}

}  // namespace

TEST_CASE("draws have the same bits on every compiler and machine") {
  Digest functions;
  add_functions(functions);
  CHECK(functions.state() == 0x638bb79a21da53d2);
  Digest laws;
  add_laws(laws);
  CHECK(laws.state() == 0x182b84c3df444290);
  Digest integers;
  add_integers(integers);
  CHECK(integers.state() == 0xfc88054f3cd6e5a2);
}
