#include "models/campaign/fleet_setup.hpp"

#include <algorithm>
#include <limits>

#include "models/campaign/campaign_setup.hpp"
#include "models/cluster/cluster_plan.hpp"
#include "models/describe/to_distribution.hpp"
#include "models/path/ingest_path.hpp"

namespace headrace::models {

namespace {

constexpr double kOpenEnd = std::numeric_limits<double>::infinity();
constexpr double kMostArrivals = 1e6;

void require_modelled(const Scenario& scenario, const CampaignOptions& options) {
  const Campaign campaign = scenario.campaign.value_or(Campaign{});
  if (scenario.jobs.empty())
    throw UnusableRequest("a campaign needs a job, and this scenario has none", "add one to jobs");
  if (!options.prices.empty() || campaign.bid_usd_per_gpu_hour)
    throw UnusableRequest("price traces and bids are modelled for a campaign of one job only",
                          "remove --price-trace and campaign/bid, or describe one job without queue");
  if (campaign.repair_s > 0.0 || campaign.spare_nodes > 0)
    throw UnusableRequest("repairs and spare nodes are modelled for a campaign of one job only",
                          "remove campaign/repair and campaign/spare_nodes: a replacement is always there");
  if (campaign.refresh)
    throw UnusableRequest("renewals of datasets are modelled for a campaign of one job only",
                          "remove campaign/refresh");
  if (campaign.steps > 0)
    throw UnusableRequest("campaign/steps is of a campaign of one job",
                          "give each job its work: jobs/0/queue/steps or jobs/0/epochs");
  if (scenario.faults && !scenario.faults->degraded.empty())
    throw UnusableRequest("faults that slow a job down are modelled for a campaign of one job only",
                          "remove faults/degraded");
}

void require_class(const FleetClass& job, const FleetPool& pool, double until_s, const std::string& place) {
  if (job.at_s >= until_s)
    throw UnusableRequest("job '" + job.name + "' comes after the end of the campaign",
                          "let it come earlier or the campaign last longer: " + place + "queue/at, campaign/duration");
  if (job.nodes > pool.nodes)
    throw UnusableRequest("job '" + job.name + "' takes " + std::to_string(job.nodes) + " nodes of a pool of " +
                              std::to_string(pool.nodes),
                          "give it fewer: " + place + "nodes");
  if (job.quota_nodes && *job.quota_nodes < job.nodes)
    throw UnusableRequest("the quota of job '" + job.name + "' is smaller than one such job: it never starts",
                          "allow at least " + std::to_string(job.nodes) + " nodes: " + place + "queue/quota");
  if (job.preemption == Preemption::save && !(job.course.interval_s > 0.0))
    throw UnusableRequest("job '" + job.name + "' cannot save when it is preempted: it writes no checkpoints",
                          "give it " + place + "checkpoint, or set " + place + "queue/preemption to lose or none");
  if (job.repeats && !(until_s < kOpenEnd))
    throw UnusableRequest("job '" + job.name + "' comes again and again, so the campaign has no end",
                          "state a duration: campaign/duration or --days");
  const double arrivals = job.repeats ? (until_s - job.at_s) / job.every_s.mean() : 1.0;
  if (arrivals * static_cast<double>(job.at_once) > kMostArrivals)
    throw UnusableRequest("more than a million jobs '" + job.name + "' come in one campaign",
                          "let them come less often, or the campaign be shorter: " + place + "queue/every");
}

FleetClass class_of(const Scenario& scenario, std::size_t k, const CampaignSetup& setup) {
  const Job& job = scenario.jobs[k];
  const JobQueue queue = job.queue.value_or(JobQueue{});
  FleetClass one;
  one.name = job.name;
  one.nodes = job.nodes > 0 ? job.nodes : pool_of(scenario, job).nodes;
  one.gpus = setup.gpus;
  one.at_once = job.copies;
  one.at_s = queue.at_s;
  one.repeats = mean_of(queue.every_s) > 0.0;
  one.every_s = to_distribution(queue.every_s);
  const double step_s = setup.phases.epoch_work_s / setup.steps_per_epoch;
  one.work_s = mean_of(queue.steps) > 0.0 ? to_distribution(scaled(queue.steps, step_s))
                                          : sim::Distribution::constant(setup.course.work_s);
  one.priority = queue.priority;
  one.preemption = queue.preemption;
  one.quota_nodes = queue.quota_nodes;
  one.course = setup.course;
  one.phases = setup.phases;
  one.useful_share = setup.useful_share;
  one.steady_losses = setup.steady_losses;
  return one;
}

/// Pools on which jobs run, in the order in which jobs name them.
std::size_t pool_index(const Pool& pool, std::vector<FleetPool>& pools) {
  const auto known = std::find_if(pools.begin(), pools.end(), [&](const FleetPool& p) { return p.name == pool.name; });
  if (known != pools.end()) return static_cast<std::size_t>(known - pools.begin());
  pools.push_back({pool.name, pool.nodes, static_cast<double>(pool.gpus_per_node)});
  return pools.size() - 1;
}

}  // namespace

FleetSetup fleet_setup(const Scenario& scenario, const FleetAnswer& answer, const CampaignOptions& options) {
  require_modelled(scenario, options);
  const Campaign campaign = scenario.campaign.value_or(Campaign{});
  CampaignOptions of_one = options;
  of_one.until_trained = true;
  FleetSetup setup;
  FleetPlan& plan = setup.plan;
  plan.backfill = campaign.scheduler.value_or(CampaignScheduler{}).backfill;
  const double duration_s = options.duration_s > 0.0 ? options.duration_s : campaign.duration_s;
  plan.until_s = duration_s > 0.0 && !options.until_trained ? duration_s : kOpenEnd;
  for (std::size_t k = 0; k < scenario.jobs.size(); ++k) {
    setup.alone.push_back(job_alone(scenario, k));
    setup.answers.push_back(answer(setup.alone.back()));
    const CampaignSetup one = campaign_setup(setup.alone.back(), setup.answers.back(), of_one);
    setup.useful_share_error = std::max(setup.useful_share_error, one.useful_share_error);
    plan.classes.push_back(class_of(scenario, k, one));
    plan.classes.back().pool = pool_index(pool_of(scenario, scenario.jobs[k]), plan.pools);
    require_class(plan.classes.back(), plan.pools[plan.classes.back().pool], plan.until_s,
                  "jobs/" + std::to_string(k) + "/");
  }
  return setup;
}

}  // namespace headrace::models
