#include "sim/tournament.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/random_stream.hpp"
#include "tests/catch.hpp"

namespace headrace::sim {
namespace {

constexpr std::int64_t kAbsent = 1000;

TEST_CASE("a tournament knows its least key and the least of the others") {
  for (const std::size_t slots : {1U, 2U, 5U, 16U, 27U}) {
    Tournament<std::int64_t> tournament(kAbsent, slots);
    std::vector<std::int64_t> keys(tournament.slots(), kAbsent);
    for (std::uint64_t i = 0; i < 400; ++i) {
      const BitsPair bits = uniform_bits_pair({1, 0, Purpose{1}, static_cast<std::uint32_t>(slots)}, i);
      const std::size_t slot = bits.first % slots;
      keys[slot] = bits.second % 4 == 0 ? kAbsent : static_cast<std::int64_t>(bits.second / 4 % 50);
      tournament.set(slot, keys[slot]);
      const auto first = std::min_element(keys.begin(), keys.end());
      const auto lead = tournament.lead();
      REQUIRE(tournament.top() == *first);
      REQUIRE(lead.slot == static_cast<std::size_t>(first - keys.begin()));
      REQUIRE(tournament.winner() == lead.slot);
      std::vector<std::int64_t> others = keys;
      others[lead.slot] = kAbsent;
      REQUIRE(lead.runner_up == *std::min_element(others.begin(), others.end()));
      if (lead.runner_up == kAbsent) continue;
      CHECK(lead.runner_up_slot != lead.slot);
      CHECK(keys[lead.runner_up_slot] == lead.runner_up);
    }
  }
}

}  // namespace
}  // namespace headrace::sim
