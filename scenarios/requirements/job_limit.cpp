#include "scenarios/requirements/job_limit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/outcome/outcome_assembly.hpp"
#include "models/study/metric_value.hpp"
#include "scenarios/document/thresholds.hpp"
#include "scenarios/planner/events.hpp"

namespace headrace::scenarios {

using models::HoldUnder;
using models::Relation;
using models::Scenario;
using models::Threshold;

namespace {

Threshold at_most(std::string metric, double limit, std::string condition, std::string pointer) {
  return {std::move(metric), Relation::at_most, limit, std::move(condition), std::move(pointer)};
}

std::string percent_limit(double share) { return fmt::format("<= {:.4g} %", 100.0 * share); }
std::string seconds_limit(double seconds) { return fmt::format("<= {:.6g} s", seconds); }

void add_subject(const models::SubjectTo& subject, std::vector<JobLimit>& limits) {
  const auto add = [&limits](std::string_view metric, std::optional<double> limit, auto condition, const char* key) {
    if (limit)
      limits.push_back(
          {at_most(std::string(metric), *limit, condition(*limit), std::string("/subject_to/") + key), {}, {}});
  };
  add("gpu_idle_fraction", subject.idle_fraction, percent_limit, "idle");
  add("epoch_time_s", subject.epoch_time_s, seconds_limit, "epoch_time");
  add(kFirstStep, subject.first_step_s, seconds_limit, "first_step");
}

void add_event(const HoldUnder& hold, std::size_t index, std::vector<JobLimit>& limits) {
  const auto add = [&](std::string_view metric, std::optional<double> limit, auto condition, const char* key,
                       std::optional<double> slowdown) {
    if (!limit) return;
    const std::string pointer = fmt::format("/must_hold_under/{}/{}", index, key);
    limits.push_back({at_most(std::string(metric), *limit, condition(*limit), pointer), hold, slowdown});
  };
  const auto slowdown_limit = [](double times) { return fmt::format("<= {:.4g} times that of normal days", times); };
  add("gpu_idle_fraction", hold.idle_fraction, percent_limit, "idle", std::nullopt);
  add("epoch_time_s", hold.epoch_time_s, seconds_limit, "epoch_time", std::nullopt);
  add("epoch_time_s", hold.slowdown, slowdown_limit, "slowdown", hold.slowdown);
  add(kFirstStep, hold.first_step_s, seconds_limit, "first_step", std::nullopt);
}

void add_default(const Scenario& scenario, std::vector<JobLimit>& limits) {
  const bool alone = scenario.jobs.size() == 1;
  for (const models::Job& job : scenario.jobs)
    limits.push_back({at_most((alone ? std::string() : "jobs/" + job.name + "/") + "gpu_idle_fraction",
                              models::kFedIdleFraction, percent_limit(models::kFedIdleFraction), ""),
                      {},
                      {}});
}

}  // namespace

std::string JobLimit::job(const Scenario& scenario) const {
  const std::string_view named = models::split_metric(threshold.metric).job;
  if (!named.empty()) return std::string(named);
  if (scenario.jobs.size() > 1) return "all jobs";
  return scenario.jobs.front().name.empty() ? "the job" : scenario.jobs.front().name;
}

std::string JobLimit::text(const Scenario& scenario) const {
  std::string text =
      fmt::format("{}: {} {}", job(scenario), models::split_metric(threshold.metric).metric, threshold.condition);
  const std::string_view quantile = models::split_metric(threshold.metric).quantile;
  if (!quantile.empty()) text.insert(text.find(' ' + threshold.condition), fmt::format(".{}", quantile));
  if (event) text += fmt::format(" during {}", event_name(event->event));
  return text + (threshold.pointer.empty() ? " (by default: fed)" : fmt::format(" ({})", threshold.pointer));
}

tl::expected<std::vector<JobLimit>, Diagnostics> limits_of(const LoadedScenario& loaded) {
  const Scenario& scenario = loaded.value;
  auto stated = thresholds_of(scenario, loaded.composition);
  if (!stated) return tl::unexpected(stated.error());
  std::vector<JobLimit> limits;
  for (Threshold& threshold : *stated) limits.push_back({std::move(threshold), {}, {}});
  if (scenario.subject_to) add_subject(*scenario.subject_to, limits);
  if (limits.empty()) add_default(scenario, limits);
  for (std::size_t i = 0; i < scenario.must_hold_under.size(); ++i) add_event(scenario.must_hold_under[i], i, limits);
  return limits;
}

}  // namespace headrace::scenarios
