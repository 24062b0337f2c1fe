#include "models/base/limits.hpp"

#include "tests/catch.hpp"

namespace headrace::models {

TEST_CASE("the tightest limit is the least of those that there are") {
  CHECK(tightest({std::nullopt, 5.0, 3.0, std::nullopt}) == 3.0);
  CHECK(!tightest({std::nullopt, std::nullopt}));
  CHECK(capped(4.0, 3.0) == 3.0);
  CHECK(capped(4.0, 5.0) == 4.0);
  CHECK(capped(4.0, std::nullopt) == 4.0);
  CHECK(exceeds(4.0, 3.0));
  CHECK(!exceeds(3.0, 3.0));
  CHECK(!exceeds(4.0, std::nullopt));
}

TEST_CASE("where there is no limit, parts and multiples have none and nothing takes time") {
  CHECK(times(3.0, 4.0) == 12.0);
  CHECK(divided(3.0, 4.0) == 0.75);
  CHECK(!times(std::nullopt, 4.0));
  CHECK(!divided(std::nullopt, 4.0));
  CHECK(time_at(6.0, 3.0) == 2.0);
  CHECK(time_at(6.0, std::nullopt) == 0.0);
  CHECK(or_no_limit(std::nullopt) == kNoLimit);
  CHECK(or_unlimited(std::nullopt) == sim::kUnlimitedBytesPerS);
  CHECK(or_no_limit(2.0) == 2.0);
  CHECK(or_unlimited(2.0) == 2.0);
}

TEST_CASE("files write 0 where there is no limit") {
  CHECK(!stated_limit(0.0));
  CHECK(stated_limit(2.0) == 2.0);
  CHECK(as_written(std::nullopt) == 0.0);
  CHECK(as_written(2.0) == 2.0);
}

}  // namespace headrace::models
