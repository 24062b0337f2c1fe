// Sentences of a plan.
#include "reports/plan_words.hpp"

#include <string>

#include "reports/left_out_figures.hpp"
#include "tests/catch.hpp"
#include "tests/reports/sample_documents.hpp"

namespace headrace::reports {

TEST_CASE("a plan says why it leaves values of today that are as good with the inputs as stated") {
  scenarios::Plan plan = testing::sample_plan();
  CHECK(why_not_today(plan).empty());  // today's is worse as stated
  plan.today = plan.recommended;
  REQUIRE(plan.ranges);
  REQUIRE(plan.ranges->recommended);
  plan.ranges->today = plan.ranges->recommended;
  plan.ranges->today->fed = scenarios::PlanFigure{0.81, std::nullopt};  // of workers 7, today's
  plan.least_fed.clear();
  const std::string why =
      "Why not workers 7, as today: with the inputs as stated it is as good, but over their ranges it is fed in 81 % "
      "of the "
      "draws, workers 6 in 91 %.";
  CHECK(why_not_today(plan) == why);
  plan.least_fed = {"workers 5"};
  CHECK(why_not_today(plan) == why + " With the inputs as stated the least that feeds the GPUs is workers 5.");
  plan.ranges->today->fed = scenarios::PlanFigure{0.95, std::nullopt};
  CHECK(why_not_today(plan).empty());  // today's is fed more often
}

TEST_CASE("a plan whose level nothing reaches says how far the best of them comes") {
  scenarios::Plan plan = testing::sample_plan();
  REQUIRE(plan.ranges);
  plan.ranges->complete = true;
  plan.ranges->inputs = 3;
  plan.ranges->asked.level = 0.9;
  plan.ranges->reached = true;
  CHECK(missed_level(plan).empty());
  plan.ranges->reached = false;
  plan.ranges->highest_share = 0.889;
  plan.ranges->most_fed = "workers 9";
  CHECK(missed_level(plan) ==
        "No configuration is fed (GPUs wait at most 1 % of the time) in 90 % of the draws: the most is 89 % with "
        "workers 9.");
  CHECK(ranges_line(plan).starts_with(missed_level(plan)));
  plan.ranges->most_fed.clear();
  CHECK_THAT(missed_level(plan), Catch::Matchers::EndsWith("none is fed in any draw."));
  plan.ranges->complete = false;
  CHECK(missed_level(plan).empty());
}

TEST_CASE("a plan that is not the least itself says within what it is") {
  scenarios::Plan plan = testing::sample_plan();
  plan.ranges.reset();
  plan.search.visits.resize(2);
  plan.search.best = 0;
  for (scenarios::Visit& visit : plan.search.visits) visit.level = scenarios::SearchLevel::race;
  plan.search.visits[0].mean = 10.0;
  plan.search.visits[1].mean = 10.5;
  plan.search.next_bound = 10.2;
  CHECK_THAT(proof_text(plan), Catch::Matchers::ContainsSubstring("is better, because the bound of every"));
  const std::string within = "is better by more than 1 % (indifference)";
  plan.search.next_bound = 9.99;
  CHECK_THAT(proof_text(plan), Catch::Matchers::ContainsSubstring(within));
  plan.search.next_bound = 10.2;
  plan.search.visits[1].mean = 9.99;  // it takes more than it needs
  CHECK_THAT(proof_text(plan), Catch::Matchers::ContainsSubstring(within));
  plan.search.before_keeping = scenarios::Point{};
  CHECK_THAT(proof_text(plan), Catch::Matchers::ContainsSubstring("where others gain less than 0.10 % or runs tell"));
}

TEST_CASE("how often a plan is fed says that figures which are left out count as perfect") {
  scenarios::Plan plan = testing::sample_plan();
  REQUIRE(plan.ranges);
  REQUIRE(plan.ranges->recommended);
  plan.ranges->complete = plan.ranges->reached = true;
  plan.ranges->inputs = 3;
  plan.ranges->recommended->fed = scenarios::PlanFigure{0.93, models::Interval{0.92, 0.95}};
  const auto is_told = [&plan] {
    return ranges_line(plan).find("figures that the scenario leaves out count as perfect") != std::string::npos;
  };
  CHECK(!is_told());
  plan.evidence.assumed = std::string(kLeavesOut) + " of store 'files' (requests)";
  CHECK(is_told());
}

}  // namespace headrace::reports
