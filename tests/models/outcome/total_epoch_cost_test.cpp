// An epoch at its total cost over the horizon against cases worked by hand, and against the payments that tco lists.
#include "models/outcome/total_epoch_cost.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/point_bound.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

constexpr double kPresentYears = 1 / 1.1 + 1 / 1.21 + 1 / 1.331;  // three at 10 %

/// An epoch of one hour, of which 12 minutes of the interval of its time lie on either side.
Outcome epoch_of_an_hour() {
  Outcome outcome;
  outcome.metrics = {{"epoch_time_s", 3600.0, Interval{2880.0, 4320.0}, {}, AnswerKind::simulated},
                     {"cost_per_epoch_usd", 11.0, Interval{9.2, 12.8}, {}, AnswerKind::simulated}};
  outcome.ledger = {{"gpu hours", 4.0, "h", 8.0, true},
                    {"storage share", 1.0, "B month", 1.0, true},
                    {"egress", 1.0, "B", 2.0, false}};
  return outcome;
}

/// 4 GPUs at $2/h, beside a store of $30,000.
Scenario with_bought_store() {
  Scenario scenario = test::small_scenario(2);
  scenario.prices.total_cost = TotalCost{};
  scenario.prices.total_cost->discount_rate = 0.1;
  StorePurchase bought;
  bought.capital_usd = 30000.0;
  scenario.stores[0].purchase = bought;
  return scenario;
}

Metric restated_cost(const Scenario& scenario) {
  Outcome outcome = epoch_of_an_hour();
  restate_at_total_cost(site_payments(scenario), outcome);
  return *outcome.find("cost_per_epoch_usd");
}

}  // namespace

TEST_CASE("total cost of an epoch: hourly prices and a bought store by hand") {
  const double store_usd_per_h = 30000.0 / (8760.0 * kPresentYears);  // $1.38
  const Metric cost = restated_cost(with_bought_store());
  CHECK(cost.mean == Approx(8.0 + store_usd_per_h + 1.0 + 2.0));
  REQUIRE(cost.ci95);
  CHECK(cost.ci95->low == Approx(0.8 * (8.0 + store_usd_per_h + 1.0) + 2.0));  // egress does not grow with time
  CHECK(cost.ci95->high == Approx(1.2 * (8.0 + store_usd_per_h + 1.0) + 2.0));
}

TEST_CASE("total cost of an epoch: half the time used, and a reservation that is paid all the same") {
  Scenario scenario = with_bought_store();
  scenario.prices.total_cost->used = 0.5;
  const double store_usd_per_h = 30000.0 / (0.5 * 8760.0 * kPresentYears);
  CHECK(restated_cost(scenario).mean == Approx(8.0 + store_usd_per_h + 2.0 + 2.0));  // bytes are kept all year
  scenario.prices.commitment_discount = 0.4;
  CHECK(restated_cost(scenario).mean == Approx(0.6 * 8.0 / 0.5 + store_usd_per_h + 2.0 + 2.0));
}

TEST_CASE("total costs of an epoch are the payments that tco lists") {
  Scenario scenario = with_bought_store();
  scenario.prices.total_cost->staff_usd_per_hour = 10.0;
  scenario.prices.total_cost->used = 0.7;
  scenario.stores[0].price.egress_usd_per_byte = 1e-11;
  scenario.stores[0].price.capacity_usd_per_byte_month = 1e-11;
  scenario.objective = PlanObjective{};
  scenario.objective->minimize = PlanGoal::tco;
  const Outcome bound = flow_bound(scenario);
  const TotalCostAnswer answer = total_cost(scenario, bound);
  const HorizonCost cost = horizon_cost(scenario, cluster_bound(scenario).figures, bound);
  CHECK(cost.horizon_years == 3.0);
  CHECK(cost.present_value_usd == Approx(answer.present_value_usd).epsilon(1e-9));
  CHECK(cost.usd_per_useful_gpu_hour == Approx(answer.usd_per_useful_gpu_hour).epsilon(1e-9));
}

TEST_CASE("total costs of jobs side by side share the site by GPUs") {
  Scenario scenario = with_bought_store();
  scenario.cluster.pools[0].nodes = 3;
  scenario.jobs[0].nodes = 1;
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  scenario.jobs[1].nodes = 2;
  scenario.objective = PlanObjective{};
  scenario.objective->minimize = PlanGoal::tco;
  const Outcome bound = flow_bound(scenario);
  const EpochFigures figures = cluster_bound(scenario).figures;
  REQUIRE(figures.jobs.size() == 2);
  const double hourly_usd = 6.0 * 2.0 + 30000.0 / (8760.0 * kPresentYears);
  CHECK(figures.jobs[0].by_time_usd == Approx(hourly_usd / 3.0 * figures.jobs[0].epoch_time_s / 3600.0));
  CHECK(figures.hourly_usd() == Approx(hourly_usd));
  const HorizonCost cost = horizon_cost(scenario, figures, bound);
  CHECK(cost.usd_per_useful_gpu_hour == Approx(total_cost(scenario, bound).usd_per_useful_gpu_hour).epsilon(1e-9));
}

}  // namespace headrace::models
