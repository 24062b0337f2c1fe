// The first steps as they come: how many batches lie ready, and what the job takes in, with the warm-up shaded.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/cluster/timeline.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::JobTimeline;
using models::TimelineBatch;

constexpr std::size_t kMostJobs = 6;  // of several jobs the first ones; the timeline file has all

/// Batches of one loader that lie ready when step `step` takes one, itself among them; mean over the watched loaders.
std::vector<double> ready_by_step(const JobTimeline& job) {
  std::vector<double> ready(job.steps.records.size(), 0.0);
  const auto add = [&](const TimelineBatch& batch) {
    // It lies there at the start of every step from the first after its arrival to its own, as far as it is recorded.
    const std::size_t after = std::min(ready.size(), static_cast<std::size_t>(batch.step) + 1);
    for (std::size_t step = after; step-- > 0 && job.steps.records[step].start_ns >= batch.ready_ns;)
      ready[step] += 1.0 / std::max(1U, job.watched);
  };
  for (const TimelineBatch& batch : job.batches) add(batch);
  for (const TimelineBatch& batch : job.waiting) add(batch);
  return ready;
}

/// Which part of the epoch was recorded, and how that part differs from the others.
std::string window_text(const JobTimeline& job, bool changes) {
  if (job.window_share >= 1.0) return changes ? "one of its states" : "all of it alike";
  return fmt::format("first window: {} of its steps, {} of the samples from the cache of the node",
                     percent(job.window_share), percent(job.hit_ratio));
}

/// A word of warning where the epoch changes while it goes on: what is drawn is its beginning, not its mean.
std::string window_notice(const std::vector<JobTimeline>& jobs, const Document& outcome) {
  if (std::all_of(jobs.begin(), jobs.end(), [](const JobTimeline& job) { return job.window_share >= 1.0; })) return {};
  const bool has_section = at(outcome, "windows").size() > 1;
  return fmt::format(
      "<p class=\"notice\"><b>The first window of the epoch only.</b> What the caches answer changes as the epoch goes "
      "on{}; verdict and key figures are those of all windows.</p>",
      has_section ? " (<a href=\"#epoch\">Over the epoch</a>)" : "");
}

/// What the recording leaves out that the figures average over time.
std::string state_notice(const Document& outcome) {
  const Document& metrics = at(outcome, "metrics");
  const auto is_there = [&](const char* name) {
    const auto found = metrics.find(name);
    return found != metrics.end() && number_at(*found, "mean") > 0.0;
  };
  std::string text;
  const auto add = [&](const char* name, std::string_view what) {
    if (is_there(name)) text += (text.empty() ? "" : "; ") + std::string(what);
  };
  add("fresh_wait_fraction", "while new data are there: the job waits for them in between");
  add("store_ramp_s", "at the stated capacity of the store, before its ramp");
  add("checkpoint_write_time_fraction", "while no checkpoint is written");
  if (text.empty()) return text;
  return fmt::format(
      "<p class=\"notice\"><b>Recorded {}.</b> Verdict and key figures are averages over time, also of the rest.</p>",
      text);
}

std::string step_seconds(sim::TimeNs time_ns) { return humane(sim::seconds(time_ns), "s"); }

}  // namespace

std::string series_section(const Document& outcome, const OutcomePageFacts& facts) {
  if (facts.timeline == nullptr || facts.timeline->jobs.empty()) return {};
  Plot depth{"Ready batches per GPU", {"simulated time, s"}, {"batches", false, true, {}, {}}, {}};
  Plot rate{"Samples taken", {"simulated time, s"}, {"samples/s", false, true, {}, {}}, {}};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t number = 0; number < std::min(kMostJobs, facts.timeline->jobs.size()); ++number) {
    const JobTimeline& job = facts.timeline->jobs[number];
    const std::vector<double> ready = ready_by_step(job);
    PlotSeries depths{job.name, {}, true, true};
    PlotSeries rates{job.name, {}, true, true};
    double ready_sum = 0.0;
    for (std::size_t step = 0; step < job.steps.steps(); ++step) {
      const sim::TimeNs start_ns = job.steps.records[step].start_ns;
      const double samples_per_s =
          static_cast<double>(job.loaders) * job.batch_samples / sim::seconds(job.steps.duration_ns(step));
      const std::string place = fmt::format("step {}, {}: ", step, step_seconds(start_ns));
      depths.points.push_back({sim::seconds(start_ns), ready[step], {}, {}, place + humane_number(ready[step])});
      rates.points.push_back({sim::seconds(start_ns), samples_per_s, {}, {}, place + humane(samples_per_s, "1/s")});
      ready_sum += ready[step];
    }
    if (job.steps.steps() == 0) continue;
    const double steps = static_cast<double>(job.steps.steps());
    rows.push_back({escaped(job.name), fmt::format("{}", job.steps.steps()),
                    escaped(step_seconds(job.steps.records.front().start_ns)), humane_number(ready_sum / steps),
                    escaped(window_text(job, !state_notice(outcome).empty()))});
    depth.series.push_back(std::move(depths));
    rate.series.push_back(std::move(rates));
  }
  const Document& windows = at(outcome, "windows");
  if (!windows.empty() && facts.timeline->jobs.size() == 1) {
    const double steps = number_at(windows.front(), "warm_up_steps");
    const models::StepLog& log = facts.timeline->jobs.front().steps;
    if (steps > 0.0 && log.steps() > 0)
      depth.shaded_to = rate.shaded_to =
          sim::seconds(log.records[std::min(log.steps(), static_cast<std::size_t>(steps))].start_ns);
  }
  return "<p>A run of its own with the outcome's seed, from the start of the job; the figures of the other sections "
         "are "
         "means of longer runs after the warm-up, which is shaded. The recording begins when the workers run, with the "
         "caches of a later epoch; the key figure time to first step is that of the first epoch, with what comes "
         "before.</p>" +
         window_notice(facts.timeline->jobs, outcome) + state_notice(outcome) + "<div class=\"plots\">" +
         plot_drawing(depth) + plot_drawing(rate) + "</div>" +
         html_table("The recorded steps",
                    {{"job"},
                     {"steps", true},
                     {"first step of the recording after", true},
                     {"mean of ready batches", true},
                     {"of the epoch"}},
                    rows);
}

}  // namespace headrace::reports
