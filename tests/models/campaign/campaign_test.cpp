// Campaigns held against closed forms, hand-worked cases and a plain simulation of every event. False-failure rates:
// each comparison of a mean is at five standard errors, 6e-7.
#include "models/campaign/campaign.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "models/answer/flow_bound.hpp"
#include "models/campaign/campaign_figures.hpp"
#include "models/campaign/return_phases.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/path/ingest_path.hpp"
#include "models/twins/checkpoint_interval.hpp"
#include "tests/catch.hpp"
#include "tests/models/small_scenario.hpp"

namespace headrace::models {
namespace {

constexpr double kDay = 86400.0;

struct MeanError {
  double mean = 0.0;
  double error = 0.0;
};

MeanError mean_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  MeanError result;
  for (const double v : values) result.mean += v / n;
  double squares = 0.0;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  result.error = std::sqrt(squares / (n * (n - 1.0)));
  return result;
}

/// A restart that always takes as long, and no time to start.
class FixedReturn : public ReturnTimes {
 public:
  explicit FixedReturn(double seconds) : seconds_(seconds) {}
  double away_s(FaultKind kind, double, double, double) override { return kind == FaultKind::start ? 0.0 : seconds_; }

 private:
  double seconds_;
};

/// Steps of 0.1 s whose data is there; checkpoints of 40 GB stop it.
Scenario campaign_scenario() {
  Scenario scenario = test::small_scenario(4);
  scenario.jobs[0].loader.workers = 16;
  Checkpoint checkpoint;
  checkpoint.bytes = 400e9;
  checkpoint.interval_s = 1800.0;
  checkpoint.store = "store";
  scenario.jobs[0].checkpoint = checkpoint;
  Faults faults;
  faults.node_mtbf_s = 4.0 * 20000.0;
  faults.detection_s = 100.0;
  faults.reschedule_s = 200.0;
  scenario.faults = faults;
  Campaign campaign;
  campaign.duration_s = 20.0 * kDay;
  scenario.campaign = campaign;
  return scenario;
}

CampaignImage some_image() {
  CampaignImage image;
  image.bytes = 10e9;
  image.registry_bytes_per_s = 2e9;
  image.unpack_bytes_per_s = 0.5e9;
  image.import_s = 20.0;
  image.import_opens = 1000.0;
  image.imports_from = "store";
  return image;
}

CampaignOutcome run_of(const Scenario& scenario, const CampaignOptions& options = {}) {
  return run_campaign(scenario, flow_bound(scenario), options);
}

double lost_hours(const CampaignOutcome& outcome, LossCause cause) {
  for (const CampaignLoss& loss : outcome.losses)
    if (loss.cause == cause) return loss.gpu_hours.mean;
  return 0.0;
}

void check_sum(const CampaignOutcome& outcome) {
  double sum = outcome.useful_gpu_hours.mean;
  double shares = outcome.useful_gpu_hours.mean / outcome.gpu_hours.mean;
  for (const CampaignLoss& loss : outcome.losses) {
    sum += loss.gpu_hours.mean;
    shares += loss.share;
    CHECK(loss.gpu_hours.mean > 0.0);
  }
  CHECK(sum == Approx(outcome.gpu_hours.mean).epsilon(1e-9));
  CHECK(shares == Approx(1.0).epsilon(1e-9));
  double usd = 0.0;
  for (const LedgerLine& line : outcome.ledger) usd += line.usd;
  CHECK(usd == Approx(outcome.cost_usd.mean).epsilon(1e-9));
}

}  // namespace

TEST_CASE("long courses on 16,384 GPUs have Daly's efficiency at the best intervals", "[statistical]") {
  // 419 interruptions in 54 days: 3.09 h; 60 s a checkpoint, 300 s a restart. Efficiencies .8757, .8758, .8758.
  const twins::CheckpointCosts costs{60.0, 54.0 * kDay / 419.0, 300.0};
  const double intervals[] = {twins::young_interval_s(costs), twins::daly_interval_s(costs),
                              twins::optimal_interval_s(costs)};
  const double published[] = {0.8757, 0.8758, 0.8758};
  for (std::size_t i = 0; i < 3; ++i) {
    TrainingCourse course;
    course.interval_s = intervals[i];
    course.stall_s = costs.write_s;
    course.failures_per_s = 1.0 / costs.mtbf_s;
    std::vector<double> goodput;
    for (std::uint32_t r = 0; r < 200; ++r) {
      FixedReturn returns(costs.restart_s);
      const CourseResult result = draw_course_until(course, returns, 5, r, 90.0 * kDay);
      const double sum_s = result.work_s + result.lost_s + result.stall_s + result.return_s;
      REQUIRE(sum_s == Approx(90.0 * kDay).epsilon(1e-9));
      goodput.push_back(result.work_s / result.time_s);
    }
    const MeanError found = mean_error(goodput);
    // Work since the last checkpoint counts, for it may last: at most half an interval of 90 days.
    const double edge = 0.5 * intervals[i] / (90.0 * kDay);
    CHECK(std::abs(found.mean - twins::checkpoint_efficiency(costs, intervals[i])) < 5.0 * found.error + edge);
    CHECK(found.mean == Approx(published[i]).margin(6e-4));
    CHECK(found.error < 4e-4);
  }
}

TEST_CASE("a campaign has the goodput of its closed form, and its hours sum", "[statistical]") {
  const Scenario scenario = campaign_scenario();
  const Outcome steady = flow_bound(scenario);
  const CampaignOutcome outcome = run_campaign(scenario, steady, {});
  check_sum(outcome);
  CHECK(outcome.closed_form_goodput == Approx(mean_in(steady.metrics, "gpu_utilization")).epsilon(1e-9));
  REQUIRE(outcome.goodput.ci95);
  const double error = (outcome.goodput.ci95->high - outcome.goodput.ci95->low) / 2.0 / 1.97;
  CHECK(error < 2e-3);
  // The start and the last interval: 30 minutes of 20 days.
  CHECK(std::abs(outcome.goodput.mean - outcome.closed_form_goodput) < 5.0 * error + 1800.0 / (20.0 * kDay));
  CHECK(outcome.gpu_hours.mean == Approx(8.0 * 20.0 * 24.0).epsilon(1e-12));
  CHECK(outcome.cost_usd.mean >= 2.0 * 8.0 * 20.0 * 24.0);
}

TEST_CASE("the phases of a restart sum to the restart of the closed form") {
  Scenario scenario = campaign_scenario();
  for (const bool spot : {false, true}) {
    if (spot) {
      scenario.faults->spot = Spot{};
      scenario.faults->spot->node_mtbp_s = 4.0 * 10000.0;
    }
    const Outcome steady = flow_bound(scenario);
    const PhaseTimes times = phase_times(scenario, steady, 1000.0);
    const double failed_s =
        (1.0 - times.preempting) * (times.detection_s + times.reschedule_s) + times.preempting * times.replacement_s;
    CHECK(times.preempting == Approx(spot ? 2.0 / 3.0 : 0.0));
    CHECK(failed_s + times.listing_s + times.first_batch_s + times.load_s + times.redone_s ==
          Approx(mean_in(steady.metrics, "restart_s")).epsilon(1e-12));
  }
}

TEST_CASE("image and imports by hand") {
  Scenario scenario = campaign_scenario();
  scenario.campaign->image = some_image();
  scenario.stores[0].metadata.latency_s = DistributionSpec::constant(0.001);
  scenario.stores[0].metadata.servers = 2;
  const PhaseTimes times = phase_times(scenario, flow_bound(scenario), 1000.0);
  CHECK(times.image_s == Approx(4.0 * 10.0 / 2.0 + 20.0));  // 40 GB at 2 GB/s, then 10 GB at 0.5 GB/s
  CHECK(times.image_of_node_s == Approx(10.0 / 2.0 + 20.0));
  CHECK(times.imports_s == Approx(20.0 + 8.0 * 1000.0 * 0.001 / 2.0));  // 8 processes, 2 servers
  CHECK(times.imports_of_node_s == Approx(20.0 + 1.0));                 // one process after the other open
  CHECK(times.imports_warm_s == Approx(20.0));
  CHECK(times.cold_start_s() > times.warm_start_s());
  scenario.campaign->image->fan_out = 2;
  const PhaseTimes passed_on = phase_times(scenario, flow_bound(scenario), 1000.0);
  CHECK(passed_on.image_s < times.image_s);
}

TEST_CASE("everything at once still sums to the hours held") {
  Scenario scenario = campaign_scenario();
  scenario.campaign->image = some_image();
  scenario.campaign->fast_forward_samples_per_s = 100.0;
  scenario.campaign->refresh = DatasetRefresh{3.0 * kDay, 0.5};
  scenario.campaign->spare_nodes = 1;
  scenario.campaign->repair_s = 12.0 * 3600.0;
  scenario.campaign->bid_usd_per_gpu_hour = 2.0;
  scenario.faults->spot = Spot{};
  scenario.faults->spot->node_mtbp_s = 4.0 * 50000.0;
  scenario.faults->spot->notice_s = 120.0;
  Degradation slow;
  slow.store = "store";
  slow.every_s = 50000.0;
  slow.lasting_s = 5000.0;
  slow.remaining = 0.05;
  scenario.faults->degraded = {slow};
  CampaignOptions options;
  options.replications = 30;
  options.prices = {{0.0, 1.0}, {5.0 * kDay, 3.0}, {6.0 * kDay, 1.5}};
  const CampaignOutcome outcome = run_of(scenario, options);
  check_sum(outcome);
  CHECK(outcome.closed_s.mean == Approx(kDay).epsilon(1e-9));
  CHECK(outcome.gpu_hours.mean == Approx(8.0 * 19.0 * 24.0).epsilon(1e-9));
  // 5 days at $1 and 14 at $1.5.
  CHECK(outcome.mean_price_usd == Approx((5.0 * 1.0 + 14.0 * 1.5) / 19.0).epsilon(1e-9));
  for (const LossCause cause : {LossCause::image, LossCause::imports, LossCause::fast_forward, LossCause::refresh,
                                LossCause::spare_wait, LossCause::slowing_fault, LossCause::checkpoint})
    CHECK(lost_hours(outcome, cause) > 0.0);
  REQUIRE(outcome.restart_p50_s);
  CHECK(outcome.restart_p50_s->mean <= outcome.restart_p99_s->mean);
  CHECK(outcome.restart_p99_s->mean > outcome.phases.detection_s);
}

TEST_CASE("figures of a campaign that are ratios are those of its sums") {
  // A tenth of a day: some replications meet a failure and train little, so a mean of ratios lies elsewhere.
  Scenario scenario = campaign_scenario();
  scenario.campaign->duration_s = 0.1 * kDay;
  scenario.prices.gpu_hour_usd = 2.0;
  const CampaignOutcome outcome = run_of(scenario);
  CHECK(outcome.goodput.mean == Approx(outcome.useful_gpu_hours.mean / outcome.gpu_hours.mean).epsilon(1e-12));
  REQUIRE(outcome.cost_per_useful_gpu_hour_usd);
  const CampaignFigure& price = *outcome.cost_per_useful_gpu_hour_usd;
  CHECK(price.mean == Approx(outcome.cost_usd.mean / outcome.useful_gpu_hours.mean).epsilon(1e-12));
  REQUIRE(price.ci95);
  CHECK(price.ci95->low < price.mean);
  CHECK(price.ci95->high > price.mean);
}

TEST_CASE("the interval of a ratio is that of its linear form by hand") {
  // 4 / 5: residuals 1 - 0.8 and 3 - 0.8 * 4 over the mean whole 2.5, so -+0.08; Student's t of one degree of freedom.
  const std::optional<CampaignFigure> ratio = campaign_ratio({1.0, 3.0}, {1.0, 4.0});
  REQUIRE(ratio);
  CHECK(ratio->mean == Approx(0.8).epsilon(1e-12));
  REQUIRE(ratio->ci95);
  CHECK(ratio->ci95->high - ratio->mean == Approx(0.08 * 12.706).epsilon(1e-4));
  CHECK_FALSE(campaign_ratio({1.0, 2.0}, {0.0, 0.0}));
}

TEST_CASE("a campaign without a useful hour says so, and names no price of one") {
  Scenario scenario = campaign_scenario();
  scenario.prices.gpu_hour_usd = 2.0;
  scenario.faults->node_mtbf_s = 4.0 * 30.0;  // before detection ends
  CampaignOptions options;
  options.replications = 4;
  const CampaignOutcome outcome = run_of(scenario, options);
  CHECK(outcome.cost_usd.mean > 0.0);
  CHECK_FALSE(outcome.cost_per_useful_gpu_hour_usd);
  const auto says = [&](std::string_view text) {
    return std::any_of(outcome.warnings.begin(), outcome.warnings.end(),
                       [&](const Warning& warning) { return warning.seen == text; });
  };
  CHECK(says("no GPU hour of the campaign is useful"));
  CHECK(says("no restart after a failure came to its end"));
  CHECK_FALSE(says("no replication met a failure"));
  for (const CampaignLoss& loss : outcome.losses) CHECK(loss.gpu_hours.ci95->low >= 0.0);
}

TEST_CASE("the same seed gives the same campaign, and another one another") {
  const Scenario scenario = campaign_scenario();
  CampaignOptions options;
  options.replications = 10;
  const double goodput = run_of(scenario, options).goodput.mean;
  CHECK(run_of(scenario, options).goodput.mean == goodput);
  options.seed = 2;
  CHECK(run_of(scenario, options).goodput.mean != goodput);
}

TEST_CASE("a plain simulation of every failure agrees", "[statistical]") {
  // Four nodes whose failures come one by one, one spare, repairs, phases one after the other.
  Scenario scenario = campaign_scenario();
  scenario.campaign->image = some_image();
  scenario.campaign->duration_s = 100.0 * kDay;
  scenario.campaign->spare_nodes = 1;
  scenario.campaign->repair_s = 20000.0;
  const Outcome steady = flow_bound(scenario);
  const CampaignOutcome outcome = run_campaign(scenario, steady, {});
  const PhaseTimes& p = outcome.phases;
  const double stall_s = mean_in(steady.metrics, "checkpoint_stall_s");
  const double horizon_s = scenario.campaign->duration_s;
  std::mt19937_64 random(20261124);
  std::vector<double> work_share;
  std::vector<double> restarts_s;
  for (int r = 0; r < 200; ++r) {
    std::exponential_distribution<double> life(1.0 / scenario.faults->node_mtbf_s);
    std::exponential_distribution<double> repair(1.0 / scenario.campaign->repair_s);
    double fails_s[4];
    for (double& node : fails_s) node = life(random);
    std::vector<double> broken_until_s;
    double now_s = 0.0;
    double ready_s = p.cold_start_s();
    double stopped_s = -1.0;  // when the restart on the way began
    double saved_s = 0.0;
    double unsaved_s = 0.0;
    bool writing = false;
    double written_s = 0.0;
    while (now_s < horizon_s) {
      double* next_failure = std::min_element(std::begin(fails_s), std::end(fails_s));
      double event_s = std::min(*next_failure, horizon_s);
      if (now_s < ready_s) {
        event_s = std::min(event_s, ready_s);
        now_s = event_s;
        if (now_s == ready_s && stopped_s >= 0.0) {
          restarts_s.push_back(ready_s - stopped_s);
          stopped_s = -1.0;
        }
      } else if (writing) {
        const double end_s = now_s + stall_s - written_s;
        event_s = std::min(event_s, end_s);
        written_s += event_s - now_s;
        now_s = event_s;
        if (now_s == end_s) {
          saved_s += unsaved_s;
          unsaved_s = 0.0;
          writing = false;
        }
      } else {
        const double end_s = now_s + 1800.0 - unsaved_s;
        event_s = std::min(event_s, end_s);
        unsaved_s += event_s - now_s;
        now_s = event_s;
        if (now_s == end_s) {
          writing = true;
          written_s = 0.0;
          unsaved_s = 1800.0;
        }
      }
      if (now_s < *next_failure || now_s >= horizon_s) continue;
      *next_failure = now_s + life(random);
      if (now_s >= ready_s) stopped_s = now_s;  // otherwise it fails on its way, and the restart goes on
      unsaved_s = 0.0;
      writing = false;
      std::erase_if(broken_until_s, [&](double until_s) { return until_s <= now_s; });
      broken_until_s.push_back(now_s + repair(random));
      double nodes_s = now_s + p.detection_s + p.reschedule_s;
      if (broken_until_s.size() > 1) {  // all but one must be back
        std::sort(broken_until_s.begin(), broken_until_s.end());
        nodes_s = std::max(nodes_s, broken_until_s[broken_until_s.size() - 2]);
      }
      ready_s = nodes_s + p.image_of_node_s + p.imports_of_node_s + p.listing_s + p.load_s + p.first_batch_s;
    }
    work_share.push_back((saved_s + unsaved_s) / horizon_s);
  }
  const MeanError plain = mean_error(work_share);
  const double found = outcome.epochs.mean * p.epoch_work_s / horizon_s;
  REQUIRE(outcome.epochs.ci95);
  const double own = (outcome.epochs.ci95->high - outcome.epochs.ci95->low) / 2.0 / 1.97 * p.epoch_work_s / horizon_s;
  CHECK(std::abs(found - plain.mean) < 5.0 * std::hypot(own, plain.error));
  CHECK(plain.error < 2e-3);
  std::sort(restarts_s.begin(), restarts_s.end());
  REQUIRE(outcome.restart_p99_s);
  // About 17,000 restarts each; the order statistics of both have arms of 1.96 standard errors.
  const auto at = [&](double q) {
    return restarts_s[static_cast<std::size_t>(q * static_cast<double>(restarts_s.size()))];
  };
  const Interval p99 = *outcome.restart_p99_s->ci95;
  CHECK(std::abs(at(0.99) - outcome.restart_p99_s->mean) < 5.0 * std::sqrt(2.0) * (p99.high - p99.low) / 2.0 / 1.96);
  CHECK(at(0.5) == Approx(outcome.restart_p50_s->mean).epsilon(1e-9));  // most restarts meet neither wait nor failure
}

TEST_CASE("waits for spares take the share of time in which too many nodes are broken", "[statistical]") {
  // Broken nodes are an M/M/inf queue: Poisson with mean 12 h / 20,000 s = 2.16; P(more than 2) by hand.
  Scenario scenario = campaign_scenario();
  scenario.faults->detection_s = 0.0;
  scenario.faults->reschedule_s = 0.0;
  scenario.campaign->duration_s = 100.0 * kDay;
  scenario.campaign->spare_nodes = 2;
  scenario.campaign->repair_s = 43200.0;
  const CampaignOutcome outcome = run_of(scenario);
  const double tail = 1.0 - std::exp(-2.16) * (1.0 + 2.16 + 2.16 * 2.16 / 2.0);
  CHECK(tail == Approx(0.3665).margin(1e-4));
  for (const CampaignLoss& loss : outcome.losses) {
    if (loss.cause != LossCause::spare_wait) continue;
    const double error = (loss.gpu_hours.ci95->high - loss.gpu_hours.ci95->low) / 2.0 / 1.97 / outcome.gpu_hours.mean;
    CHECK(error < 0.006);
    // It begins with no broken node: a mean repair less than 0.5 % of the time.
    CHECK(std::abs(loss.share - tail) < 5.0 * error + 0.5 / 100.0);
  }
  CHECK(lost_hours(outcome, LossCause::spare_wait) > 0.0);
}

TEST_CASE("nodes in reserve are paid for as long as those in use") {
  Scenario scenario = campaign_scenario();
  scenario.campaign->repair_s = 3600.0;
  scenario.campaign->spare_nodes = 2;  // beside four
  const CampaignOutcome outcome = run_of(scenario);
  const auto line = [&](std::string_view item) {
    const auto found = std::find_if(outcome.ledger.begin(), outcome.ledger.end(),
                                    [item](const LedgerLine& one) { return one.item == item; });
    REQUIRE(found != outcome.ledger.end());
    return *found;
  };
  const LedgerLine spares = line("spare nodes, with their GPUs");
  REQUIRE(line("gpu hours").usd > 0.0);
  CHECK(spares.usd == Approx(0.5 * (line("gpu hours").usd + line("node hours").usd)).epsilon(1e-9));
  CHECK(spares.quantity == Approx(0.5 * line("node hours").quantity).epsilon(1e-9));
  check_sum(outcome);
}

TEST_CASE("a training of less than an epoch takes its steps, at the speed of empty caches") {
  Scenario scenario = campaign_scenario();
  scenario.faults.reset();
  scenario.jobs[0].checkpoint.reset();
  scenario.campaign->duration_s = 0.0;
  scenario.campaign->steps = 100;
  const Outcome steady = flow_bound(scenario);
  const CampaignOutcome outcome = run_campaign(scenario, steady, {});
  const double step_s = mean_in(steady.metrics, "step_time_s");
  CHECK(outcome.steps.mean == Approx(100.0).epsilon(1e-9));
  CHECK(outcome.epochs.mean < 1.0);
  CHECK(outcome.elapsed_s.mean == Approx(outcome.cold_first_step_s + 100.0 * step_s).epsilon(1e-3));
  check_sum(outcome);
}

TEST_CASE("a campaign pays the requests of its first epoch with cold caches") {
  Scenario scenario = campaign_scenario();
  scenario.faults.reset();
  scenario.jobs[0].checkpoint.reset();
  scenario.stores[0].price.usd_per_request = 4e-7;
  scenario.cluster.pools[0].cache.policy = CachePolicy::pinned;
  scenario.cluster.pools[0].cache.bytes = 60e9;  // of 100 GB
  scenario.cluster.pools[0].nodes = 1;           // whose cache is full after one epoch
  scenario.jobs[0].epochs = 5;
  const Outcome steady = flow_bound(scenario);
  const auto requests_in = [](const std::vector<LedgerLine>& ledger) {
    const auto found =
        std::find_if(ledger.begin(), ledger.end(), [](const LedgerLine& l) { return l.item == "requests"; });
    return found == ledger.end() ? LedgerLine{} : *found;
  };
  Scenario once = scenario;
  once.jobs[0].epochs = 1;
  const LedgerLine first = requests_in(flow_bound(once).ledger);
  const LedgerLine last = requests_in(steady.ledger);
  REQUIRE(first.quantity > 2.0 * last.quantity);
  scenario.campaign->duration_s = 0.0;
  scenario.campaign->steps = 8000;
  const CampaignOutcome outcome = run_of(scenario);
  REQUIRE(outcome.epochs.mean > 1.0);
  const double later_epochs = outcome.epochs.mean - 1.0;
  const LedgerLine paid = requests_in(outcome.ledger);
  CHECK(paid.quantity == Approx(first.quantity + later_epochs * last.quantity).epsilon(1e-9));
  CHECK(paid.usd == Approx(first.usd + later_epochs * last.usd).epsilon(1e-9));
  check_sum(outcome);
}

TEST_CASE("cold caches slow the first epoch by its own time") {
  TrainingCourse course;
  course.work_s = 1000.0;
  course.cold_work_s = 400.0;
  course.cold_speed = 0.5;
  course.interval_s = 100.0;
  course.stall_s = 1.0;
  FixedReturn returns(0.0);
  const CourseResult result = draw_course_until(course, returns, 1, 0, std::numeric_limits<double>::infinity());
  CHECK(result.warm_up_s == Approx(400.0));
  CHECK(result.time_s == Approx(1400.0 + 9.0));
  CHECK(result.stall_s == Approx(9.0));
  course.planned = {{FaultKind::refresh, 1200.0, 0.0, 50.0, true}};
  const CourseResult refreshed = draw_course_until(course, returns, 1, 0, std::numeric_limits<double>::infinity());
  CHECK(refreshed.warm_up_s == Approx(450.0));
}

TEST_CASE("a price trace by hand") {
  const PriceTrace trace{{0.0, 1.0}, {3600.0, 4.0}, {7200.0, 3.0}, {10800.0, 2.0}};
  const std::vector<Outage> out = outages(trace, 2.5);
  REQUIRE(out.size() == 1);
  CHECK(out[0].begin_s == 3600.0);
  CHECK(out[0].end_s == 10800.0);
  CHECK(held_usd(trace, 2.5, 14400.0) == Approx(1.0 + 2.0));
  CHECK(held_usd(trace, std::nullopt, 14400.0) == Approx(10.0));
  CHECK(held_usd(trace, 3.0, 9000.0) == Approx(1.0 + 1.5));
  CHECK(outages(trace, std::nullopt).empty());
  CHECK(outages(trace, 0.5).size() == 1);
}

TEST_CASE("campaigns that cannot be are refused") {
  Scenario scenario = campaign_scenario();
  scenario.jobs[0].copies = 2;
  scenario.jobs[0].nodes = 2;
  CHECK_THROWS_AS(run_of(scenario), UnusableRequest);
  scenario = campaign_scenario();
  scenario.campaign->bid_usd_per_gpu_hour = 1.0;
  CampaignOptions options;
  options.until_trained = true;
  options.prices = {{0.0, 2.0}};
  CHECK_THROWS_AS(run_of(scenario, options), UnusableRequest);
  Outcome nothing = flow_bound(campaign_scenario());
  for (GpuStateShare& state : nothing.gpu_states) state.share = 0.0;
  CHECK_THROWS_AS(run_campaign(campaign_scenario(), nothing, {}), UnusableRequest);
}

}  // namespace headrace::models
