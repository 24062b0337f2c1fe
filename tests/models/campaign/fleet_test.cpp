// Campaigns of many jobs from a scenario: hours that sum, sets of jobs answered once, and what is refused.
#include "models/campaign/fleet.hpp"

#include <set>
#include <string>

#include <algorithm>
#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/path/ingest_path.hpp"

#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

constexpr double kOneDay = 86400.0;

/// Four nodes; large jobs that save when small ones come, which share a store that feeds one large job and no more.
Scenario fleet_scenario() {
  Scenario scenario = test::small_scenario(4);
  scenario.stores[0].bandwidth_bytes_per_s = 1.0e9;
  Job& large = scenario.jobs[0];
  large.name = "large";
  large.nodes = 3;
  large.loader.workers = 16;
  Checkpoint checkpoint;
  checkpoint.bytes = 40e9;
  checkpoint.interval_s = 1800.0;
  checkpoint.store = "store";
  large.checkpoint = checkpoint;
  JobQueue queue;
  queue.every_s = DistributionSpec::exponential(0.5 * kOneDay);
  queue.steps = DistributionSpec::exponential(200000.0);
  queue.preemption = Preemption::save;
  large.queue = queue;
  Job small = large;
  small.name = "small";
  small.nodes = 1;
  small.gpus_per_node = 1;
  queue.every_s = DistributionSpec::exponential(0.2 * kOneDay);
  queue.steps = DistributionSpec::lognormal(60000.0, 1.0);
  queue.preemption = Preemption::none;
  queue.priority = 1;
  small.queue = queue;
  scenario.jobs.push_back(small);
  Faults faults;
  faults.node_mtbf_s = 3.0 * kOneDay;
  faults.detection_s = 100.0;
  faults.reschedule_s = 200.0;
  scenario.faults = faults;
  Campaign campaign;
  campaign.duration_s = 10.0 * kOneDay;
  CampaignImage image;
  image.bytes = 10e9;
  image.registry_bytes_per_s = 2e9;
  campaign.image = image;
  scenario.campaign = campaign;
  return scenario;
}

Outcome bounded(const Scenario& scenario) { return flow_bound(scenario); }
Outcome estimated(const Scenario& scenario) { return queueing_estimate(scenario, 1); }

CampaignOptions of_replications(std::uint32_t replications) {
  CampaignOptions options;
  options.replications = replications;
  return options;
}

double sum_of(const std::vector<CampaignLoss>& losses) {
  double sum = 0.0;
  for (const CampaignLoss& loss : losses) sum += loss.gpu_hours.mean;
  return sum;
}

double hours_lost(const FleetOutcome& outcome, LossCause cause) {
  for (const CampaignLoss& loss : outcome.losses)
    if (loss.cause == cause) return loss.gpu_hours.mean;
  return 0.0;
}

std::string refusal_of(const Scenario& scenario, const CampaignOptions& options = of_replications(2)) {
  try {
    run_fleet(scenario, bounded, options);
  } catch (const UnusableRequest& error) {
    CHECK(!error.fix().empty());
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("hours of a campaign of many jobs sum by pool and by class, and so do dollars") {
  const FleetOutcome outcome = run_fleet(fleet_scenario(), estimated, of_replications(20));
  CHECK(outcome.gpu_hours.mean == Approx(8.0 * 240.0).epsilon(1e-12));
  CHECK(outcome.useful_gpu_hours.mean + sum_of(outcome.losses) == Approx(outcome.gpu_hours.mean).epsilon(1e-9));
  double held_hours = hours_lost(outcome, LossCause::unused_gpus);
  for (const FleetClassOutcome& one : outcome.classes) {
    CHECK(one.useful_gpu_hours.mean + sum_of(one.losses) == Approx(one.gpu_hours.mean).epsilon(1e-9));
    CHECK(one.arrived.mean >= one.started.mean);
    CHECK(one.started.mean >= one.finished.mean);
    held_hours += one.gpu_hours.mean;
  }
  CHECK(held_hours == Approx(outcome.held_gpu_hours.mean).epsilon(1e-9));
  const FleetPoolOutcome& pool = outcome.pools.at(0);
  CHECK(pool.used.mean + pool.queued.mean + pool.idle.mean == Approx(1.0).epsilon(1e-9));
  for (const LossCause cause : {LossCause::queued, LossCause::idle, LossCause::preempted, LossCause::sharing,
                                LossCause::unused_gpus, LossCause::lost_work, LossCause::image}) {
    CAPTURE(kLossCauses[static_cast<std::size_t>(cause)].name);
    CHECK(hours_lost(outcome, cause) > 0.0);
  }
  CHECK(outcome.classes[0].preemptions.mean > 1.0);
  CHECK(outcome.classes[1].preemptions.mean == 0.0);
  CHECK(outcome.classes[1].wait.mean_s->mean < outcome.classes[0].wait.mean_s->mean);
  CHECK(outcome.classes[0].wait.p50_s->mean <= outcome.classes[0].wait.p99_s->mean);
  double usd = 0.0;
  for (const LedgerLine& line : outcome.ledger) usd += line.usd;
  CHECK(usd == Approx(outcome.cost_usd.mean).epsilon(1e-9));
  CHECK(outcome.cost_usd.mean >= 2.0 * 8.0 * 240.0 * (1.0 - 1e-9));  // all GPUs of the pool are paid for
}

TEST_CASE("where jobs slow each other, a campaign says which one most, beside which others, and the busiest resource") {
  const auto told = [](const FleetOutcome& outcome) {
    const auto found = std::find_if(outcome.warnings.begin(), outcome.warnings.end(), [](const Warning& warning) {
      return warning.seen.starts_with("jobs slow each other: at worst ");
    });
    return found == outcome.warnings.end() ? Warning{} : *found;
  };
  Scenario scenario = fleet_scenario();
  CHECK(told(run_fleet(scenario, bounded, of_replications(4))).seen.empty());
  scenario.stores.front().bandwidth_bytes_per_s = 1e8;
  const Warning slow = told(run_fleet(scenario, estimated, of_replications(4)));
  INFO(slow.seen << "; " << slow.cause);
  CHECK(slow.seen.find("of its speed alone, when ") != std::string::npos);
  CHECK(slow.cause.find("store bandwidth") != std::string::npos);
  CHECK(slow.fix.starts_with("give store bandwidth"));
  CHECK(slow.fix.find("useful GPU hours would grow by ") != std::string::npos);
}

TEST_CASE("what jobs lose to each other is told beside the same campaign with a store that slows none") {
  Scenario scenario = fleet_scenario();
  for (Job& job : scenario.jobs) {  // checkpoints would depend on the store, too
    job.checkpoint.reset();
    job.queue->preemption = Preemption::none;
  }
  CHECK_FALSE(run_fleet(scenario, bounded, of_replications(4)).without_sharing);
  const FleetOutcome wide = run_fleet(scenario, bounded, of_replications(8));
  const FleetAnswer halved = [](const Scenario& set) {
    Scenario narrow = set;
    narrow.stores.front().bandwidth_bytes_per_s = 1e8;
    return narrow.jobs.size() + narrow.jobs.front().copies > 2 ? flow_bound(narrow) : flow_bound(set);
  };
  const FleetOutcome slow = run_fleet(scenario, halved, of_replications(8));
  REQUIRE(slow.without_sharing);
  CHECK(slow.useful_gpu_hours.mean + slow.without_sharing->gained_gpu_hours.mean ==
        Approx(wide.useful_gpu_hours.mean).epsilon(1e-9));
  for (std::size_t k = 0; k < slow.classes.size(); ++k)
    CHECK(slow.without_sharing->completion[k].mean_s->mean ==
          Approx(wide.classes[k].completion.mean_s->mean).epsilon(1e-9));
}

TEST_CASE("each set of jobs is answered once, and the bound sees nothing of sharing") {
  const Scenario scenario = fleet_scenario();
  std::multiset<std::string> asked;
  const FleetAnswer answer = [&](const Scenario& set) {
    std::string name;
    for (const Job& job : set.jobs) name += job.name + std::to_string(job.copies) + " ";
    asked.insert(name);
    return bounded(set);
  };
  const FleetOutcome outcome = run_fleet(scenario, answer, of_replications(10));
  // Each class alone, for its phases; beside each other: up to four small ones, and one with the large one.
  CHECK(asked == std::multiset<std::string>{"large1 ", "small1 ", "small2 ", "small3 ", "small4 ", "large1 small1 "});
  CHECK(outcome.sets == 4);
  CHECK(outcome.steady == AnswerKind::bound);
  CHECK(hours_lost(outcome, LossCause::sharing) == 0.0);
}

TEST_CASE("a campaign of many until all are done ends, and its jobs are drawn by seed and replication") {
  Scenario scenario = fleet_scenario();
  scenario.jobs[0].queue.reset();
  scenario.jobs[0].epochs = 3;
  scenario.jobs[1].queue->every_s = DistributionSpec::constant(0.0);
  scenario.jobs[1].queue->at_s = 3600.0;
  CampaignOptions options = of_replications(5);
  options.until_trained = true;
  const FleetOutcome outcome = run_fleet(scenario, bounded, options);
  CHECK(outcome.duration_s == 0.0);
  for (const FleetClassOutcome& one : outcome.classes) CHECK(one.finished.mean == 1.0);
  CHECK(run_fleet(scenario, bounded, options).elapsed_s.mean == outcome.elapsed_s.mean);
  options.seed = 2;
  CHECK(run_fleet(scenario, bounded, options).elapsed_s.mean != outcome.elapsed_s.mean);
}

TEST_CASE("campaigns of many jobs that make no sense are refused with their fix") {
  const auto refused = [](auto change, const std::string& words) {
    Scenario scenario = fleet_scenario();
    change(scenario);
    CHECK(refusal_of(scenario).find(words) != std::string::npos);
  };
  refused([](Scenario& s) { s.jobs.clear(); }, "has none");
  refused([](Scenario& s) { s.jobs[0].nodes = 5; }, "5 nodes of a pool of 4");
  refused([](Scenario& s) { s.jobs[1].queue->at_s = 11.0 * kOneDay; }, "after the end");
  refused([](Scenario& s) { s.jobs[0].queue->quota_nodes = 2; }, "never starts");
  refused([](Scenario& s) { s.campaign->duration_s = 0.0; }, "no end");
  refused([](Scenario& s) { s.jobs[1].queue->every_s = DistributionSpec::constant(0.01); }, "million");
  refused([](Scenario& s) { s.campaign->repair_s = 3600.0; }, "repairs");
  refused([](Scenario& s) { s.campaign->refresh = DatasetRefresh{kOneDay, 1.0}; }, "renewals");
  refused([](Scenario& s) { s.campaign->steps = 100; }, "campaign/steps");
  refused(
      [](Scenario& s) {
        s.faults.reset();
        s.jobs[0].checkpoint.reset();
      },
      "no checkpoints");
  Scenario traced = fleet_scenario();
  CampaignOptions options = of_replications(2);
  options.prices = {{0.0, 1.0}};
  CHECK(refusal_of(traced, options).find("price") != std::string::npos);
}

TEST_CASE("jobs that queue are no steady cluster: other answers refuse them") {
  Scenario scenario = fleet_scenario();
  scenario.jobs[1].copies = 2;
  CHECK_THROWS_AS(flow_bound(scenario), UnusableRequest);
  CHECK_THROWS_AS(queueing_estimate(scenario, 1), UnusableRequest);
  scenario.jobs[1].copies = 1;
  CHECK_NOTHROW(flow_bound(scenario));
}

TEST_CASE("a job without a queue and without others is a campaign of one") {
  Scenario scenario = test::small_scenario(4);
  CHECK_FALSE(is_fleet(scenario));
  scenario.jobs[0].queue = JobQueue{};
  CHECK(is_fleet(scenario));
}

}  // namespace headrace::models
