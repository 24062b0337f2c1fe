#include "models/study/window_study.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "models/cluster/cluster_plan.hpp"
#include "models/cluster/cluster_run.hpp"
#include "models/outcome/rare_stall.hpp"
#include "models/study/sampler.hpp"
#include "models/study/step_control.hpp"
#include "sim/control_variate.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kNotNeeded = "not needed";
constexpr std::string_view kSampled = "nodes are sampled";
constexpr std::string_view kNotWorth = "costs more than it saves";

}  // namespace

WindowStudy::WindowStudy(const WindowRuns& runs, std::size_t place, double weight)
    : runs_(runs), place_(place), path_(runs.plan().jobs[place].path), weight_(weight) {
  const bool alone = runs.plan().jobs.size() == 1 && runs.plan().background.empty();
  control_state_ = alone ? control_off_reason(path_, runs.options().contention) : "other load shares the resources";
  if (runs.plan().jobs[place].whole) control_state_ = kSampled;  // the twin has no other ranks
  if (control_state_.empty()) control_state_ = kNotNeeded;
  if (!runs.plan().jobs[place].whole) return;
  for (std::uint32_t r = 0; r < runs.replications(); ++r) checks_.push_back(std::make_unique<ScaleCheck>(runs, r));
}

WindowStudy::~WindowStudy() = default;

std::uint32_t WindowStudy::loaders() const { return path_.loaders; }
const IngestPath& WindowStudy::whole_path() const {
  const JobPlace& place = runs_.plan().jobs[place_];
  return place.whole ? *place.whole : path_;
}

std::uint32_t WindowStudy::ranks() const { return runs_.plan().jobs[place_].ranks(); }
std::uint32_t WindowStudy::replications() const { return runs_.replications(); }
const JobRun& WindowStudy::run(std::uint32_t replication) const { return runs_.run(replication).job(place_); }
const StepLog& WindowStudy::log(std::uint32_t replication) const { return run(replication).log(); }
std::uint64_t WindowStudy::least_warm_up_steps() const { return runs_.least_warm_up_steps(); }

WarmUpRule WindowStudy::warm_up_rule() const { return {least_warm_up_steps(), path_.turn_steps()}; }

bool WindowStudy::visits(Stage stage) const {
  const LoadTotals& totals = run(0).totals();
  return totals.queueing_s[index(stage)] + totals.service_s[index(stage)] > 0.0;
}

std::uint64_t WindowStudy::most_steps() const {
  std::uint64_t steps = 0;
  for (std::uint32_t r = 0; r < replications(); ++r) steps = std::max<std::uint64_t>(steps, log(r).steps());
  return steps;
}

std::optional<std::uint32_t> WindowStudy::plan_control(double excess, std::uint32_t looks_left) {
  constexpr std::size_t kLeastSteps = 64;
  if (control_state_ != kNotNeeded && control_state_ != kNotWorth) return std::nullopt;
  const SamplerOptions& how = runs_.options();
  if (controls_.size() != replications()) {
    controls_.clear();
    for (std::uint32_t r = 0; r < replications(); ++r)
      controls_.push_back(std::make_unique<StepControl>(path_, how.seed, how.first_replication + r, how.abandon));
  }
  const std::vector<double> all = step_durations(log(0));
  const std::size_t from = std::min<std::size_t>(least_warm_up_steps(), all.size());
  const std::size_t to = std::max(from + kLeastSteps, all.size() / 4);
  if (to > all.size()) return std::nullopt;
  controls_.front()->follow_to(to);
  const auto part = [&](std::span<const double> series) { return series.subspan(from, to - from); };
  const sim::ControlFit fit = sim::fit_control(part(all), part(controls_.front()->twin_s()), {});
  if (!fit.applied()) {
    control_state_ = fit.off_reason;
    controls_.clear();
    return std::nullopt;
  }
  control_state_ = kNotWorth;
  return control_effort(fit.correlation, excess, looks_left);
}

void WindowStudy::run_control(std::uint32_t replication, std::uint32_t effort, std::uint64_t part,
                              std::uint64_t parts) {
  const std::uint64_t steps = log(replication).steps();
  controls_[replication]->follow_to(steps * part / parts);
  controls_[replication]->learn_to(effort * steps * part / parts);
}

void WindowStudy::check_scale(std::uint32_t replication, std::uint64_t steps, const std::stop_token& abandon) {
  checks_[replication]->run_to(steps, abandon);
}

Measured WindowStudy::scale_difference(std::uint64_t from) const {
  Measured mean;
  double arms2 = 0.0;
  bool complete = true;
  for (const auto& check : checks_) {
    const Measured difference = check->difference_s(from);
    mean.mean += difference.mean / static_cast<double>(checks_.size());
    arms2 += difference.longer_arm() * difference.longer_arm();
    complete = complete && difference.ci95.has_value();
  }
  const double arm = std::sqrt(arms2) / static_cast<double>(checks_.size());
  if (complete) mean.ci95 = Interval{mean.mean - arm, mean.mean + arm};
  return mean;
}

std::uint64_t WindowStudy::steps_checked() const { return checks_.empty() ? 0 : checks_.front()->steps(); }

sim::TimeNs WindowStudy::first_start_ns() const {
  return steps_checked() > 0 ? checks_.front()->first_start_ns() : log(0).records.front().start_ns;
}

void WindowStudy::set_stalls(std::vector<StallEffect> effects) { stalls_ = std::move(effects); }

WindowMeans WindowStudy::means() const {
  std::vector<const StepLog*> logs;
  std::vector<const StepControl*> controls;
  for (std::uint32_t r = 0; r < replications(); ++r) {
    logs.push_back(&log(r));
    if (controlled_) controls.push_back(controls_[r].get());
  }
  WindowMeans means = means_of_logs(logs, controls, path_.loaders, warm_up_rule(),
                                    runs_.options().rough_intervals ? sim::TooShort::rough : sim::TooShort::none);
  if (!controlled_) means.control = control_state_;
  if (difference_s_) {
    add_wait(*difference_s_, means);
    means.enough_data = means.enough_data && difference_s_->ci95.has_value();
  }
  for (const StallEffect& effect : stalls_) add_effect(effect, means);
  return means;
}

WindowMeans WindowStudy::means_of(std::uint32_t replication) const {
  return means_of_logs({&log(replication)}, {}, path_.loaders, warm_up_rule());
}

ReplicationReport WindowStudy::report(std::uint32_t replication) const {
  ReplicationReport report = report_of(log(replication), path_.loaders, warm_up_rule());
  report.replication = runs_.options().first_replication + replication;
  return report;
}

}  // namespace headrace::models
