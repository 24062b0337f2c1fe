// Pools with prices of their own, and warnings where one price pays for GPUs that differ, or a store is paid twice.
#include "models/outcome/price_warnings.hpp"

#include <algorithm>

#include "models/outcome/ownership.hpp"
#include "models/outcome/total_cost.hpp"
#include "models/outcome/unpriced_parts.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

/// Two pools of two nodes with two GPUs each, a job on both.
Scenario two_models() {
  Scenario scenario = test::small_scenario(2);
  scenario.cluster.pools[0].gpu.model = "new";
  scenario.cluster.pools.push_back(scenario.cluster.pools[0]);
  scenario.cluster.pools[1].name = "old pool";
  scenario.cluster.pools[1].gpu.model = "old";
  scenario.jobs.push_back(scenario.jobs[0]);
  scenario.jobs[1].name = "other";
  scenario.jobs[1].pool = "old pool";
  return scenario;
}

}  // namespace

TEST_CASE("one price for GPUs of two models is told, with the place of the other price") {
  Scenario scenario = two_models();
  const std::vector<Warning> warnings = price_warnings(scenario);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].seen == "GPUs of new and of old cost the same, $2.00 an hour");
  CHECK(warnings[0].fix.find("/cluster/pools/1/price/gpu_hour") != std::string::npos);
  scenario.cluster.pools[1].price = PoolPrice{1.0, std::nullopt};
  CHECK(price_warnings(scenario).empty());
  scenario.cluster.pools[1].price.reset();
  scenario.cluster.pools[1].gpu.model = "new";
  CHECK(price_warnings(scenario).empty());
}

TEST_CASE("a store that is bought and paid by the month is told, a managed one is not") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].price.capacity_usd_per_byte_month = 1e-11;
  scenario.stores[0].purchase = StorePurchase{};
  CHECK(price_warnings(scenario).empty());
  scenario.stores[0].purchase->capital_usd = 1000.0;
  const std::vector<Warning> warnings = price_warnings(scenario);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].seen == "store 'store' is bought, and its bytes are paid by the month too");
}

TEST_CASE("a copy that serves reads in the prices alone is told") {
  Scenario scenario = test::small_scenario(2);
  scenario.stores[0].price.intercept.share = 0.6;
  const std::vector<Warning> warnings = price_warnings(scenario);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].seen == "the copy of store 'store' takes 60 % of its reads in the prices alone");
}

TEST_CASE("a store that is paid by its schedule has a price") {
  Scenario scenario = test::small_scenario(2);
  const auto is_told = [&scenario] {
    const std::vector<std::string> parts = unpriced_parts(scenario);
    return std::find(parts.begin(), parts.end(), "store 'store'") != parts.end();
  };
  CHECK(is_told());
  scenario.stores[0].schedule.emplace().usd_per_hour = 4.0;
  CHECK(!is_told());
}

TEST_CASE("a pool is paid at its own price, with the discount of a commitment") {
  Scenario scenario = two_models();
  scenario.cluster.pools[1].price = PoolPrice{1.0, 0.5};
  CHECK(gpu_hour_usd(scenario, scenario.cluster.pools[0]) == 2.0);
  CHECK(gpu_hour_usd(scenario, scenario.cluster.pools[1]) == 1.0);
  CHECK(node_hour_usd(scenario, scenario.cluster.pools[1]) == 0.5);
  // 4 GPUs at $2, 4 at $1 and 2 nodes at $0.5, all year; the same GPUs wait for a tenth of it.
  const SitePayments site = site_payments(scenario);
  CHECK(site.present_value_usd / site.present_used_s * 3600.0 == Approx(8.0 + 4.0 + 1.0));
  CHECK(waiting_usd(scenario, scenario.cluster.pools[1], 0.4, 1.0) == Approx(0.4 * 8760.0));
  scenario.prices.commitment_discount = 0.5;
  CHECK(gpu_hour_usd(scenario, scenario.cluster.pools[1]) == 0.5);
}

}  // namespace headrace::models
