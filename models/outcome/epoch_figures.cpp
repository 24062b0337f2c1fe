#include "models/outcome/epoch_figures.hpp"

#include <algorithm>

#include "models/outcome/ledger_item.hpp"

namespace headrace::models {

namespace {

JobFigures job_figures(const std::vector<Metric>& metrics, const std::vector<LedgerLine>& ledger) {
  JobFigures job;
  job.epoch_time_s = mean_in(metrics, "epoch_time_s");
  job.step_time_s = mean_in(metrics, "step_time_s");
  job.idle_fraction = mean_in(metrics, "gpu_idle_fraction");
  for (const LedgerLine& line : ledger) {
    if (!line.by_time) job.fixed_usd += line.usd;
    if (line.item == "gpu hours" || line.item == "capital of owned GPUs and nodes") job.gpu_hours += line.quantity;
  }
  job.by_time_usd = std::max(0.0, mean_in(metrics, "cost_per_epoch_usd") - job.fixed_usd);
  return job;
}

}  // namespace

double EpochFigures::fixed_usd() const {
  double sum = 0.0;
  for (const JobFigures& job : jobs) sum += job.copies * job.fixed_usd;
  return sum;
}

double EpochFigures::gpu_hours() const {
  double sum = 0.0;
  for (const JobFigures& job : jobs) sum += job.copies * job.gpu_hours;
  return sum;
}

double EpochFigures::hourly_usd() const {
  double sum = 0.0;
  for (const JobFigures& job : jobs)
    if (job.epoch_time_s > 0.0) sum += job.copies * job.by_time_usd / job.epoch_time_s * 3600.0;
  return sum;
}

double EpochFigures::cost_at_epochs_of(const EpochFigures& other) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const double longer = jobs[j].epoch_time_s > 0.0 ? other.jobs[j].epoch_time_s / jobs[j].epoch_time_s : 1.0;
    sum += jobs[j].copies * (jobs[j].fixed_usd + jobs[j].by_time_usd * longer);
  }
  return sum;
}

EpochFigures epoch_figures(const Outcome& outcome) {
  EpochFigures figures;
  figures.step_time_s = mean_in(outcome.metrics, "step_time_s");
  figures.epoch_time_s = mean_in(outcome.metrics, "epoch_time_s");
  figures.cost_usd = mean_in(outcome.metrics, "cost_per_epoch_usd");
  figures.idle_fraction = mean_in(outcome.metrics, "gpu_idle_fraction");
  for (const LedgerLine& line : outcome.ledger)
    if (is_egress(line)) figures.egress_usd += line.usd;
  for (const JobReport& job : outcome.jobs) {
    if (!job.is_beside_others()) continue;
    figures.jobs.push_back(job_figures(job.metrics, job.ledger));
    figures.jobs.back().copies = static_cast<double>(job.copies);
    figures.jobs.back().name = job.name;
  }
  if (figures.jobs.empty()) figures.jobs.push_back(job_figures(outcome.metrics, outcome.ledger));
  return figures;
}

std::vector<double> goodput_by_job(const Outcome& outcome) {
  std::vector<double> goodput;
  for (const JobReport& job : outcome.jobs)
    if (job.is_beside_others()) goodput.push_back(mean_in(job.metrics, "goodput_fraction"));
  if (goodput.empty()) goodput.push_back(mean_in(outcome.metrics, "goodput_fraction"));
  return goodput;
}

std::vector<double> goodput_by_job(const EpochFigures& epoch, const Outcome& bound) {
  std::vector<double> goodput = goodput_by_job(bound);
  const EpochFigures bounds = epoch_figures(bound);
  for (std::size_t j = 0; j < goodput.size() && j < epoch.jobs.size(); ++j)
    if (epoch.jobs[j].epoch_time_s > 0.0) goodput[j] *= bounds.jobs[j].epoch_time_s / epoch.jobs[j].epoch_time_s;
  return goodput;
}

double goodput_of_all(const EpochFigures& epoch, const Outcome& bound) {
  const std::vector<double> goodput = goodput_by_job(epoch, bound);
  const EpochFigures bounds = epoch_figures(bound);
  double useful = 0.0;
  double gpus = 0.0;
  for (std::size_t j = 0; j < goodput.size(); ++j) {
    const JobFigures& job = bounds.jobs[j];
    if (!(job.epoch_time_s > 0.0)) continue;
    gpus += job.copies * job.gpu_hours / job.epoch_time_s;
    useful += goodput[j] * job.copies * job.gpu_hours / job.epoch_time_s;
  }
  return gpus > 0.0 ? useful / gpus : 0.0;
}

}  // namespace headrace::models
