// The document of a campaign of many jobs: every key with its meaning, told once, as in campaign_document.hpp.
#pragma once

#include "models/campaign/fleet.hpp"
#include "reports/campaign_document.hpp"

namespace headrace::reports {

template <class V>
void describe_fleet_times(const models::FleetTimes& times, V& v) {
  v.figure("mean_s", times.mean_s, "seconds; null where there are none");
  v.figure("p50_s", times.p50_s, "median of all replications together");
  v.figure("p99_s", times.p99_s, "99th percentile of all replications together");
}

template <class V>
void describe_fleet_class(const models::FleetClassOutcome& c, V& v) {
  v.text("name", c.name, "of the job in the scenario");
  v.text("pool", c.pool, "whose nodes it uses");
  v.number("nodes", c.nodes, "of one such job");
  v.number("gpus", c.gpus, "of one such job");
  v.count("priority", c.priority, "higher ones start first");
  v.number("alone_s", c.alone_s, "mean time of such a job without queue, other jobs and stops");
  v.figure("arrived", c.arrived, "jobs that came");
  v.figure("started", c.started, "jobs that got nodes");
  v.figure("finished", c.finished, "jobs that ended");
  v.figure("preemptions", c.preemptions, "times that such jobs gave nodes to jobs of a higher priority");
  v.figure("failures", c.failures, "failures and reclaimed spot nodes of such jobs");
  v.record("wait", c.wait, describe_fleet_times<V>, "from the arrival to the first start, of jobs that started");
  v.record("completion", c.completion, describe_fleet_times<V>, "from the arrival to the end, of jobs that ended");
  v.figure("gpu_hours", c.gpu_hours, "held by such jobs");
  v.figure("useful_gpu_hours", c.useful_gpu_hours, "in which their GPUs compute steps that last");
  v.figure("goodput", c.goodput, "useful over held");
  v.list("losses", c.losses, describe_loss<V>,
         "GPU hours held by cause, largest first; with the useful ones they sum to gpu_hours");
}

template <class V>
void describe_fleet_pool(const models::FleetPoolOutcome& p, V& v) {
  v.text("name", p.name, "of the pool");
  v.number("nodes", p.nodes, "of the pool");
  v.number("gpus", p.gpus, "of the pool");
  v.figure("used", p.used, "share of node time that jobs hold, 0 to 1");
  v.figure("queued", p.queued, "share that is free while the waiting jobs do not fit");
  v.figure("idle", p.idle, "share that is free while no job waits");
}

template <class V>
void describe_fleet(const models::FleetOutcome& f, V& v) {
  v.count("seed", f.seed, "of all random draws");
  v.count("replications", f.replications, "campaigns that were drawn");
  v.text("steady_answer", std::string(models::kAnswerKindNames[static_cast<std::size_t>(f.steady)]),
         "level of the answers whose steady speeds hold: bound, estimate or simulated");
  v.count("sets", f.sets, "sets of jobs beside each other that were answered, each once");
  v.number("duration_s", f.duration_s, "asked for; 0: until all jobs are done");
  v.number("gpus", f.gpus, "of all pools");
  v.figure("elapsed_s", f.elapsed_s, "from the beginning to the end");
  v.figure("goodput", f.goodput, "useful share of the GPU hours that jobs hold");
  v.figure("useful_share", f.useful_share, "useful share of all GPU hours");
  v.figure("gpu_hours", f.gpu_hours, "of all pools");
  v.figure("held_gpu_hours", f.held_gpu_hours, "of nodes that jobs hold");
  v.figure("useful_gpu_hours", f.useful_gpu_hours, "in which GPUs compute steps that last");
  v.list("losses", f.losses, describe_loss<V>,
         "GPU hours by cause, largest first; with the useful ones they sum to gpu_hours");
  v.list("classes", f.classes, describe_fleet_class<V>, "like jobs, in the order of the scenario");
  v.list("pools", f.pools, describe_fleet_pool<V>, "pools on which jobs run");
  v.figure("cost_usd", f.cost_usd, "of the whole campaign, free machines of the pools included");
  v.figure("cost_per_useful_gpu_hour_usd", f.cost_per_useful_gpu_hour_usd, "cost over useful GPU hours");
  v.list("ledger", f.ledger, describe_ledger_line<V>, "the cost, line by line");
  v.list("warnings", f.warnings, describe_warning<V>, "what the reader should know");
}

}  // namespace headrace::reports
