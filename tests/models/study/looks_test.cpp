#include "models/study/looks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "models/study/budget.hpp"
#include "tests/catch.hpp"

using namespace headrace::models;

namespace {

/// Counts looks; the answer of the last one stands for all after it.
struct Looks {
  std::vector<Look> answers;
  std::size_t taken = 0;

  std::string run(std::uint64_t most, const Budget& budget = Budget(0.0, {})) {
    return look_until_decided(
        budget, most, [this] { return answers[std::min(taken++, answers.size() - 1)]; }, "end");
  }
};

}  // namespace

TEST_CASE("Lengths of looks double from the first to the last") {
  const LookLengths looks{1000, 10'000};
  CHECK(looks.after(0) == 1000);
  CHECK(looks.after(999) == 1000);
  CHECK(looks.after(1000) == 2000);
  CHECK(looks.after(1001) == 2000);
  CHECK(looks.after(4000) == 8000);
  CHECK(looks.after(8000) == 10'000);
  CHECK(LookLengths{1000, 500}.after(0) == 500);
}

TEST_CASE("Looks end when one decides, and after the last one") {
  Looks third{{Look::open, Look::open, Look::decided}};
  CHECK(third.run(5) == "decided");
  CHECK(third.taken == 3);
  Looks never{{Look::open}};
  CHECK(never.run(5) == "end");
  CHECK(never.taken == 5);
  Looks longest{{Look::open, Look::last}};
  CHECK(longest.run(5) == "end");
  CHECK(longest.taken == 2);
}

TEST_CASE("The last look tells how looks end") {
  std::uint64_t taken = 0;
  CHECK(last_look([&] { return ++taken < 4 ? Look::open : Look::last; }) == Look::last);
  CHECK(taken == 4);
  CHECK(last_look([] { return Look::open; }, 2) == Look::open);
  CHECK(last_look([] { return Look::cut_short; }) == Look::cut_short);
}

TEST_CASE("A spent budget ends looks, but not before the first, and a decision stands above it") {
  std::stop_source stop;
  stop.request_stop();
  Looks open{{Look::open}};
  CHECK(open.run(5, Budget(0.0, stop.get_token())) == "interrupted");
  CHECK(open.taken == 1);
  Looks decided{{Look::decided}};
  CHECK(decided.run(5, Budget(0.0, stop.get_token())) == "decided");
  Looks late{{Look::open}};
  CHECK(late.run(5, Budget(1e-9, {})) == "max_wall");
  Looks cut{{Look::cut_short}};
  CHECK(cut.run(5, Budget(1e-9, {})) == "max_wall");
}

TEST_CASE("Five looks together are as sure as one at 95 %") {
  CHECK(kMostLooks * (1.0 - kLookConfidence) == Approx(0.05));
}
