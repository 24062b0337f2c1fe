// The objective tco: a purchase that hourly prices do not see, weighed against waiting GPUs over the horizon.
#include "models/answer/flow_bound.hpp"
#include "models/outcome/total_cost.hpp"
#include "scenarios/planner/decisions.hpp"
#include "scenarios/planner/plan.hpp"
#include "tests/catch.hpp"
#include "tests/scenarios/load_shipped.hpp"

namespace headrace::scenarios {
namespace {

constexpr double kHoursOfYear = 8760.0;

/// Two nodes of 2 GPUs at $2/h read through a store that is to be bought: 400 MB/s for $20,000, 800 MB/s for $60,000 or
/// 10 GB/s for $300,000. By the flow bound an epoch takes 11,000, 5,500 and 3,984 s.
LoadedScenario with_quotes(const std::string& objective, const std::string& horizon) {
  return load_shipped(
      "image-node",
      {"/cluster/pools/0/nodes=2", "/cluster/pools/0/gpus_per_node=2", "/prices/gpu_hour=$2/h",
       "/stores/0/bandwidth=400 MB/s", R"(/stores/0/purchase={"capital": "$20000", "lifetime": "10 years"})",
       R"(/prices/total_cost={"discount_rate": 0, "horizon": ")" + horizon + R"("})",
       R"(/objective={"minimize": ")" + objective + R"("})",
       R"(/decide=[{"parameter": "/stores/0/bandwidth", "values": ["400 MB/s", "800 MB/s", "10 GB/s"],
                    "with": [{"parameter": "/stores/0/purchase/capital",
                              "values": ["$20000", "$60000", "$300000"]}]}])"});
}

Plan planned(const std::string& objective, const std::string& horizon) {
  const LoadedScenario loaded = with_quotes(objective, horizon);
  auto axes = decisions_of(loaded, {});
  REQUIRE(axes);
  auto plan = make_plan(loaded, *axes, Catalogue::shipped(), {});
  REQUIRE(plan);
  REQUIRE(plan->recommended);
  return std::move(*plan);
}

std::string chosen(const Plan& plan) { return plan.recommended->values.front().value; }

}  // namespace

TEST_CASE("tco weighs a purchase against waiting GPUs, by hand", "[planner]") {
  CHECK(chosen(planned("cost_per_epoch", "3 years")) == "10 GB/s");  // hourly prices know of no purchase
  const Plan three = planned("tco", "3 years");
  CHECK(chosen(three) == "800 MB/s");
  const double hourly_usd = 4.0 * 2.0 + 60000.0 / (3.0 * kHoursOfYear);
  CHECK(three.recommended->hourly_usd == Approx(hourly_usd));
  // $15.71 by the flow bound; queues at a store that is full take a little more.
  CHECK(three.recommended->cost_usd.mean == Approx(hourly_usd * three.recommended->epoch_time_s.mean / 3600.0));
  CHECK(three.recommended->epoch_time_s.mean == Approx(5500.0).epsilon(0.03));
  CHECK(chosen(planned("tco", "10 years")) == "10 GB/s");  // $12.64 against $13.27
}

TEST_CASE("the total cost of a plan is that of tco for the configuration that it recommends", "[planner]") {
  const Plan plan = planned("tco", "3 years");
  REQUIRE(plan.horizon);
  REQUIRE(plan.horizon_today);
  CHECK(plan.total_cost);
  CHECK(plan.horizon->horizon_years == 3.0);
  const models::TotalCostAnswer answer = models::total_cost(*plan.chosen, models::flow_bound(*plan.chosen));
  CHECK(plan.horizon->present_value_usd == Approx(answer.present_value_usd));
  CHECK(plan.horizon->usd_per_useful_gpu_hour == Approx(answer.usd_per_useful_gpu_hour).epsilon(0.03));
  CHECK(plan.horizon->usd_per_useful_gpu_hour < plan.horizon_today->usd_per_useful_gpu_hour);
  CHECK(plan.goal == models::PlanGoal::tco);
}

TEST_CASE("changes of a plan for the total cost add up to the difference of the totals, to the cent", "[planner]") {
  const Plan plan = planned("tco", "3 years");
  REQUIRE(plan.changes.size() == 1);
  const PlanChange& change = plan.changes.front();
  const double today_usd = plan.today->cost_usd.mean;
  CHECK(today_usd - change.gained_usd + change.spent_usd + plan.changes_rest_usd ==
        Approx(plan.recommended->cost_usd.mean).margin(1.01 * plan.changes_unit_usd));
  CHECK(change.spent_usd > 0.0);
}

TEST_CASE("two kinds of dollars are no two goals", "[planner]") {
  CHECK(wrong("image-node", {R"(/objective={"minimize": "tco", "against": "cost_per_epoch"})"})
            .find("both dollars of an epoch") != std::string::npos);
}

}  // namespace headrace::scenarios
