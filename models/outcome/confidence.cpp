#include "models/outcome/confidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "models/outcome/evidence.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/outcome_assembly.hpp"
#include "models/outcome/workers_load.hpp"

namespace headrace::models {
namespace {

constexpr double kNearlyFull = 0.8;  ///< utilization from which a resource soon limits
/// No figure: the grade of a simulated answer is that of its estimate, whose resources are a little more or less busy.
constexpr std::string_view kNearlyFullText = "80 % busy or more";

double wait_in(const Outcome& outcome, Stage stage) {
  return std::max(share_of(outcome.blame, stage), share_of(outcome.relief, stage));
}

std::string short_number(double value) {
  return value >= 1000.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

/// Where a scenario lies outside what the model was compared with.
struct Outside {
  ExtrapolatedDimension dimension;
  std::string_view references;  ///< "computed cases" or "measurements"
};

/// "variability of batch times (CV) is 1.3, computed cases reach 0.9"; a load says of what it is a share.
std::string outside_text(const Outside& one) {
  const ExtrapolatedDimension& dimension = one.dimension;
  const bool above = dimension.value > dimension.high;
  const std::string end = short_number(above ? dimension.high : dimension.low);
  if (dimension.dimension == kWorkersLoad)
    return fmt::format("the workers are given {} times the work that they can do, {} {} {} times",
                       short_number(dimension.value), one.references, above ? "reach" : "start at", end);
  return fmt::format("{} is {}, {} {} {}", dimension.dimension, short_number(dimension.value), one.references,
                     above ? "reach" : "start at", end);
}

/// A dimension in which computed cases and measurements end is named once, where it lies farthest out.
std::vector<Outside> all_outside(const EvidenceReport& evidence) {
  std::vector<Outside> all;
  for (const ExtrapolatedDimension& dimension : evidence.extrapolates) all.push_back({dimension, "computed cases"});
  for (const MeasuredPart& part : evidence.measured)
    for (const ExtrapolatedDimension& dimension : part.extrapolates) all.push_back({dimension, "measurements"});
  std::stable_sort(all.begin(), all.end(),
                   [](const Outside& a, const Outside& b) { return a.dimension.factor > b.dimension.factor; });
  std::vector<Outside> once;
  for (Outside& one : all)
    if (std::none_of(once.begin(), once.end(),
                     [&](const Outside& o) { return o.dimension.dimension == one.dimension.dimension; }))
      once.push_back(std::move(one));
  return once;
}

/// The stage without a reference that the GPUs wait in longest.
std::optional<Stage> decisive_stage(const Outcome& outcome) {
  std::optional<Stage> decisive;
  for (const Stage stage : outcome.evidence.not_validated_stages) {
    if (wait_in(outcome, stage) < kFedIdleFraction && outcome.binding != stage) continue;
    if (!decisive || wait_in(outcome, stage) > wait_in(outcome, *decisive)) decisive = stage;
  }
  return decisive;
}

/// A resource that is nearly full and serves a stage without a reference.
const StationReport* nearly_full(const Outcome& outcome) {
  const auto& stages = outcome.evidence.not_validated_stages;
  for (const StationReport& station : outcome.stations)
    if (station.utilization >= kNearlyFull && std::find(stages.begin(), stages.end(), station.stage) != stages.end())
      return &station;
  return nullptr;
}

/// The first that is nearly full of stores, or of the network; null where none is.
const StationReport* nearly_full_at(const Outcome& outcome, ResourceSide side) {
  const auto full = std::find_if(outcome.stations.begin(), outcome.stations.end(), [&](const StationReport& station) {
    return traits(station.resource).side == side && station.utilization >= kNearlyFull;
  });
  return full == outcome.stations.end() ? nullptr : &*full;
}

/// The requests of a store that is nearly full, where its drives and their redundancy limit them.
const StationReport* full_drives(const Outcome& outcome) {
  if (!is_not_validated(outcome.evidence, kDrivesNotValidated)) return nullptr;
  const auto full = std::find_if(outcome.stations.begin(), outcome.stations.end(), [](const StationReport& station) {
    return station.resource == Resource::store_requests && station.utilization >= kNearlyFull;
  });
  return full == outcome.stations.end() ? nullptr : &*full;
}

/// Whether caches whose effect on the step was not measured answer some of what is read.
bool uses_unmeasured_caches(const Outcome& outcome) {
  struct Tier {
    Stage stage;
    std::string_view hits;
  };
  constexpr std::array<Tier, 3> kTiers = {Tier{Stage::cache, "cache_hit_ratio"}, Tier{Stage::peer, "peer_hit_ratio"},
                                          Tier{Stage::shared_cache, "shared_cache_hit_ratio"}};
  const auto& stages = outcome.evidence.not_validated_stages;
  return std::any_of(kTiers.begin(), kTiers.end(), [&](const Tier& tier) {
    return mean_in(outcome.metrics, tier.hits) > 0.0 &&
           std::find(stages.begin(), stages.end(), tier.stage) != stages.end();
  });
}

/// What of the store would be too slow for the GPUs, which do not wait, if such caches answered nothing.
const StationReport* held_by_caches(const Outcome& outcome) {
  if (outcome.verdict != Verdict::fed || !uses_unmeasured_caches(outcome)) return nullptr;
  const double read = mean_in(outcome.metrics, "ingest_bytes_per_s");
  const double sent = mean_in(outcome.metrics, "store_bytes_per_s");
  for (const StationReport& station : outcome.stations) {
    if (traits(station.resource).side != ResourceSide::store || traits(station.resource).owner != Owner::store)
      continue;
    const bool of_bytes = station.unit == "B/s" && station.capacity > 0.0;
    const double without = of_bytes ? read / station.capacity : sent > 0.0 ? station.utilization * read / sent : 0.0;
    if (without > 1.0) return &station;
  }
  return nullptr;
}

/// Share of its time that the job waits which waits most.
double longest_wait(const Outcome& outcome) {
  double most = mean_in(outcome.metrics, "gpu_idle_fraction");
  for (const JobReport& job : outcome.jobs) most = std::max(most, mean_in(job.metrics, "gpu_idle_fraction"));
  return most;
}

/// What makes GPUs wait though no measurement covers it; empty: nothing that does.
std::string_view unmeasured_cause(const Outcome& outcome) {
  if (longest_wait(outcome) <= kFedIdleFraction) return {};
  const auto binds = [&](Stage stage) {
    return outcome.binding == stage ||
           std::any_of(outcome.jobs.begin(), outcome.jobs.end(), [stage](const JobReport& job) {
             return job.binding == stage && mean_in(job.metrics, "gpu_idle_fraction") > kFedIdleFraction;
           });
  };
  if (binds(Stage::fresh)) return "new data arrive more slowly than they train on them";
  // Estimates name the one stage that binds most; a store that is full limits whoever reads it.
  const bool full = nearly_full_at(outcome, ResourceSide::store) != nullptr;
  const bool at_store = full || binds(Stage::transfer) || binds(Stage::request) || binds(Stage::metadata);
  if (at_store && is_not_validated(outcome.evidence, kSharingNotValidated)) return "loads share a store";
  if (at_store && is_not_validated(outcome.evidence, kCapacityNotValidated))
    return "the store's capacity changes over time";
  const bool network = nearly_full_at(outcome, ResourceSide::network) != nullptr;
  if (network && is_not_validated(outcome.evidence, kCollectivesNotValidated))
    return "collectives share links with the data";
  if (is_not_validated(outcome.evidence, kWritesNotValidated) &&
      mean_in(outcome.metrics, "checkpoint_ingest_wait_fraction") > kFedIdleFraction)
    return "checkpoint writes compete with reads";
  return {};
}

bool reaches_the_other_verdict(const Outcome& outcome) {
  const Metric* idle = outcome.find("gpu_idle_fraction");
  if (idle == nullptr || !outcome.evidence.error) return false;
  double factor = 1.0;
  for (const ExtrapolatedDimension& dimension : outcome.evidence.extrapolates)
    factor = std::max(factor, dimension.factor);
  const double error = outcome.evidence.error->largest / 100.0;
  return std::abs(idle->mean - kFedIdleFraction) <= error * factor;
}

bool hangs_on(const Outcome& outcome, Stage stage) {
  const Metric* idle = outcome.find("gpu_idle_fraction");
  if (idle == nullptr || idle->mean <= kFedIdleFraction) return false;
  // Estimates know the stage that binds, and not how much of the wait it causes.
  if (outcome.relief.empty() && outcome.binding == stage) return true;
  return idle->mean - wait_in(outcome, stage) <= kFedIdleFraction;
}

Confidence extrapolated(const Outcome& outcome, const std::vector<Outside>& outside, std::optional<Stage> stage,
                        const StationReport* station) {
  Confidence confidence{ConfidenceGrade::extrapolated, {}, false};
  if (stage && outcome.binding == stage && share_of(outcome.blame, *stage) < kFedIdleFraction)
    confidence.reason = fmt::format("The bottleneck is the stage {}, whose model is not validated by measurements.",
                                    name(*stage));  // batches wait for it where no GPU sees it
  else if (stage)
    confidence.reason = fmt::format("The GPUs wait {}in the stage {}, whose model is not validated by measurements.",
                                    !outcome.binding || outcome.binding == stage ? "" : "also ", name(*stage));
  else if (station != nullptr)
    confidence.reason = fmt::format("The resource {} is {}, and its model is not validated by measurements.",
                                    station->name, kNearlyFullText);
  if (!outside.empty())
    confidence.reason +=
        confidence.reason.empty() ? "Outside the range of the references: " : " Outside the range of the references: ";
  for (std::size_t i = 0; i < outside.size(); ++i)
    confidence.reason += (i == 0 ? "" : "; ") + outside_text(outside[i]) + (i + 1 == outside.size() ? "." : "");
  const bool decided = outcome.verdict == Verdict::fed || outcome.verdict == Verdict::ingest_bound;
  confidence.may_change_verdict = decided && ((stage && hangs_on(outcome, *stage)) || station != nullptr ||
                                              (!outside.empty() && reaches_the_other_verdict(outcome)));
  return confidence;
}

std::string quantity(const std::string& metric) {
  if (metric == "gpu_idle_fraction") return "idle time";
  if (metric == "checkpoint_save_s") return "time of a save";
  if (metric == "checkpoint_load_s") return "time of a load";
  return metric == "mlperf_au_percent" ? "AU" : metric;
}

/// Name and version of what was measured; the rest is what `headrace evidence` is for.
std::string short_system(const MeasuredPart& part) {
  const std::string name = part.system.substr(0, part.system.find_first_of(",(:"));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

/// The measurements of the loader and, where there are many, of the GPUs together come first; those of checkpoints
/// where they take the time.
Confidence near_measurements(const Outcome& outcome) {
  Confidence near;
  std::vector<MeasuredPart> measured = outcome.evidence.measured;
  if (outcome.verdict == Verdict::checkpoint_bound)
    std::stable_partition(measured.begin(), measured.end(),
                          [](const MeasuredPart& part) { return part.error.metric.starts_with("checkpoint_"); });
  near.reason = "Inside the range of measurements:";
  for (std::size_t i = 0; i < std::min<std::size_t>(measured.size(), 2); ++i) {
    const MeasuredPart& part = measured[i];
    near.reason +=
        fmt::format("{} {} ({} off by {:.3g} {} on average, {:.3g} at most)", i == 0 ? "" : " and", short_system(part),
                    quantity(part.error.metric), part.error.mean, part.error.unit, part.error.largest);
  }
  near.reason += ".";
  const Metric* step = outcome.find("step_time_s");
  if (step != nullptr && step->kind == AnswerKind::bound)
    near.reason += " A bound ignores queueing: GPUs may wait longer than it says.";
  return near;
}

/// A store that several loads share and that closed forms find nearly full, although no GPU waits by them: queues may
/// make them wait.
const StationReport* may_queue_by_sharing(const Outcome& outcome) {
  const Metric* step = outcome.find("step_time_s");
  if (outcome.verdict != Verdict::fed || step == nullptr || step->kind == AnswerKind::simulated) return nullptr;
  return is_not_validated(outcome.evidence, kSharingNotValidated) ? nearly_full_at(outcome, ResourceSide::store)
                                                                  : nullptr;
}

/// The grade with all figures of the answer known.
Confidence of_known_inputs(const Outcome& outcome) {
  const EvidenceReport& evidence = outcome.evidence;
  const std::vector<Outside> outside = all_outside(evidence);
  const std::optional<Stage> stage = decisive_stage(outcome);
  const StationReport* station = stage ? nullptr : nearly_full(outcome);
  if (!stage && station == nullptr) station = full_drives(outcome);
  if (stage || station != nullptr || !outside.empty()) return extrapolated(outcome, outside, stage, station);
  if (const StationReport* held = held_by_caches(outcome))
    return {ConfidenceGrade::extrapolated,
            fmt::format("Without caches the {} would be too slow, and what their hits do to the step was not measured.",
                        held->name),
            false};
  if (const StationReport* full = may_queue_by_sharing(outcome))
    return {ConfidenceGrade::extrapolated,
            fmt::format(
                "Loads share the {}, which is {}: whether the GPUs wait for it takes a simulation, and was compared "
                "with closed forms only.",
                full->name, kNearlyFullText),
            true};
  if (const std::string_view cause = unmeasured_cause(outcome); !cause.empty())
    return {ConfidenceGrade::extrapolated,
            fmt::format("The GPUs wait because {}, which was compared with closed forms only, not with a measurement.",
                        cause),
            false};
  for (const MeasuredPart& part : evidence.measured)
    if (!part.machine.empty())
      return {
          ConfidenceGrade::measured_here,
          fmt::format("A real pipeline on the machine of {} was off by {:.3g} {} of idle on average, {:.3g} at most.",
                      part.machine, part.error.mean, part.error.unit, part.error.largest),
          false};
  if (!evidence.measured.empty()) return near_measurements(outcome);
  return {ConfidenceGrade::extrapolated, "Only computed cases lie near this scenario, and no measurement.", false};
}

}  // namespace

Confidence confidence_of(const Outcome& outcome) {
  Confidence known = of_known_inputs(outcome);
  const std::string& assumed = outcome.evidence.assumed;
  if (assumed.empty()) return known;
  const bool holds_over_ranges =
      outcome.inputs && outcome.inputs->verdicts[static_cast<std::size_t>(outcome.verdict)] >= 1.0;
  std::string reason = "The answer is " + assumed + ".";
  if (known.grade == ConfidenceGrade::extrapolated) reason += " Apart from that it is extrapolated. " + known.reason;
  return {ConfidenceGrade::assumed, std::move(reason), !holds_over_ranges};
}

}  // namespace headrace::models
