// The documents of campaigns of one job and of many, each key described once: visitors and words as in
// models/outcome/outcome_description.hpp.
#pragma once

#include "models/campaign/campaign.hpp"
#include "models/campaign/fleet.hpp"
#include "models/outcome/outcome_description.hpp"
#include "models/outcome/room_description.hpp"

namespace headrace::models {

inline constexpr std::array kLossCauseNames = [] {
  std::array<std::string_view, kLossCauseCount> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kLossCauses[i].name;
  return names;
}();

template <class V>
void describe(CampaignFigure& figure, V& v) {
  v.number("mean", figure.mean, "mean over replications");
  v.interval("ci95", figure.ci95);
}

template <class V>
void describe(CampaignLoss& loss, V& v) {
  v.choice("cause", loss.cause, kLossCauseNames, "machine name");
  v.derived("meaning", "the same in words", [&] { return kLossCauses[static_cast<std::size_t>(loss.cause)].meaning; });
  v.record("gpu_hours", loss.gpu_hours, "GPU hours that it takes");
  v.number("share", loss.share, "of the GPU hours held, 0 to 1");
}

/// Durations of single phases, seconds.
template <class V>
void describe(PhaseTimes& p, V& v) {
  v.number("image_s", p.image_s, "pulling and unpacking the image on all nodes");
  v.number("image_of_node_s", p.image_of_node_s, "the same on one node that replaces another");
  v.number("imports_s", p.imports_s, "imports of all processes on new nodes");
  v.number("imports_of_node_s", p.imports_of_node_s, "imports where one node is new");
  v.number("imports_warm_s", p.imports_warm_s, "imports with all files in memory");
  v.number("listing_s", p.listing_s, "finding the files of the dataset");
  v.number("staging_s", p.staging_s, "copying the dataset before the first step");
  v.number("staging_again_s", p.staging_again_s, "what a return copies again");
  v.number("first_batch_s", p.first_batch_s, "from the list of files and the copy to the first step");
  v.number("detection_s", p.detection_s, "from a failure to the decision to restart");
  v.number("reschedule_s", p.reschedule_s, "from there until the processes run");
  v.number("replacement_s", p.replacement_s, "until another spot node takes the place of one that is taken away");
  v.number("preempting_share", p.preempting, "of the failures: spot nodes that are taken away with no time to save");
  v.number("checkpoint_load_s", p.load_s, "reading a checkpoint back");
  v.number("checkpoint_save_s", p.save_s, "writing a checkpoint before a planned stop");
  v.number("skip_epoch_s", p.skip_epoch_s, "skipping the samples of a whole epoch");
}

template <class V>
void describe_losses(std::vector<CampaignLoss>& losses, V& v) {
  v.list("losses", losses, "GPU hours by cause, largest first; with the useful ones they sum to gpu_hours");
}

/// What both kinds of campaigns begin with.
template <class Campaign, class V>
void describe_draws(Campaign& c, V& v) {
  v.count("seed", c.seed, "of all random draws");
  v.count("replications", c.replications, "campaigns that were drawn");
  v.choice("steady_answer", c.steady, kAnswerKindNames, "level of the answers whose steady speeds hold");
}

template <class Campaign, class V>
void describe_cost(Campaign& c, V& v) {
  v.record("cost_usd", c.cost_usd, "of the whole campaign, free machines of shared pools included");
  v.optional("cost_per_useful_gpu_hour_usd", c.cost_per_useful_gpu_hour_usd,
             "cost over useful GPU hours; null where none is useful");
  v.list_of("ledger", c.ledger, "the cost, line by line", [](LedgerLine& line, auto& entry) {
    entry.text("item", line.item, "what is paid for");
    entry.number("quantity", line.quantity, "in the unit beside it, of the whole campaign, mean over replications");
    entry.text("unit", line.unit, "of the quantity");
    entry.number("usd", line.usd, "US dollars, mean over replications");
  });
  v.record("room", c.room, "what the machine room must hold");
}

template <class V>
void describe(CampaignOutcome& c, V& v) {
  describe_draws(c, v);
  v.number("duration_s", c.duration_s, "asked for; 0: until the job is trained");
  v.number("gpus", c.gpus, "of the job");
  v.record("elapsed_s", c.elapsed_s, "from the beginning to the end");
  v.record("goodput", c.goodput, "useful share of the GPU hours held");
  v.number("closed_form_goodput", c.closed_form_goodput,
           "the same by renewal closed forms for a campaign without end, without what only a campaign has");
  v.record("gpu_hours", c.gpu_hours, "held");
  v.record("useful_gpu_hours", c.useful_gpu_hours, "in which GPUs compute steps that last");
  describe_losses(c.losses, v);
  v.record("epochs", c.epochs, "trained");
  v.record("steps", c.steps, "trained");
  v.record("failures", c.failures, "that stopped the job, spot nodes taken away at once included");
  v.record("reclaims", c.reclaims, "spot nodes taken away with enough notice");
  v.number("cold_first_step_s", c.cold_first_step_s, "from the start to the first step on nodes that have nothing");
  v.number("warm_first_step_s", c.warm_first_step_s, "the same where the job has run before");
  v.count("restarts", c.restarts, "in all replications, whose end was seen");
  v.optional("restart_p50_s", c.restart_p50_s, "median time from a failure until training goes on");
  v.optional("restart_p99_s", c.restart_p99_s, "99th percentile of it");
  v.numbers("restart_quantiles_s", c.restart_quantiles_s, "1st to 99th percentile of it");
  v.number("checkpoint_interval_s", c.checkpoint_interval_s, "work between checkpoints; 0: none are written");
  v.number("checkpoint_best_interval_s", c.best_interval_s, "by the closed form; 0: no failures");
  v.number("job_mtbf_s", c.mtbf_s, "mean time between failures of the job; 0: none");
  v.record("phases", c.phases, "what each phase of a start or restart takes");
  describe_cost(c, v);
  v.record("closed_s", c.closed_s, "without nodes, because the price was above the bid");
  v.number("mean_price_usd", c.mean_price_usd, "per GPU hour held, by the price trace; 0: no trace");
  v.list("warnings", c.warnings, "what the reader should know");
}

template <class V>
void describe(FleetTimes& times, V& v) {
  v.optional("mean_s", times.mean_s, "seconds; null where there are none");
  v.optional("p50_s", times.p50_s, "median of all replications together");
  v.optional("p99_s", times.p99_s, "99th percentile of all replications together");
}

template <class V>
void describe(FleetClassOutcome& c, V& v) {
  v.text("name", c.name, "of the job in the scenario");
  v.text("pool", c.pool, "whose nodes it uses");
  v.number("nodes", c.nodes, "of one such job");
  v.number("gpus", c.gpus, "of one such job");
  v.count("priority", c.priority, "higher ones start first");
  v.number("alone_s", c.alone_s, "mean time of such a job without queue, other jobs and stops");
  v.record("arrived", c.arrived, "jobs that came");
  v.record("started", c.started, "jobs that got nodes");
  v.record("finished", c.finished, "jobs that ended");
  v.record("preemptions", c.preemptions, "times that such jobs gave nodes to jobs of a higher priority");
  v.record("failures", c.failures, "failures and reclaimed spot nodes of such jobs");
  v.record("wait", c.wait, "from the arrival to the first start, of jobs that started");
  v.record("completion", c.completion, "from the arrival to the end, of jobs that ended");
  v.record("gpu_hours", c.gpu_hours, "held by such jobs");
  v.record("useful_gpu_hours", c.useful_gpu_hours, "in which their GPUs compute steps that last");
  v.record("goodput", c.goodput, "useful over held");
  describe_losses(c.losses, v);
}

template <class V>
void describe(FleetWithoutSharing& w, V& v) {
  v.record("gained_gpu_hours", w.gained_gpu_hours, "useful ones more than with sharing, on the same draws");
  v.list("completion", w.completion, "from the arrival to the end, of each class");
}

template <class V>
void describe(FleetPoolOutcome& p, V& v) {
  v.text("name", p.name, "of the pool");
  v.number("nodes", p.nodes, "of the pool");
  v.number("gpus", p.gpus, "of the pool");
  v.record("used", p.used, "share of node time that jobs hold, 0 to 1");
  v.record("queued", p.queued, "share that is free while the waiting jobs do not fit");
  v.record("idle", p.idle, "share that is free while no job waits");
}

template <class V>
void describe(FleetOutcome& f, V& v) {
  describe_draws(f, v);
  v.count("sets", f.sets, "sets of jobs beside each other that were answered, each once");
  v.number("duration_s", f.duration_s, "asked for; 0: until all jobs are done");
  v.number("gpus", f.gpus, "of all pools");
  v.record("elapsed_s", f.elapsed_s, "from the beginning to the end");
  v.record("goodput", f.goodput, "useful share of the GPU hours that jobs hold");
  v.record("useful_share", f.useful_share, "useful share of all GPU hours");
  v.record("gpu_hours", f.gpu_hours, "of all pools");
  v.record("held_gpu_hours", f.held_gpu_hours, "of nodes that jobs hold");
  v.record("useful_gpu_hours", f.useful_gpu_hours, "in which GPUs compute steps that last");
  describe_losses(f.losses, v);
  v.list("classes", f.classes, "like jobs, in the order of the scenario");
  v.list("pools", f.pools, "pools on which jobs run");
  describe_cost(f, v);
  v.optional("without_sharing", f.without_sharing,
             "the same campaign where no job slows another; null where they hardly do");
  v.list("warnings", f.warnings, "what the reader should know");
}

}  // namespace headrace::models
