// Payments over years against cases worked by hand.
#include "models/outcome/total_cost.hpp"

#include <algorithm>
#include <string>

#include "models/answer/flow_bound.hpp"
#include "models/outcome/machine_room.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

/// An epoch of one hour on 4 GPUs that cost $2 an hour each, of which 10 % wait and 80 % are training progress.
Outcome hand_outcome() {
  Outcome outcome;
  outcome.metrics = {{"epoch_time_s", 3600.0, {}, {}, AnswerKind::simulated},
                     {"gpu_idle_fraction", 0.1, {}, {}, AnswerKind::simulated},
                     {"goodput_fraction", 0.8, {}, {}, AnswerKind::simulated},
                     {"cost_per_epoch_usd", 11.0, {}, {}, AnswerKind::simulated}};
  outcome.ledger = {{"gpu hours", 4.0, "h", 8.0, true},
                    {"storage share", 1.0, "B month", 1.0, true},
                    {"egress", 1.0, "B", 2.0, false}};
  return outcome;
}

Scenario rented() {
  Scenario scenario = test::small_scenario(2);  // 4 GPUs at $2/h
  scenario.prices.total_cost = TotalCost{};
  scenario.prices.total_cost->discount_rate = 0.1;
  return scenario;
}

}  // namespace

TEST_CASE("tco: three years of rented GPUs by hand") {
  const TotalCostAnswer answer = total_cost(rented(), hand_outcome());
  REQUIRE(answer.cash_flow.size() == 4);
  const CashFlow& year = answer.cash_flow[1];
  CHECK(year.rent == Approx(8.0 * 8760.0));     // 4 GPUs x $2
  CHECK(year.storage == Approx(3.0 * 8760.0));  // $1 of storage and $2 of egress an hour
  CHECK(year.useful_gpu_hours == Approx(4.0 * 0.8 * 8760.0));
  CHECK(answer.idle_usd_per_year == Approx(4.0 * 2.0 * 0.1 * 8760.0));
  CHECK(answer.total_usd == Approx(3.0 * 11.0 * 8760.0));
  CHECK(answer.present_value_usd == Approx(96360.0 * (1 / 1.1 + 1 / 1.21 + 1 / 1.331)));
  CHECK(answer.usd_per_useful_gpu_hour == Approx(11.0 / 3.2));  // the same every year: interest cancels
  CHECK(answer.doing_nothing_usd == Approx(7008.0 * (1 / 1.1 + 1 / 1.21 + 1 / 1.331)));
}

TEST_CASE("tco: time between epochs is waited for, and a controller's hours of training are those that are used") {
  Outcome outcome = hand_outcome();
  outcome.metrics.push_back({"epoch_boundary_s", 360.0, {}, {}, AnswerKind::simulated});
  const TotalCostAnswer answer = total_cost(rented(), outcome);
  CHECK(answer.cash_flow[1].useful_gpu_hours == Approx(3.2 * 8760.0));  // goodput has left it out already
  CHECK(answer.idle_usd_per_year == Approx(8.0 * (0.1 + 0.9 * 0.1) * 8760.0));
  Scenario scenario = rented();
  CapacitySchedule& schedule = scenario.stores[0].schedule.emplace();
  schedule.period_s = 86400.0;
  schedule.autoscaling.emplace().busy_s = 21600.0;
  const TotalCostAnswer quarter = total_cost(scenario, hand_outcome());
  CHECK(quarter.used_fraction == 0.25);
  CHECK(quarter.cash_flow[1].useful_gpu_hours == Approx(0.25 * 3.2 * 8760.0));
  scenario.prices.total_cost->used = 0.1;
  CHECK(total_cost(scenario, hand_outcome()).used_fraction == 0.1);
}

TEST_CASE("tco: half the hours used, and a reservation that is paid all the same") {
  Scenario scenario = rented();
  scenario.prices.total_cost->used = 0.5;
  const TotalCostAnswer half = total_cost(scenario, hand_outcome());
  CHECK(half.cash_flow[1].rent == Approx(4.0 * 8760.0));
  CHECK(half.cash_flow[1].storage == Approx((1.0 + 0.5 * 2.0) * 8760.0));  // bytes are kept all year
  CHECK(half.cash_flow[1].useful_gpu_hours == Approx(1.6 * 8760.0));
  CHECK(half.used_fraction == 0.5);
  scenario.prices.commitment_discount = 0.4;
  CHECK(total_cost(scenario, hand_outcome()).cash_flow[1].rent == Approx(0.6 * 8.0 * 8760.0));
}

TEST_CASE("tco: a bought store, bought again, with support, energy, space and staff") {
  Scenario scenario = rented();
  TotalCost& terms = *scenario.prices.total_cost;
  terms.horizon_s = 5.0 * kSecondsPerYear;
  terms.migration_usd = 500.0;
  terms.staff_usd_per_hour = 10.0;
  terms.rack_unit_usd_per_hour = 0.05;
  terms.pue = 1.5;
  terms.usd_per_kwh = 0.2;
  terms.resale = 0.5;
  StorePurchase bought;
  bought.capital_usd = 30000.0;
  bought.lifetime_s = 3.0 * kSecondsPerYear;
  bought.support_per_year = 0.1;
  bought.contract_usd_per_hour = 1.0;
  bought.rack_units = 20.0;
  bought.power_w = 4000.0;
  scenario.stores[0].purchase = bought;
  const TotalCostAnswer answer = total_cost(scenario, hand_outcome());
  REQUIRE(answer.cash_flow.size() == 6);
  CHECK(answer.cash_flow[0].capital == 30000.0);
  CHECK(answer.cash_flow[0].migration == 500.0);
  CHECK(answer.cash_flow[0].total == 30500.0);
  CHECK(answer.cash_flow[3].capital == 30000.0);
  CHECK(answer.cash_flow[5].capital == Approx(-0.5 * 30000.0 / 3.0));  // one year of three is left
  const CashFlow& year = answer.cash_flow[2];
  CHECK(year.support == Approx(3000.0));
  CHECK(year.rent == Approx(9.0 * 8760.0));
  CHECK(year.energy == Approx(4.0 * 1.5 * 0.2 * 8760.0));
  CHECK(year.space == Approx(20.0 * 0.05 * 8760.0));
  CHECK(year.staff == Approx(10.0 * 8760.0));
  CHECK(answer.room.site_power_w == Approx(6000.0));
  CHECK(answer.room.rack_units == 20.0);
}

TEST_CASE("tco: owned machines on a lease by quarters") {
  Scenario scenario = rented();
  scenario.prices.gpu_hour_usd = 0.0;
  Ownership owned;
  owned.gpu_capital_usd = 10000.0;
  owned.node_capital_usd = 5000.0;
  owned.gpu_w = 500.0;
  owned.node_w = 1000.0;
  owned.pue = 1.2;
  owned.usd_per_kwh = 0.1;
  owned.used = 0.5;
  owned.lifetime_s = 4.0 * kSecondsPerYear;
  scenario.prices.owned = owned;
  TotalCost& terms = *scenario.prices.total_cost;
  terms.period = CashPeriod::quarter;
  terms.lease = Lease{2.0 * kSecondsPerYear, 0.0};
  const TotalCostAnswer answer = total_cost(scenario, hand_outcome());
  REQUIRE(answer.cash_flow.size() == 13);
  CHECK(answer.cash_flow[0].total == 0.0);
  CHECK(answer.cash_flow[1].lease == Approx(50000.0 / 8.0));
  CHECK(answer.cash_flow[8].lease == Approx(50000.0 / 8.0));
  CHECK(answer.cash_flow[9].lease == 0.0);
  CHECK(answer.cash_flow[1].energy == Approx((4.0 * 0.5 + 2.0 * 1.0) * 1.2 * 0.1 * 8760.0 * 0.5 / 4.0));
  CHECK(answer.room.site_power_w == Approx(4000.0 * 1.2));
  CHECK(answer.room.rack_units == 16.0);
}

TEST_CASE("tco: an option pays back what it costs more by the hours that it gains") {
  const TotalCostAnswer nothing = total_cost(rented(), hand_outcome());
  Scenario scenario = rented();
  scenario.stores[0].purchase = StorePurchase{};
  scenario.stores[0].purchase->capital_usd = 12045.0;
  Outcome faster = hand_outcome();
  faster.metrics[2].mean = 0.88;  // a tenth more hours, each worth 11 / 3.2
  const TotalCostAnswer option = total_cost(scenario, faster);
  const GainOverNothing gain = gain_over_nothing(option, nothing);
  const double yearly = 0.32 * 8760.0 * 11.0 / 3.2;  // $9,636
  const double years = 1 / 1.1 + 1 / 1.21 + 1 / 1.331;
  CHECK(gain.usd_per_hour == Approx(11.0 / 3.2));
  CHECK(gain.gained_usd == Approx(yearly * years));
  CHECK(gain.net_present_value_usd == Approx(yearly * years - 12045.0));
  REQUIRE(gain.payback_years);
  CHECK(*gain.payback_years == Approx(1.25));
  CHECK_FALSE(gain_over_nothing(total_cost(scenario, hand_outcome()), nothing).payback_years);
}

TEST_CASE("tco: money against waiting pays back by the idle dollars it removes") {
  Scenario scenario = rented();
  scenario.prices.investment = Investment{};
  scenario.prices.investment->capital_usd = 3504.0;
  scenario.prices.investment->removes = 0.5;
  const TotalCostAnswer answer = total_cost(scenario, hand_outcome());
  REQUIRE(answer.investment);
  CHECK(answer.investment->saves_usd_per_year == Approx(3504.0));
  CHECK(answer.investment->payback_years == Approx(1.0));
  CHECK(answer.investment->net_present_value_usd == Approx(3504.0 * (1 / 1.1 + 1 / 1.21 + 1 / 1.331 - 1.0)));
}

TEST_CASE("machine room: power, space and writes stand beside the cost, with a warning above a limit") {
  Scenario scenario = rented();
  CHECK(flow_bound(test::small_scenario(2)).find("room_power_w") == nullptr);
  StorePurchase bought;
  bought.power_w = 2000.0;
  bought.rack_units = 4.0;
  bought.writes_per_day = 1.0;
  scenario.stores[0].purchase = bought;
  scenario.stores[0].capacity_bytes = 1e12;
  scenario.prices.total_cost->power_limit_w = 2500.0;
  scenario.prices.total_cost->pue = 1.3;
  Checkpoint checkpoint;
  checkpoint.bytes = 50e9;
  checkpoint.interval_s = 3600.0;
  checkpoint.store = "store";
  scenario.jobs[0].checkpoint = checkpoint;
  const Outcome outcome = flow_bound(scenario);
  CHECK(mean_in(outcome.metrics, "room_power_w") == Approx(2600.0));
  CHECK(mean_in(outcome.metrics, "room_rack_units") == 4.0);
  CHECK(mean_in(outcome.metrics, "store_drive_writes_per_day") == Approx(1.2));  // 24 x 50 GB on 1 TB
  int above = 0;
  for (const Warning& warning : outcome.warnings) above += warning.seen.ends_with("is above its limit") ? 1 : 0;
  CHECK(above == 2);
}

TEST_CASE("machine room: a cache that evicts nothing writes its drives once, which is no rate") {
  Scenario scenario = rented();
  Pool& pool = scenario.cluster.pools[0];
  pool.drives.capacity_bytes = 1e12;
  pool.drives.writes_per_day = 1.0;
  pool.cache.medium = CacheMedium::nvme;
  pool.cache.bandwidth_bytes_per_s = 10e9;
  pool.cache.bytes = 0.3 * scenario.datasets[0].bytes();
  for (const CachePolicy policy : {CachePolicy::lru, CachePolicy::pinned}) {
    pool.cache.policy = policy;
    const Outcome outcome = flow_bound(scenario);
    const bool turns_over = policy == CachePolicy::lru;
    CHECK((mean_in(outcome.metrics, "node_drive_writes_per_day") > 0.0) == turns_over);
    CHECK((outcome.find("drive_life_s") != nullptr) == turns_over);
  }
  // Nor has one that holds all that is read, whatever its policy: that it still fills is what it warns of.
  pool.cache.policy = CachePolicy::lru;
  pool.cache.bytes = pool.drives.capacity_bytes = 1.1 * scenario.datasets[0].bytes();
  scenario.jobs[0].epochs = 2;
  const Outcome filling = flow_bound(scenario);
  CHECK(mean_in(filling.metrics, "node_drive_writes_per_day") == 0.0);
  CHECK(filling.find("drive_life_s") == nullptr);
  const auto warns = [&](const char* of) {
    return std::any_of(filling.warnings.begin(), filling.warnings.end(),
                       [of](const Warning& warning) { return warning.seen.find(of) != std::string::npos; });
  };
  CHECK_FALSE(warns("wear out"));
  CHECK(warns("still fills in epoch 2"));
}

TEST_CASE("machine room: checkpoints on the drives of nodes count among their writes") {
  Scenario scenario = rented();
  Pool& pool = scenario.cluster.pools[0];
  pool.drives.capacity_bytes = 1e12;
  pool.drives.writes_per_day = 1.0;
  Store drives = scenario.stores[0];
  drives.name = "drives";
  drives.kind = StoreKind::nvme;
  scenario.stores.push_back(drives);
  Checkpoint checkpoint;
  checkpoint.bytes = 100e9;
  checkpoint.interval_s = 3600.0;
  checkpoint.store = "store";
  CheckpointTier tier;
  tier.store = "drives";
  checkpoint.tiers = {tier};
  scenario.jobs[0].checkpoint = checkpoint;
  const double nodes = static_cast<double>(pool.nodes);
  Outcome outcome = flow_bound(scenario);
  CHECK(mean_in(outcome.metrics, "node_drive_writes_per_day") == Approx(24.0 * 0.1 / nodes));
  scenario.jobs[0].checkpoint->tiers[0].peer = true;  // a node takes a copy of another's as well
  outcome = flow_bound(scenario);
  CHECK(mean_in(outcome.metrics, "node_drive_writes_per_day") == Approx(2.0 * 24.0 * 0.1 / nodes));
  const auto warned = std::any_of(outcome.warnings.begin(), outcome.warnings.end(), [](const Warning& warning) {
    return warning.seen == "the drive writes per day of the nodes is above its limit";
  });
  CHECK(warned == (2.0 * 24.0 * 0.1 / nodes > 1.0));
}

}  // namespace headrace::models
