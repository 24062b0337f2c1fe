#include "models/campaign/campaign_setup.hpp"

#include <algorithm>
#include <limits>

#include "models/cluster/cluster_plan.hpp"
#include "models/path/epoch_windows.hpp"

namespace headrace::models {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostPlanned = 100'000;

LossCause cause_of(GpuState state) {
  switch (state) {
    case GpuState::collective:
      return LossCause::exchange;
    case GpuState::h2d:
    case GpuState::overhead:
      return LossCause::step_overhead;
    case GpuState::start_up:
      return LossCause::epoch_start;
    default:
      return LossCause::data_wait;
  }
}

/// States of the answer as shares of steady work. What GPUs do in a step is the same in every state of time; waits for
/// data take what is left.
void add_steady_states(const Outcome& steady, double steady_share, CampaignSetup& setup) {
  double others = 0.0;
  for (const GpuStateShare& state : steady.gpu_states) {
    if (state.state == GpuState::checkpoint || state.state == GpuState::failure) continue;
    const double share = state.share / steady_share;
    if (state.state == GpuState::compute) {
      setup.useful_share = std::min(share, 1.0);
      setup.closed_form_goodput = state.share;
    } else if (cause_of(state.state) != LossCause::data_wait && share > 0.0) {
      setup.steady_losses.push_back({cause_of(state.state), share});
      others += share;
    }
  }
  const double waits = 1.0 - setup.useful_share - others;
  if (waits > 1e-12) setup.steady_losses.push_back({LossCause::data_wait, waits});
  const Metric* utilization = steady.find("gpu_utilization");
  if (utilization != nullptr && utilization->ci95 && utilization->mean > 0.0)
    setup.useful_share_error = (utilization->ci95->high - utilization->ci95->low) / 2.0 / utilization->mean;
}

/// The first epoch reads at the speed of empty caches; later ones as far as their caches have come. Cold caches may
/// cost requests where they cost no time.
void add_cold_caches(const Scenario& scenario, const Outcome& steady, CampaignSetup& setup) {
  if (!first_epoch_window(scenario, 0)) return;
  const double steady_s = mean_in(steady.metrics, "epoch_time_s");
  const double first_s = std::max(steady_s, mean_in(steady.metrics, "first_epoch_time_s"));
  const double epoch_s = setup.phases.epoch_work_s;
  const auto later = static_cast<double>(scenario.jobs.front().epochs - 1);
  setup.course.cold_speed = steady_s / first_s;
  setup.course.cold_work_s = epoch_s * (1.0 + later * (1.0 - later_epochs_progress(scenario, 0)));
  const Pool& pool = pool_of(scenario, scenario.jobs.front());
  if (pool.cache.policy != CachePolicy::none || pool.host.page_cache.bytes > 0.0)
    setup.course.failure_cold_work_s = epoch_s / resolve_path(scenario, 0, {}).nodes;
}

void add_planned(const Scenario& scenario, const CampaignOptions& options, CampaignSetup& setup) {
  const Campaign campaign = scenario.campaign.value_or(Campaign{});
  const double cold_s = setup.course.cold_work_s > 0.0 ? setup.phases.epoch_work_s : 0.0;
  std::vector<PlannedStop>& planned = setup.course.planned;
  const double notice_s = scenario.faults && scenario.faults->spot ? scenario.faults->spot->notice_s : 0.0;
  const bool saved = setup.course.interval_s > 0.0 && notice_s > 0.0 && notice_s >= setup.phases.save_s;
  for (const Outage& outage : outages(options.prices, setup.bid_usd_per_gpu_hour)) {
    if (outage.begin_s >= setup.until_s) break;
    // Until the horizon, which an outage does not outlast.
    const double end_s = std::min(outage.end_s, setup.until_s);
    if (!(end_s < kEndless))
      throw UnusableRequest("the price stays above the bid after the end of the trace: the training never finishes",
                            "raise campaign/bid or state a duration");
    planned.push_back({FaultKind::outage, outage.begin_s, end_s - outage.begin_s, cold_s, saved});
  }
  if (campaign.refresh) {
    const double last_s = setup.until_s < kEndless ? setup.until_s : 1e3 * setup.course.work_s;
    for (std::size_t k = 1; k <= kMostPlanned; ++k) {
      const double at_s = static_cast<double>(k) * campaign.refresh->every_s;
      if (!(at_s < last_s)) break;
      planned.push_back({FaultKind::refresh, at_s, 0.0, cold_s * campaign.refresh->changed, true});
    }
  }
  std::stable_sort(planned.begin(), planned.end(),
                   [](const PlannedStop& a, const PlannedStop& b) { return a.at_s < b.at_s; });
}

void require_usable(const Scenario& scenario, const Outcome& steady, double epoch_s) {
  if (is_shared(scenario))
    throw UnusableRequest("a campaign is of one job that has the cluster to itself",
                          "describe one job without background load");
  const auto compute = std::find_if(steady.gpu_states.begin(), steady.gpu_states.end(),
                                    [](const GpuStateShare& s) { return s.state == GpuState::compute; });
  if (compute == steady.gpu_states.end() || !(compute->share > 0.0) || !(epoch_s > 0.0) || !(epoch_s < kEndless))
    throw UnusableRequest("the job of the campaign computes nothing: no hour of it is useful",
                          "give its step a time: jobs/0/step/step_time or jobs/0/step/arithmetic");
}

}  // namespace

CampaignSetup campaign_setup(const Scenario& scenario, const Outcome& steady, const CampaignOptions& options) {
  const double epoch_s = mean_in(steady.metrics, "epoch_time_s");
  require_usable(scenario, steady, epoch_s);
  const Campaign campaign = scenario.campaign.value_or(Campaign{});
  const IngestPath path = resolve_path(scenario, 0, {});
  const SteadyCourse found = steady_course(scenario, steady);
  CampaignSetup setup;
  setup.course = found.course;
  setup.gpus = path.gpus;
  setup.steps_per_epoch = path.steps_per_epoch();
  setup.bid_usd_per_gpu_hour = campaign.bid_usd_per_gpu_hour;
  setup.stops = found.course.failures_per_s > 0.0 || found.course.reclaims_per_s > 0.0;
  setup.phases = phase_times(scenario, steady, epoch_s * found.steady_share);
  const double duration_s = options.duration_s > 0.0 ? options.duration_s : campaign.duration_s;
  setup.until_s = duration_s > 0.0 && !options.until_trained ? duration_s : kEndless;
  if (campaign.steps > 0)
    setup.course.work_s = static_cast<double>(campaign.steps) / setup.steps_per_epoch * setup.phases.epoch_work_s;
  else if (setup.until_s < kEndless)
    setup.course.work_s = 0.0;
  else
    setup.course.work_s = static_cast<double>(scenario.jobs.front().epochs) * setup.phases.epoch_work_s;
  add_steady_states(steady, found.steady_share, setup);
  add_cold_caches(scenario, steady, setup);
  add_planned(scenario, options, setup);
  return setup;
}

}  // namespace headrace::models
