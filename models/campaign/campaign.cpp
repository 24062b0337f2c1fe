#include "models/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>  // std::sqrt, std::ceil and std::floor only
#include <limits>
#include <numeric>

#include "models/campaign/campaign_cost.hpp"
#include "models/campaign/campaign_figures.hpp"
#include "models/campaign/campaign_setup.hpp"
#include "models/campaign/return_phases.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

/// What is kept of every replication.
struct Histories {
  std::vector<double> elapsed_s, held_s, closed_s, useful_s, epochs, failures, reclaims, cost_usd;
  LossHistories lost_s;
  std::vector<double> restarts_s;
  CampaignBill bill;
  double price_usd = 0.0;  ///< of one GPU
};

LossTimes losses_of(const CampaignSetup& setup, const CourseResult& result, const ReturnPhases& phases) {
  LossTimes lost = phases.lost();
  time_of(lost, LossCause::lost_work) += result.lost_s;
  time_of(lost, LossCause::checkpoint) += result.stall_s;
  time_of(lost, LossCause::slowing_fault) += result.slowed_s;
  time_of(lost, LossCause::warm_up) += result.warm_up_s;
  for (const SteadyLoss& steady : setup.steady_losses) time_of(lost, steady.cause) += steady.share * result.work_s;
  return lost;
}

void draw_one(const CampaignSetup& setup, const CampaignOptions& options, std::uint32_t replication,
              Histories& histories) {
  ReturnPhases phases(setup.phases, options.seed, replication);
  const CourseResult result = draw_course_until(setup.course, phases, options.seed, replication, setup.until_s);
  if (!std::isfinite(result.time_s))
    throw UnusableRequest("the training never finishes: it fails before it makes progress",
                          "reduce failures, restart sooner, or checkpoint more often: faults, checkpoint/interval");
  phases.finish(result.time_s);
  const LossTimes lost = losses_of(setup, result, phases);
  const double held_s = result.time_s - result.closed_s;
  const double useful_s = setup.useful_share * result.work_s;
  histories.elapsed_s.push_back(result.time_s);
  histories.held_s.push_back(held_s);
  histories.closed_s.push_back(result.closed_s);
  histories.useful_s.push_back(useful_s);
  histories.epochs.push_back(result.work_s / setup.phases.epoch_work_s);
  histories.failures.push_back(static_cast<double>(result.failures));
  histories.reclaims.push_back(static_cast<double>(result.reclaims));
  for (std::size_t c = 0; c < kLossCauseCount; ++c) histories.lost_s[c].push_back(lost[c]);
  histories.restarts_s.insert(histories.restarts_s.end(), phases.restarts_s().begin(), phases.restarts_s().end());
  const double price_usd = held_usd(options.prices, setup.bid_usd_per_gpu_hour, result.time_s);
  const double read_epochs = (result.work_s + result.lost_s) / setup.phases.epoch_work_s;
  const double cold_epochs = result.cold_s / setup.phases.epoch_work_s;
  const double cost_usd = histories.bill.add({held_s, read_epochs, cold_epochs, static_cast<double>(phases.listings()),
                                              options.prices.empty() ? -1.0 : price_usd});
  histories.price_usd += price_usd;
  histories.cost_usd.push_back(cost_usd);
}

/// A quantile with the interval of its order statistics (normal approximation of the binomial).
CampaignFigure quantile(const std::vector<double>& sorted, double p) {
  const auto n = static_cast<double>(sorted.size());
  const auto at = [&](double rank) {
    return sorted[static_cast<std::size_t>(std::clamp(std::ceil(rank) - 1.0, 0.0, n - 1.0))];
  };
  const double arm = 1.96 * std::sqrt(n * p * (1.0 - p));
  return {at(n * p), Interval{at(n * p - arm), at(n * p + arm + 1.0)}};
}

void add_restarts(std::vector<double> restarts_s, CampaignOutcome& outcome) {
  outcome.restarts = restarts_s.size();
  if (restarts_s.empty()) return;
  std::sort(restarts_s.begin(), restarts_s.end());
  outcome.restart_p50_s = quantile(restarts_s, 0.5);
  outcome.restart_p99_s = quantile(restarts_s, 0.99);
  for (int percent = 1; percent < 100; ++percent)
    outcome.restart_quantiles_s.push_back(quantile(restarts_s, percent / 100.0).mean);
}

void add_figures(const CampaignSetup& setup, const Histories& histories, CampaignOutcome& outcome) {
  const double hours = setup.gpus / kHourSeconds;
  outcome.elapsed_s = campaign_figure(histories.elapsed_s);
  outcome.closed_s = campaign_figure(histories.closed_s);
  outcome.gpu_hours = campaign_figure(histories.held_s, hours);
  outcome.useful_gpu_hours = campaign_figure(histories.useful_s, hours);
  outcome.goodput = campaign_ratio(histories.useful_s, histories.held_s).value_or(CampaignFigure{});
  outcome.epochs = campaign_figure(histories.epochs);
  outcome.steps = campaign_figure(histories.epochs, setup.steps_per_epoch);
  outcome.failures = campaign_figure(histories.failures);
  outcome.reclaims = campaign_figure(histories.reclaims);
  outcome.cost_usd = campaign_figure(histories.cost_usd);
  outcome.cost_per_useful_gpu_hour_usd = campaign_ratio(histories.cost_usd, histories.useful_s, 1.0 / hours);
  for (CampaignFigure* one : {&outcome.useful_gpu_hours, &outcome.goodput}) widen(*one, setup.useful_share_error);
  if (outcome.cost_per_useful_gpu_hour_usd) widen(*outcome.cost_per_useful_gpu_hour_usd, setup.useful_share_error);
  outcome.losses = campaign_losses(histories.lost_s, hours, outcome.gpu_hours.mean);
  add_restarts(histories.restarts_s, outcome);
}

void add_warnings(const Scenario& scenario, const CampaignSetup& setup, const Outcome& steady,
                  CampaignOutcome& outcome) {
  if (steady.verdict == Verdict::infeasible)
    for (const Warning& warning : steady.warnings) outcome.warnings.push_back(warning);
  const Job& job = scenario.jobs.front();
  if (outcome.duration_s > 0.0 && job.epochs != Job{}.epochs && outcome.epochs.mean > static_cast<double>(job.epochs))
    outcome.warnings.push_back(
        {fmt::format("the job has its {} epochs before the campaign ends, and trains on: {:.0f} epochs", job.epochs,
                     outcome.epochs.mean),
         "", "--until trained ends with its epochs"});
  if (!setup.stops)
    outcome.warnings.push_back({"the scenario states no failures, so the campaign loses no time to them", "",
                                "state faults and a checkpoint of the job (headrace explain faults checkpoint)"});
  const bool stopped = outcome.failures.mean + outcome.reclaims.mean > 0.0;
  if (setup.stops && !stopped)
    outcome.warnings.push_back({"no replication met a failure",
                                "the campaign is much shorter than the time between failures of the job",
                                "add --replications, or read the closed form"});
  if (stopped && outcome.restarts == 0)
    outcome.warnings.push_back({"no restart after a failure came to its end",
                                "the campaign ends, or the next failure comes, before training goes on",
                                "a longer campaign (--days), or fewer failures (faults)"});
  if (!outcome.cost_per_useful_gpu_hour_usd)
    outcome.warnings.push_back({"no GPU hour of the campaign is useful",
                                "it ends, or fails again, before any step is done that lasts",
                                "a longer campaign (--days), a shorter checkpoint interval, or fewer failures"});
}

}  // namespace

CampaignOutcome run_campaign(const Scenario& scenario, const Outcome& steady, const CampaignOptions& options) {
  const CampaignSetup setup = campaign_setup(scenario, steady, options);
  Histories histories;
  histories.bill = CampaignBill(scenario, steady, setup.gpus);
  for (std::uint32_t r = 0; r < options.replications; ++r) draw_one(setup, options, r, histories);
  CampaignOutcome outcome;
  outcome.seed = options.seed;
  outcome.replications = options.replications;
  outcome.steady = steady.metrics.empty() ? AnswerKind::bound : steady.metrics.front().kind;
  outcome.duration_s = setup.until_s < std::numeric_limits<double>::infinity() ? setup.until_s : 0.0;
  outcome.gpus = setup.gpus;
  outcome.phases = setup.phases;
  outcome.cold_first_step_s = setup.phases.cold_start_s();
  outcome.warm_first_step_s = setup.phases.warm_start_s();
  outcome.closed_form_goodput = setup.closed_form_goodput;
  outcome.checkpoint_interval_s = setup.course.interval_s;
  outcome.best_interval_s = mean_in(steady.metrics, "checkpoint_best_interval_s");
  outcome.mtbf_s = setup.course.failures_per_s > 0.0 ? 1.0 / setup.course.failures_per_s : 0.0;
  add_figures(setup, histories, outcome);
  outcome.ledger = histories.bill.lines(options.replications);
  const double held_s = std::accumulate(histories.held_s.begin(), histories.held_s.end(), 0.0);
  outcome.mean_price_usd = held_s > 0.0 ? histories.price_usd / held_s * kHourSeconds : 0.0;
  outcome.room = room_facts(scenario, steady);
  add_warnings(scenario, setup, steady, outcome);
  return outcome;
}

}  // namespace headrace::models
