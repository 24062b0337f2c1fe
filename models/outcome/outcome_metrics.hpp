// Every metric of an outcome in one row with all its traits, and how the other parts of an outcome are computed. A new
// metric is one row in outcome_metrics.cpp and the code that computes it: documents, schema, pages, windows, limits,
// comparisons and sums over jobs follow from the row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/describe/declarations.hpp"

namespace headrace::models {

/// What a metric of the cluster is of those of its jobs.
enum class OverJobs : std::uint8_t {
  mean,             ///< weighed by GPUs
  mean_by_samples,  ///< weighed by the samples that each trains
  mean_by_compute,  ///< weighed by the GPU time that each spends in compute
  sum,              ///< over all copies
  longest           ///< the largest: that of the slowest job
};

/// What becomes of a figure of steady training when checkpoints, failures or slowing faults take a part of the time.
enum class OverTime : std::uint8_t {
  unchanged,    ///< describes training itself
  share,        ///< a share of all time, or a rate: less
  duration,     ///< elapsed time: more
  of_training,  ///< a share of the time that is trained: slowing faults lower it; checkpoints and failures are left out
  of_steps      ///< a duration that slowing faults lengthen; checkpoints and failures are left out
};

/// How a metric follows from the means per step of duration, wait and compute: what the interval of a difference is
/// made from.
enum class StepLaw : std::uint8_t {
  time,         ///< ~ duration
  first_time,   ///< ~ duration in the first epoch
  rate,         ///< ~ 1 / duration
  idle,         ///< ~ wait / duration
  wait_cost,    ///< ~ wait
  busy,         ///< ~ compute / duration
  cost,         ///< duration x the ledger lines that grow with time, + the others
  useful_cost,  ///< ~ duration / compute
  other         ///< in none of these ways
};

/// Where the uncertainty of a simulated value comes from.
enum class Noise : std::uint8_t {
  interval,      ///< a simulated value has an interval, and decides nothing without one
  replications,  ///< other draws give other values, but only several replications show by how much
  courses,       ///< the mean over drawn courses of the training
  fixed          ///< the same for all draws
};

/// What a value of the flow bound proves about the metric.
enum class Bound : std::uint8_t {
  no_less,  ///< no run is below it
  no_more,  ///< no run is above it
  exact,    ///< it is the value of every run
  open      ///< nothing
};

/// Where a metric is shown.
enum class Prominence : std::uint8_t {
  headline,  ///< first in summaries; also answered at the ends of the ranges of inputs (tornado)
  summary,   ///< in summaries
  usual,     ///< in tables that no one asked for by name
  further,   ///< in the full list
  asked      ///< in documents, and in text only where someone asks for it by name
};

/// How a figure is computed: the formula in words and symbols, what goes into it, and where the formula is from.
/// Sources that begin with "models/" are pages of docs/models, with assumptions, equations and literature.
struct FigureFormula {
  std::string_view formula;
  std::string_view inputs;
  std::string_view source;
};

struct MetricDescription {
  std::string_view name;   ///< in documents and on the command line
  std::string_view unit;   ///< "s", "B/s", "1" (a share), ...
  std::string_view label;  ///< in windows and pages, beside a value with its unit
  Better better;
  OverJobs over_jobs;
  OverTime over_time;
  StepLaw law;
  Noise noise;
  Bound bound;
  Prominence prominence;
  std::string_view meaning;  ///< one sentence
  FigureFormula how;
};

/// A part of an outcome that is no metric.
struct PartDescription {
  std::string_view name;
  FigureFormula how;
};

extern const std::span<const MetricDescription> kMetricDescriptions;
extern const std::span<const PartDescription> kPartDescriptions;

/// Null where no metric has that name.
const MetricDescription* find_metric(std::string_view name);

/// By full name: "step_time_s", "jobs/NAME/step_time_s", "batch_load_time_s.p99". Where no metric has that name, a row
/// without name, of unit "1", whose traits promise nothing.
const MetricDescription& traits_of(std::string_view full_name);

/// Whether it is first in summaries; not of a job by its full name.
bool is_headline(std::string_view name);
/// Names of those that are.
std::vector<std::string_view> headline_metrics();

/// Of a metric or of a part. Null where neither has that name.
const FigureFormula* find_formula(std::string_view name);

}  // namespace headrace::models
