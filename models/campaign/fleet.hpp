// A campaign of many jobs: jobs arrive over days to months, queue for the nodes of pools by priority, start on all of
// their nodes at once, share stores and links while they run, fail, come back, preempt each other, and end.
//
// An event loop (fleet_course.hpp) over the phases and courses that a campaign of each job alone has. How fast jobs are
// beside each other is the answer of the cluster for that set of jobs (fleet_speeds.hpp). Replications are independent;
// intervals are of Student's t over them, those of quantiles over groups of them.
//
// Twins: M/M/c by Erlang's C formula, the preemptive-resume M/M/1 with two priorities, a schedule worked out by hand.
// Deviations: a failed node is replaced at once; storage is paid for while jobs hold nodes; the speed of a set is that
// of steady reading of all its jobs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/campaign/campaign.hpp"
#include "models/campaign/fleet_speeds.hpp"

namespace headrace::models {

/// Mean and quantiles of times of all jobs of all replications; nothing where there are none.
struct FleetTimes {
  std::optional<CampaignFigure> mean_s;
  std::optional<CampaignFigure> p50_s;
  std::optional<CampaignFigure> p99_s;
};

/// Like jobs. Figures per campaign are means over replications.
struct FleetClassOutcome {
  std::string name;
  std::string pool;
  double nodes = 0.0;  ///< of one job
  double gpus = 0.0;   ///< of one job
  std::uint64_t priority = 0;
  double alone_s = 0.0;  ///< mean time of a job without queue, other jobs and stops
  CampaignFigure arrived;
  CampaignFigure started;
  CampaignFigure finished;
  CampaignFigure preemptions;
  CampaignFigure failures;
  FleetTimes wait;           ///< from the arrival to the first start, of those that started
  FleetTimes completion;     ///< from the arrival to the end, of those that finished
  CampaignFigure gpu_hours;  ///< held
  CampaignFigure useful_gpu_hours;
  CampaignFigure goodput;            ///< useful over held
  std::vector<CampaignLoss> losses;  ///< largest first; with the useful hours they sum to those held
};

/// The same draws where no job slows another: what more of the resources that they share can gain at most.
struct FleetWithoutSharing {
  CampaignFigure gained_gpu_hours;     ///< useful ones more
  std::vector<FleetTimes> completion;  ///< of each class
};

struct FleetPoolOutcome {
  std::string name;
  double nodes = 0.0;
  double gpus = 0.0;
  CampaignFigure used;    ///< share of node time that jobs hold
  CampaignFigure queued;  ///< free while jobs wait
  CampaignFigure idle;    ///< free while none waits
};

struct FleetOutcome {
  std::uint64_t seed = 0;
  std::uint32_t replications = 0;
  AnswerKind steady = AnswerKind::estimate;  ///< the level of the answers whose speeds it takes
  std::uint64_t sets = 0;                    ///< sets of jobs beside each other that were answered
  double duration_s = 0.0;                   ///< asked for; 0: until all jobs are done
  double gpus = 0.0;                         ///< of all pools
  CampaignFigure elapsed_s;
  CampaignFigure gpu_hours;          ///< of all pools
  CampaignFigure held_gpu_hours;     ///< of nodes that jobs hold
  CampaignFigure useful_gpu_hours;   ///< in which GPUs compute steps that last
  CampaignFigure goodput;            ///< useful over held
  CampaignFigure useful_share;       ///< useful over all
  std::vector<CampaignLoss> losses;  ///< of all GPU hours, largest first; with the useful ones they sum to them
  std::vector<FleetClassOutcome> classes;
  std::vector<FleetPoolOutcome> pools;
  CampaignFigure cost_usd;
  std::optional<CampaignFigure> cost_per_useful_gpu_hour_usd;  ///< none where no hour is useful
  std::vector<LedgerLine> ledger;                              ///< means over replications
  RoomFacts room;                                              ///< writes of the job that writes most
  std::optional<FleetWithoutSharing> without_sharing;          ///< none where jobs hardly slow each other
  std::vector<Warning> warnings;
};

/// Whether run_fleet() answers the campaign of a scenario, rather than run_campaign().
bool is_fleet(const Scenario& scenario);

/// Throws UnusableRequest where there is no end, no job that computes, a job that can never start, or something that is
/// modelled for one job only.
FleetOutcome run_fleet(const Scenario& scenario, const FleetAnswer& answer, const CampaignOptions& options);

}  // namespace headrace::models
