// Sentences of a plan.
#include "reports/plan_words.hpp"

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

}  // namespace headrace::reports
