// What an epoch costs: price lists, copies elsewhere, owned machines.
#include "models/outcome/ledger.hpp"

#include <cmath>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/outcome/ledger_item.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/ownership.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/twins/cost.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/egress.hpp"

namespace headrace::models {
namespace {

StorePrice stepped() {
  StorePrice price;
  price.egress_tiers = {{10e12, 0.09e-9}, {50e12, 0.085e-9}, {150e12, 0.07e-9}, {std::nullopt, 0.05e-9}};
  return price;
}

double usd_of(const Outcome& outcome, const std::string& item) {
  for (const LedgerLine& line : outcome.ledger)
    if (line.item == item) return line.usd;
  FAIL("no ledger line " << item);
  return 0.0;
}

}  // namespace

TEST_CASE("500 TB by a stepped price list, as the twin says") {
  StorePrice price;
  price.egress_tiers = {{10.24e12, 0.09e-9}, {51.2e12, 0.085e-9}, {153.6e12, 0.07e-9}, {std::nullopt, 0.05e-9}};
  const std::vector<twins::PriceTier> tiers = {{10240, 0.09}, {51200, 0.085}, {153600, 0.07}, {1e300, 0.05}};
  CHECK(egress_usd(price, 500e12) == Approx(28'891.2));
  CHECK(egress_usd(price, 500e12) == Approx(twins::tiered_cost_usd(500e3, tiers)));
  CHECK(egress_usd(stepped(), 500e12) == Approx(28'800.0));
  CHECK(egress_usd(stepped(), 5e12) == Approx(450.0));
  StorePrice later = stepped();
  later.egress_before_bytes = 150e12;
  CHECK(egress_usd(later, 100e12) == Approx(5'000.0));
  StorePrice flat;
  flat.egress_usd_per_byte = 0.09e-9;
  CHECK(egress_usd(flat, 500e12) == Approx(45'000.0));
}

TEST_CASE("the epochs of a month go through one price list, those of the next month through it again") {
  StorePrice price;
  price.egress_tiers = {{10.24e12, 0.09e-9}, {51.2e12, 0.085e-9}, {153.6e12, 0.07e-9}, {std::nullopt, 0.05e-9}};
  constexpr double kMonth = 730.0 * 3600.0;
  const double one = egress_usd(price, 100e12);
  const double ten = egress_usd(price, 1000e12) / 10.0;
  CHECK(one == Approx(7819.2));
  CHECK(ten == Approx(5389.12));
  CHECK(egress_usd_per_epoch(price, 100e12, 1.0, 3600.0) == Approx(one));
  CHECK(egress_usd_per_epoch(price, 100e12, 10.0, 3600.0) == Approx(ten));
  CHECK(egress_usd_per_epoch(price, 100e12, 10.0, kMonth) == Approx(one));
  CHECK(egress_usd_per_epoch(price, 100e12, 20.0, kMonth / 10.0) == Approx(ten));
  // Half a month after a whole one: fifteen epochs cost one list of ten and one of five.
  CHECK(egress_usd_per_epoch(price, 100e12, 15.0, kMonth / 10.0) ==
        Approx((egress_usd(price, 1000e12) + egress_usd(price, 500e12)) / 15.0));
  // What left before the run uses the first steps of its first month only.
  price.egress_before_bytes = 200e12;
  CHECK(egress_usd_per_epoch(price, 100e12, 20.0, kMonth / 10.0) == Approx((50e3 + 10.0 * ten) / 20.0));
}

TEST_CASE("egress counts the misses of all epochs, not those of the last one") {
  Scenario scenario = test::small_scenario(2);  // four nodes whose caches fill over the epochs
  scenario.cluster.pools[0].nodes = 4;
  scenario.cluster.pools[0].cache.policy = CachePolicy::lru;
  scenario.cluster.pools[0].cache.bytes = 0.5 * scenario.datasets[0].bytes();
  scenario.jobs[0].epochs = 5;
  scenario.jobs[0].loads_per_year = 1.0;
  scenario.stores[0].price.egress_usd_per_byte = 0.09e-9;
  const double progress = later_epochs_progress(scenario, 0);
  REQUIRE(progress < 0.99);
  const IngestPath path = resolve_path(scenario, 0, {});
  const double last = mean_window(closed_form_windows(scenario, 0)).hit_ratio;
  REQUIRE(last > 0.1);
  const double bytes = scenario.datasets[0].bytes();
  const double misses = 1.0 + 4.0 * (1.0 - progress * last);  // the first epoch finds nothing
  CHECK(egress_usd_per_year(scenario, path, last) == Approx(bytes * misses * 0.09e-9));
  // A list by volume: the price of a byte is that of all bytes of a month.
  scenario.datasets[0].files = 10'000'000;  // 10 TB
  scenario.cluster.pools[0].cache.bytes = 0.5 * scenario.datasets[0].bytes();
  scenario.stores[0].price = stepped();
  const double hit = mean_window(closed_form_windows(scenario, 0)).hit_ratio;
  const double all = scenario.datasets[0].bytes() * (1.0 + 4.0 * (1.0 - later_epochs_progress(scenario, 0) * hit));
  double charged_usd = 0.0;
  for (const LedgerLine& line : epoch_ledger(scenario, resolve_path(scenario, 0, {}), hit, 3600.0))
    if (line.item == "egress") charged_usd += line.usd;
  CHECK(charged_usd == Approx(egress_usd(stepped(), all) * scenario.datasets[0].bytes() * (1.0 - hit) / all));
}

TEST_CASE("V p F: egress of a year, each load with cold caches") {
  Scenario scenario = test::small_scenario(2);
  scenario.jobs[0].epochs = 10;
  scenario.stores[0].price.egress_usd_per_byte = 0.09e-9;
  scenario.jobs[0].loads_per_year = 12.0;
  const IngestPath path = resolve_path(scenario, 0, {});
  const double bytes = scenario.datasets[0].bytes();
  CHECK(egress_usd_per_year(scenario, path, 0.8) ==
        Approx(12.0 * twins::cached_egress_cost_usd(bytes / 1e9, 0.09, 10, 0.8)));
  scenario.jobs[0].epochs = 1;
  CHECK(egress_usd_per_year(scenario, path, 0.8) == Approx(twins::egress_cost_usd(bytes / 1e9, 0.09, 12.0)));
  // Two loads a month share a month of the price list.
  scenario.datasets[0].files = 10'000'000;  // 10 TB
  scenario.stores[0].price = stepped();
  scenario.jobs[0].loads_per_year = 24.0;
  CHECK(egress_usd_per_year(scenario, path, 0.0) == Approx(12.0 * (10e12 * 0.09e-9 + 10e12 * 0.085e-9)));
  CHECK(flow_bound(scenario).find("egress_cost_per_year_usd")->mean > 0.0);
}

TEST_CASE("a copy without egress charges takes its share of bytes and requests") {
  Scenario scenario = test::small_scenario(2);
  StorePrice& price = scenario.stores[0].price;
  price.egress_usd_per_byte = 0.09e-9;
  price.usd_per_request = 4e-7;
  const Outcome before = flow_bound(scenario);
  price.intercept = {0.8, 0.0, 3.6e-7, 1.5e-11};
  const Outcome after = flow_bound(scenario);
  CHECK(usd_of(after, "egress") == Approx(0.2 * usd_of(before, "egress")));
  CHECK(usd_of(after, "requests") == Approx(0.2 * usd_of(before, "requests")));
  CHECK(usd_of(after, "requests to the copy") == Approx(0.8 * 0.9 * usd_of(before, "requests")));
  CHECK(usd_of(after, "egress of the copy") == 0.0);
  CHECK(after.find("cost_per_epoch_usd")->mean == Approx(total_usd(after.ledger)));
}

TEST_CASE("an annuity pays back the capital with interest") {
  const double paid = twins::annuity_usd_per_year(100'000.0, 0.08, 5.0);
  double present = 0.0;
  for (int year = 1; year <= 5; ++year) present += paid / std::pow(1.08, year);
  CHECK(present == Approx(100'000.0));
  CHECK(twins::annuity_usd_per_year(100'000.0, 0.0, 5.0) == Approx(20'000.0));
}

TEST_CASE("owned GPUs: capital, support and energy instead of a price by the hour") {
  Scenario scenario = test::small_scenario(2);
  scenario.prices = {};
  Ownership owned;
  owned.gpu_capital_usd = 35'040.0;
  owned.node_capital_usd = 0.0;
  owned.lifetime_s = 4.0 * 31'536'000.0;
  owned.discount_rate = 0.0;
  owned.support_per_year = 0.1;
  owned.gpu_w = 1000.0;
  owned.pue = 1.5;
  owned.usd_per_kwh = 0.2;
  owned.used = 0.5;
  scenario.prices.owned = owned;
  const HourlyCost hour = owned_gpu_hour(owned);
  CHECK(hour.capital_usd == Approx(2.0));  // 35,040 over 4 years of 8,760 h, half of them used
  CHECK(hour.support_usd == Approx(0.8));
  CHECK(hour.energy_usd == Approx(0.3));
  const Outcome outcome = flow_bound(scenario);
  const double hours = 4.0 * outcome.find("epoch_time_s")->mean / 3600.0;
  CHECK(usd_of(outcome, "capital of owned GPUs and nodes") == Approx(2.0 * hours));
  CHECK(usd_of(outcome, "support of owned machines") == Approx(0.8 * hours));
  CHECK(usd_of(outcome, "energy of owned machines") == Approx(0.3 * hours));
  CHECK(outcome.find("idle_cost_per_epoch_usd")->mean == Approx(3.1 * hours * outcome.find("gpu_idle_fraction")->mean));
  scenario.prices.owned->gpu_w = 0.0;  // then what the GPU of the pool draws
  scenario.cluster.pools[0].gpu.power_w = 500.0;
  CHECK(usd_of(flow_bound(scenario), "energy of owned machines") == Approx(0.15 * hours));
  scenario.prices.owned->gpu_w = 1000.0;
  CHECK(usd_of(flow_bound(scenario), "energy of owned machines") == Approx(0.3 * hours));
}

TEST_CASE("a useful hour costs the bill over the hours that compute") {
  Scenario scenario = test::small_scenario(2);
  scenario.jobs[0].step.overhead_s = DistributionSpec::constant(0.0);
  scenario.stores[0].bandwidth_bytes_per_s = 16e6 * 4 / 0.2;  // half of what the GPUs ask for
  scenario.prices.commitment_discount = 0.25;
  const Outcome outcome = flow_bound(scenario);
  CHECK(outcome.find("gpu_idle_fraction")->mean == Approx(0.5));
  CHECK(outcome.find("cost_per_useful_gpu_hour_usd")->mean == Approx(2.0 * 0.75 * twins::cost_per_useful_hour(0.5)));
  CHECK(outcome.jobs.front().ledger.size() == outcome.ledger.size());
}

}  // namespace headrace::models
