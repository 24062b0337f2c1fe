// The document of a campaign: every key with its meaning, told once. What writes the JSON and what writes its schema
// visit the same description.
#pragma once

#include "models/campaign/campaign.hpp"

namespace headrace::reports {

template <class V>
void describe_ledger_line(const models::LedgerLine& line, V& v) {
  v.text("item", line.item, "what is paid for");
  v.number("quantity", line.quantity, "in the unit beside it, of the whole campaign, mean over replications");
  v.text("unit", line.unit, "of the quantity");
  v.number("usd", line.usd, "US dollars, mean over replications");
}

template <class V>
void describe_loss(const models::CampaignLoss& loss, V& v) {
  v.text("cause", std::string(models::kLossCauses[static_cast<std::size_t>(loss.cause)].name), "machine name");
  v.text("meaning", std::string(models::kLossCauses[static_cast<std::size_t>(loss.cause)].meaning),
         "the same in words");
  v.figure("gpu_hours", loss.gpu_hours, "GPU hours that it takes");
  v.number("share", loss.share, "of the GPU hours held, 0 to 1");
}

template <class V>
void describe_warning(const models::Warning& warning, V& v) {
  v.text("seen", warning.seen, "what was seen");
  v.text("cause", warning.cause, "why");
  v.text("fix", warning.fix, "what to do about it");
}

/// Durations of single phases, seconds.
template <class V>
void describe_phases(const models::PhaseTimes& p, V& v) {
  v.number("image_s", p.image_s, "pulling and unpacking the image on all nodes");
  v.number("image_of_node_s", p.image_of_node_s, "the same on one node that replaces another");
  v.number("imports_s", p.imports_s, "imports of all processes on new nodes");
  v.number("imports_of_node_s", p.imports_of_node_s, "imports where one node is new");
  v.number("imports_warm_s", p.imports_warm_s, "imports with all files in memory");
  v.number("listing_s", p.listing_s, "finding the files of the dataset");
  v.number("first_batch_s", p.first_batch_s, "from the list of files to the first step");
  v.number("detection_s", p.detection_s, "from a failure to the decision to restart");
  v.number("reschedule_s", p.reschedule_s, "from there until the processes run");
  v.number("checkpoint_load_s", p.load_s, "reading a checkpoint back");
  v.number("checkpoint_save_s", p.save_s, "writing a checkpoint before a planned stop");
  v.number("skip_epoch_s", p.skip_epoch_s, "skipping the samples of a whole epoch");
}

template <class V>
void describe_campaign(const models::CampaignOutcome& c, V& v) {
  v.count("seed", c.seed, "of all random draws");
  v.count("replications", c.replications, "campaigns that were drawn");
  v.text("steady_answer", std::string(models::kAnswerKindNames[static_cast<std::size_t>(c.steady)]),
         "level of the answer whose steady speed holds: bound, estimate or simulated");
  v.number("duration_s", c.duration_s, "asked for; 0: until the job is trained");
  v.number("gpus", c.gpus, "of the job");
  v.figure("elapsed_s", c.elapsed_s, "from the beginning to the end");
  v.figure("goodput", c.goodput, "useful share of the GPU hours held");
  v.number("closed_form_goodput", c.closed_form_goodput,
           "the same by renewal closed forms for a campaign without end, without what only a campaign has");
  v.figure("gpu_hours", c.gpu_hours, "held");
  v.figure("useful_gpu_hours", c.useful_gpu_hours, "in which GPUs compute steps that last");
  v.list("losses", c.losses, describe_loss<V>,
         "GPU hours by cause, largest first; with the useful ones they sum to gpu_hours");
  v.figure("epochs", c.epochs, "trained");
  v.figure("steps", c.steps, "trained");
  v.figure("failures", c.failures, "that stopped the job, spot nodes taken away at once included");
  v.figure("reclaims", c.reclaims, "spot nodes taken away with enough notice");
  v.number("cold_first_step_s", c.cold_first_step_s, "from the start to the first step on nodes that have nothing");
  v.number("warm_first_step_s", c.warm_first_step_s, "the same where the job has run before");
  v.count("restarts", c.restarts, "in all replications, whose end was seen");
  v.figure("restart_p50_s", c.restart_p50_s, "median time from a failure until training goes on");
  v.figure("restart_p99_s", c.restart_p99_s, "99th percentile of it");
  v.numbers("restart_quantiles_s", c.restart_quantiles_s, "1st to 99th percentile of it");
  v.number("checkpoint_interval_s", c.checkpoint_interval_s, "work between checkpoints; 0: none are written");
  v.number("checkpoint_best_interval_s", c.best_interval_s, "by the closed form; 0: no failures");
  v.number("job_mtbf_s", c.mtbf_s, "mean time between failures of the job; 0: none");
  v.record("phases", c.phases, describe_phases<V>, "what each phase of a start or restart takes");
  v.figure("cost_usd", c.cost_usd, "of the whole campaign");
  v.figure("cost_per_useful_gpu_hour_usd", c.cost_per_useful_gpu_hour_usd, "cost over useful GPU hours");
  v.list("ledger", c.ledger, describe_ledger_line<V>, "the cost, line by line");
  v.figure("closed_s", c.closed_s, "without nodes, because the price was above the bid");
  v.number("mean_price_usd", c.mean_price_usd, "per GPU hour held, by the price trace; 0: no trace");
  v.list("warnings", c.warnings, describe_warning<V>, "what the reader should know");
}

}  // namespace headrace::reports
