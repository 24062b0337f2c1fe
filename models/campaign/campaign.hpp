// A whole training from its first start to its end, over days to months: phases that are answered once each, composed
// by courses that are drawn through failures, preemptions, refreshes and slowing faults.
//
// A semi-Markov process: in each state (starting, training, writing a checkpoint, coming back) the job stays for a time
// that depends on how it came there, and what happens next on nothing else. Training goes on at the steady speed of the
// scenario's answer, slower while caches fill. Useful is the time in which GPUs compute steps that last.
//
// Sources of the closed form beside it: interruptions.hpp (Young 1974, Daly 2006), for a campaign without end and
// without what only a campaign has: image, imports, fast-forward, repairs, refreshes, cold caches.
// Intervals: 95 %, Student-t over replications; where the answer was simulated, its own interval of the GPU utilization
// is added in squares to that of goodput, of useful hours and of the cost of one.
// Deviations: a node that comes back with an empty cache slows the job by its share of the first epoch's extra time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/campaign/loss_cause.hpp"
#include "models/campaign/phase_times.hpp"
#include "models/campaign/price_trace.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::uint32_t replications = 200;
  double duration_s = 0.0;     ///< 0: what the scenario says
  bool until_trained = false;  ///< whatever duration the scenario says
  PriceTrace prices;           ///< of spot nodes; empty: the scenario's price
};

/// A mean over replications with its interval; nothing where there are fewer than two.
struct CampaignFigure {
  static constexpr std::string_view kDefinition = "figure";  ///< of its schema in documents

  double mean = 0.0;
  std::optional<Interval> ci95;
};

struct CampaignLoss {
  LossCause cause = LossCause::image;
  CampaignFigure gpu_hours;
  double share = 0.0;  ///< of the GPU hours held
};

struct CampaignOutcome {
  std::uint64_t seed = 0;
  std::uint32_t replications = 0;
  AnswerKind steady = AnswerKind::simulated;  ///< the level of the answer whose steady speed it takes
  double duration_s = 0.0;                    ///< asked for; 0: until the job is trained
  double gpus = 0.0;
  CampaignFigure elapsed_s;
  CampaignFigure gpu_hours;         ///< held
  CampaignFigure useful_gpu_hours;  ///< in which GPUs compute steps that last
  CampaignFigure goodput;           ///< useful over held
  double closed_form_goodput = 0.0;
  std::vector<CampaignLoss> losses;  ///< all causes, largest first; with the useful hours they sum to those held
  CampaignFigure epochs;             ///< trained
  CampaignFigure steps;
  CampaignFigure failures;
  CampaignFigure reclaims;
  PhaseTimes phases;
  double cold_first_step_s = 0.0;  ///< on nodes that have nothing, without failures
  double warm_first_step_s = 0.0;  ///< where the job has run before
  std::uint64_t restarts = 0;      ///< in all replications
  std::optional<CampaignFigure> restart_p50_s;
  std::optional<CampaignFigure> restart_p99_s;
  std::vector<double> restart_quantiles_s;  ///< 1 % to 99 %; empty without restarts
  double checkpoint_interval_s = 0.0;       ///< 0: none are written
  double best_interval_s = 0.0;             ///< by the closed form; 0: no failures
  double mtbf_s = 0.0;
  CampaignFigure cost_usd;
  std::optional<CampaignFigure> cost_per_useful_gpu_hour_usd;  ///< none where no hour is useful
  std::vector<LedgerLine> ledger;                              ///< means over replications, of the whole campaign
  CampaignFigure closed_s;                                     ///< without nodes, because the price was above the bid
  double mean_price_usd = 0.0;                                 ///< per GPU hour held; 0: no trace
  RoomFacts room;
  std::vector<Warning> warnings;
};

/// `steady` is the answer of the scenario at any level, whose first job is its only one. Throws UnusableRequest where
/// there is no end, no job that computes, or several jobs.
CampaignOutcome run_campaign(const Scenario& scenario, const Outcome& steady, const CampaignOptions& options);

}  // namespace headrace::models
