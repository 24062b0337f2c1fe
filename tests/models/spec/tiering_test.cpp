// Flash and a slower store between which data move by age or heat.
#include "models/spec/tiering.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/path/cache_stack.hpp"
#include "models/path/epoch_windows.hpp"
#include "models/path/tier_path.hpp"
#include "models/study/study.hpp"
#include "models/twins/tiering.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/cache_streams.hpp"

using namespace headrace;
using namespace headrace::models;

namespace {

/// 100 GB in 100,000 samples, of which flash holds a quarter.
Scenario tiered(TieringLaw law) {
  Scenario scenario = test::small_scenario(2);
  StoreCache cache;
  cache.bytes = 25e9;
  cache.bandwidth_bytes_per_s = 20e9;
  cache.stream_bytes_per_s = 2e9;
  cache.tiering = Tiering{};
  cache.tiering->law = law;
  cache.tiering->new_bytes_per_s = 1e6;  // 25,000 s on flash, 100,000 s in all
  cache.tiering->half_life_s = 20000.0;
  cache.tiering->churn_per_day = 0.1;
  scenario.stores[0].cache = cache;
  return scenario;
}

double hot_share(const Scenario& scenario) { return shares_at(cache_stack(scenario, 0), 0.5, 0).tiers.shared; }

}  // namespace

TEST_CASE("the share of reads on flash follows from age or heat, from the first epoch on") {
  const Scenario by_age = tiered(TieringLaw::age);
  CHECK(hot_share(by_age) == Approx(twins::share_of_young_reads(25000.0, 100000.0, 20000.0)).epsilon(1e-6));
  Scenario by_heat = tiered(TieringLaw::heat);
  by_heat.datasets[0].skew = 0.9;
  CHECK(hot_share(by_heat) == Approx(twins::share_of_hottest(100000.0, 25000.0, 0.9)).epsilon(2e-3));
  by_heat.datasets[0].skew = 0.0;  // everything is as warm
  CHECK(hot_share(by_heat) == Approx(0.25));
}

TEST_CASE("ages drawn by their law fall on flash as often as the closed form says", "[statistical]") {
  // 200,000 draws of a share near 0.6: standard error 0.0011, the margin is five of them. Fixed seed; 6e-7.
  const double share = twins::share_of_young_reads(25000.0, 100000.0, 20000.0);
  const double ln2 = 0.6931471805599453;
  const double all = 1.0 - sim::pexp(-ln2 * 100000.0 / 20000.0);
  int young = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = sim::uniform({3, 0, sim::Purpose{901}, 0}, static_cast<std::uint64_t>(i));
    const double age_s = -20000.0 / ln2 * sim::plog1p(-u * all);
    young += age_s <= 25000.0 ? 1 : 0;
  }
  CHECK(young / static_cast<double>(kDraws) == Approx(share).margin(0.0055));
}

TEST_CASE("what moves takes bandwidth from store and flash, and costs") {
  Scenario scenario = tiered(TieringLaw::age);
  scenario.stores[0].bandwidth_bytes_per_s = 100e6;
  scenario.stores[0].write_bandwidth_bytes_per_s = 50e6;
  scenario.stores[0].cache->tiering->new_bytes_per_s = 10e6;
  scenario.stores[0].cache->tiering->capacity_usd_per_byte_month = 1e-10;
  scenario.stores[0].cache->tiering->move_usd_per_byte = 1e-12;
  const IngestPath path = resolve_path(scenario, 0, {});
  CHECK(*path.store_bytes_per_s == Approx(80e6));
  CHECK(path.tiers.shared_capacity_bytes_per_s.value() == Approx(20e9 - 20e6));
  const Outcome bound = flow_bound(scenario);
  CHECK(bound.find("migration_bytes_per_day")->mean == Approx(864e9));
  double flash_usd = 0.0;
  double moves_usd = 0.0;
  for (const LedgerLine& line : bound.ledger) {
    if (line.item == "flash tier") flash_usd = line.usd;
    if (line.item == "moves between tiers") moves_usd = line.usd;
  }
  const double epoch_s = bound.find("epoch_time_s")->mean;
  CHECK(flash_usd == Approx(25e9 * 1e-10 * epoch_s / (730.0 * 3600.0)));
  CHECK(moves_usd == Approx(10e6 * 1e-12 * epoch_s));
  Scenario by_heat = tiered(TieringLaw::heat);
  CHECK(flow_bound(by_heat).find("migration_bytes_per_day")->mean == Approx(2.0 * 0.1 * 25e9));
}

TEST_CASE("bound, estimate and simulation read the same shares from flash") {
  Scenario scenario = tiered(TieringLaw::age);
  scenario.stores[0].bandwidth_bytes_per_s = 150e6;
  StudyOptions options;
  options.steps = 1500;
  options.relief = false;
  const double bound_s = flow_bound(scenario).find("step_time_s")->mean;
  const double estimate_s = queueing_estimate(scenario, 1).find("step_time_s")->mean;
  const double simulated_s = simulate(scenario, options).find("step_time_s")->mean;
  CHECK(bound_s > 0.11);  // the store's 40 % of the reads bind
  CHECK(estimate_s >= bound_s * 0.999);
  // 1,500 steps on a full store: the interval is under 2 %; fixed seed.
  CHECK(simulated_s > bound_s * 0.98);
  CHECK(simulated_s == Approx(estimate_s).epsilon(0.1));
}
