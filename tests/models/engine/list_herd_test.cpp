// The herd of LIST requests at a start: simulation against the token bucket in closed form.
#include "models/engine/list_herd.hpp"

#include "models/answer/flow_bound.hpp"
#include "models/engine/start_up.hpp"
#include "models/twins/request_limits.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"
#include "tests/twins/retries.hpp"

namespace headrace::models {
namespace {

ListHerd herd(std::uint32_t clients, double pages, std::optional<double> requests_per_s, double split_s = 0.0) {
  ListHerd made;
  made.clients = clients;
  made.pages_per_client = pages;
  made.limit.requests_per_s_per_prefix = requests_per_s;
  made.limit.split_s = split_s;
  return made;
}

}  // namespace

TEST_CASE("listing alone takes a round trip per page") {
  CHECK(simulate_list_herd(herd(1, 200'000, 5500), 1).time_s == Approx(20'000.0));
  CHECK(simulate_list_herd(herd(1, 200'000, std::nullopt), 1).time_s == Approx(20'000.0));
  CHECK(simulate_list_herd(herd(3, 7, std::nullopt), 1).throttled == 0.0);
}

TEST_CASE("a herd on a bucket drains it at its rate, as the twin says", "[statistical]") {
  // 200 clients want 2,000 pages/s of 400: every request is simulated. The bucket is busy nearly to the end; who sleeps
  // then comes last: twice the longest mean back-off, and all of its pages one by one, bound the tail for every seed.
  const ListHerd all = herd(200, 200, 400);
  const HerdAnswer answer = simulate_list_herd(all, 1);
  const double twin_s = twins::token_bucket_drain_s(40'000, 400, 400);
  CHECK(answer.time_s >= twin_s);
  const double tail_s = 2.0 * all.limit.longest_backoff_s + 200 * all.round_trip_s;
  CHECK(answer.time_s < twin_s + tail_s);
  CHECK(answer.throttled > 200.0);
  CHECK(simulate_list_herd(all, 1).time_s == answer.time_s);
}

TEST_CASE("paces of a long herd say what simulating every request says, but for its tail", "[statistical]") {
  // The same herd just below and above the limit of requests that are simulated one by one. Those that slept through
  // long back-offs while others asked on come last: the tail that paces leave out. Fixed seeds; five longest back-offs
  // are more than ten standard deviations of a sleep.
  const HerdAnswer whole = simulate_list_herd(herd(100, 1990, 500), 1);
  const HerdAnswer paced = simulate_list_herd(herd(100, 19900, 500), 1);
  CHECK(paced.time_s / 10.0 <= whole.time_s * 1.01);
  CHECK(paced.time_s / 10.0 > whole.time_s - 100.0);
  CHECK(paced.throttled / 10.0 == Approx(whole.throttled).epsilon(0.5));
}

TEST_CASE("1,250 nodes that list 200 million objects take 12.6 hours on one partition") {
  const HerdAnswer one = simulate_list_herd(herd(1250, 200'000, 5500), 1);
  CHECK(list_herd_bound_s(herd(1250, 200'000, 5500)) / 3600.0 == Approx(12.63).epsilon(0.001));
  CHECK(one.time_s / 3600.0 == Approx(12.63).epsilon(0.02));
  CHECK(one.throttled > 1e6);
  ListHerd partitioned = herd(1250 * 64, 3125, 5500);
  partitioned.limit.prefixes = 13;
  CHECK(list_herd_bound_s(partitioned) / 60.0 < 60.0);
  partitioned.limit.prefixes = 25;
  CHECK(list_herd_bound_s(partitioned) / 60.0 == Approx(30.3).epsilon(0.01));
}

TEST_CASE("partitions that double every 45 minutes shorten the herd to hours, as the twin says") {
  const ListHerd splitting = herd(1250, 200'000, 5500, 2700.0);
  // The bucket allows 4.15 periods; but from the second doubling on the round trips of 1,250 clients are the limit.
  const double twin_s = twins::splitting_bucket_drain_s(250e6, 5500, 5500, 2700.0);
  CHECK(twin_s / 2700.0 == Approx(4.10).epsilon(0.02));
  const HerdAnswer answer = simulate_list_herd(splitting, 1);
  const double by_round_trips_s = 20'000.0;
  CHECK(answer.time_s > by_round_trips_s);
  CHECK(list_herd_bound_s(splitting) == by_round_trips_s);
  CHECK(answer.time_s < 1.15 * by_round_trips_s);
}

TEST_CASE("a bucket that doubles: pages after k periods") {
  CHECK(twins::splitting_bucket_drain_s(700, 0, 1, 100) == Approx(300.0));  // 100 + 200 + 400
  CHECK(twins::splitting_bucket_drain_s(710, 10, 1, 100) == Approx(300.0));
  CHECK(twins::splitting_bucket_drain_s(50, 0, 1, 100) == Approx(50.0));
  CHECK(twins::splitting_bucket_drain_s(500, 0, 2, 0) == Approx(250.0));
}

TEST_CASE("a list is passed on in pieces: the size over the NIC times the fan-out, and one piece per level") {
  const double piece_s = 16.0 * 1024 * 1024 / 1e9;
  CHECK(fan_out_s(1e9, 1, 2, 1e9) == 0.0);
  CHECK(fan_out_s(16.0 * 1024 * 1024 * 60, 2, 1, 1e9) == Approx(60 * piece_s));
  CHECK(fan_out_s(16.0 * 1024 * 1024 * 60, 7, 2, 1e9) == Approx((60 + 1) * 2 * piece_s));  // 1 + 2 + 4 nodes
}

TEST_CASE("the index enters the first step, its requests and its cost, and a manifest needs no LIST") {
  Scenario scenario = test::small_scenario(4);
  scenario.datasets[0].files = 1'000'000;
  scenario.stores[0].limit.requests_per_s_per_prefix = 100.0;
  scenario.stores[0].price.usd_per_list = 5e-6;
  scenario.jobs[0].index = StartIndex{};
  const Outcome every = flow_bound(scenario);
  CHECK(every.find("list_requests")->mean == 4000.0);
  CHECK(every.find("index_time_s")->mean == Approx(100.0));  // 1,000 pages one after the other
  CHECK(every.find("time_to_first_step_s")->mean > 100.0);
  const double waiting_usd = 100.0 / 3600.0 * 8 * 2.0;
  CHECK(every.find("start_up_cost_usd")->mean == Approx(4000 * 5e-6 + waiting_usd));
  scenario.jobs[0].index->set_up_s = 0.5;
  CHECK(flow_bound(scenario).find("index_time_s")->mean == Approx(100.5));
  scenario.jobs[0].index->set_up_s = 0.0;
  scenario.jobs[0].index->mode = IndexMode::one_leader;
  const Outcome leader = flow_bound(scenario);
  CHECK(leader.find("list_requests")->mean == 1000.0);
  CHECK(leader.find("index_time_s")->mean == Approx(100.0 + fan_out_s(64e6, 4, 2, 10e9)));
  scenario.jobs[0].index->mode = IndexMode::manifest;
  const Outcome manifest = flow_bound(scenario);
  CHECK(manifest.find("list_requests")->mean == 0.0);
  CHECK(manifest.find("index_time_s")->mean < 1.0);
  scenario.jobs[0].index.reset();
  CHECK(flow_bound(scenario).find("index_time_s") == nullptr);
}

TEST_CASE("a sample index that does not fit makes the job infeasible") {
  Scenario scenario = test::small_scenario(2);
  scenario.datasets[0].files = 1'000'000'000;
  scenario.cluster.pools[0].host.memory_bytes = 256e9;
  scenario.jobs[0].index = StartIndex{};
  scenario.jobs[0].index->entry_bytes = 100.0;  // x 1e9 samples x 2 ranks = 200 GB
  CHECK(flow_bound(scenario).verdict != Verdict::infeasible);
  scenario.jobs[0].index->entry_bytes = 130.0;
  const Outcome outcome = flow_bound(scenario);
  CHECK(outcome.verdict == Verdict::infeasible);
  REQUIRE(!outcome.warnings.empty());
  CHECK(outcome.warnings.front().cause.find("sample index") != std::string::npos);
}

}  // namespace headrace::models
