#include "models/base/deadline.hpp"

#include <chrono>

#include "tests/catch.hpp"

using headrace::models::Deadline;

namespace {

/// Half a minute at most: a loaded machine is late.
bool asks_soon(const std::stop_token& token) {
  for (int i = 0; i < 30'000 && !token.stop_requested(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return token.stop_requested();
}

}  // namespace

TEST_CASE("a deadline asks when its time is up") {
  const Deadline deadline(0.001);
  CHECK(asks_soon(deadline.token()));
}

TEST_CASE("a deadline asks once either of its tokens does, at once where one has asked already") {
  std::stop_source first;
  std::stop_source second;
  const Deadline deadline(std::nullopt, first.get_token(), second.get_token());
  CHECK_FALSE(deadline.token().stop_requested());
  second.request_stop();
  CHECK(deadline.token().stop_requested());
  CHECK(Deadline(std::nullopt, second.get_token()).token().stop_requested());
  CHECK_FALSE(Deadline(std::nullopt, first.get_token()).token().stop_requested());
}

TEST_CASE("a deadline that is far away is given up at once") { CHECK_FALSE(Deadline(1e9).token().stop_requested()); }
