// headrace compare: two scenarios or results, what differs between them, by how much, and what is to blame.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/exit_code.hpp"
#include "cli/gate_output.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/sides.hpp"
#include "cli/study_options.hpp"
#include "cli/unpriced_differences.hpp"
#include "cli/verb.hpp"
#include "models/answer/flow_bound.hpp"
#include "models/base/model_version.hpp"
#include "models/outcome/bottleneck.hpp"
#include "models/outcome/confidence.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/study/comparison.hpp"
#include "reports/confidence_text.hpp"
#include "reports/figure_table.hpp"
#include "reports/gate_cases.hpp"
#include "reports/gate_json.hpp"
#include "reports/gate_reader.hpp"
#include "reports/html/gate_page.hpp"
#include "reports/humane.hpp"
#include "reports/known_evidence.hpp"
#include "reports/open_ranges.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_summary.hpp"
#include "reports/room_text.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/thresholds.hpp"

namespace headrace::cli {
namespace {

using models::Comparison;
using models::PairedDifference;
using models::Ruling;

constexpr double kCompareWall_s = 60.0;
constexpr const char* kRecorded = "recorded";

struct CompareOptions {
  ScenarioOptions scenario;           ///< the two sides, and what is laid over both
  std::vector<std::string> layers;    ///< files laid over both
  std::vector<std::string> layers_a;  ///< over the first side only
  std::vector<std::string> layers_b;  ///< over the second side only
  std::vector<std::string> sets_a;    ///< overrides of the first side
  std::vector<std::string> sets_b;    ///< overrides of the second side
  std::vector<std::string> fail_ifs;  ///< "METRIC > +3 %"
  models::StudyOptions study;         ///< its budget
  bool again = false;                 ///< simulate two results again
  OutputOptions output;
  GateOutput gate;
};

void add_options(OptionTable& table, CompareOptions& options) {
  table.examples({"headrace compare image-node image-node --set-b /jobs/0/loader/workers=6"});
  table.add("sides", "A B", options.scenario.inputs, "two scenario files or names, or results (simulate --json)")
      .required()
      .count(2);
  table.section("Gate");
  table
      .add("--fail-if", "CHANGE", options.fail_ifs,
           "exit with 1 if a change from A to B is so: --fail-if \"step_time_s > +3 %\" is relative to A, --fail-if "
           "\"gpu_idle_fraction > +1 points\" counts in points of GPU time (repeatable)")
      .repeatable();
  table.section("Scenario");
  table.add("--with", "FILE", options.layers, "lay a file over both: --with shards.json (repeatable)").repeatable();
  table.add("--with-a", "FILE", options.layers_a, "lay a file over A only (repeatable)").repeatable();
  table.add("--with-b", "FILE", options.layers_b, "lay a file over B only (repeatable)").repeatable();
  table
      .add("--set", "/KEY=VALUE", options.scenario.sets,
           "override one value of both: --set /jobs/0/loader/workers=16 (repeatable)")
      .repeatable();
  table.add("--set-a", "/KEY=VALUE", options.sets_a, "override one value of A only (repeatable)").repeatable();
  table.add("--set-b", "/KEY=VALUE", options.sets_b, "override one value of B only (repeatable)").repeatable();
  add_catalogue(table, options.scenario.catalogues);
  add_progress(table, options.output);
  add_budget(table, options.study);
  table.flag("--again", options.again,
             "simulate two saved results again, with the same draws, and tell the causes of the change apart; without "
             "it (and without --with, --set, --steps, --max-wall) they are compared as saved");
  add_gate_output(table, options.output, options.gate);
}

using Limit = reports::LimitedChange;
using Part = reports::ChangePart;

models::ComparisonOptions options_of(const models::StudyOptions& study, const std::vector<Limit>& limits) {
  models::ComparisonOptions options;
  options.study = study;
  if (!(study.max_wall_s > 0.0)) options.study.max_wall_s = kCompareWall_s;
  for (const Limit& limit : limits) options.metrics.push_back(limit.asked.metric);
  return options;
}

/// What is shown of each job where several share a cluster, whose own figures are means and sums of them.
std::vector<std::string> metrics_of_jobs(const std::vector<std::string>& jobs) {
  std::vector<std::string> metrics;
  if (jobs.size() < 2) return metrics;
  for (const std::string& job : jobs)
    for (const char* metric :
         {"step_time_s", "gpu_idle_fraction", "samples_per_s", "epoch_time_s", "cost_per_epoch_usd"})
      metrics.push_back(fmt::format("jobs/{}/{}", job, metric));
  return metrics;
}

std::vector<std::string> jobs_of(const models::Scenario& scenario) {
  std::vector<std::string> names;
  for (const models::Job& job : scenario.jobs) names.push_back(job.name);
  return names;
}

std::vector<std::string> jobs_of(const models::Outcome& outcome) {
  std::vector<std::string> names;
  for (const models::JobReport& job : outcome.jobs)
    if (job.is_beside_others()) names.push_back(job.name);
  return names;
}

models::ChangeLimit change_limit(const scenarios::FailIf& asked) {
  return {asked.relation, asked.limit, asked.relative};
}

std::optional<std::vector<Limit>> limits_of(const std::vector<std::string>& fail_ifs, Console& console) {
  std::vector<Limit> limits;
  for (const std::string& text : fail_ifs) {
    const auto parsed = scenarios::parse_fail_if(text);
    if (!parsed) {
      refuse(fmt::format("--fail-if \"{}\": {} ({})", text, parsed.error().message, parsed.error().code),
             parsed.error().help, console);
      return std::nullopt;
    }
    limits.push_back({*parsed, Ruling::undecided});
  }
  return limits;
}

/// An outcome that cannot run beside one that can.
bool breaks(const Comparison& comparison) {
  return comparison.after.verdict == models::Verdict::infeasible &&
         comparison.before.verdict != models::Verdict::infeasible;
}

void judge(const Comparison& comparison, std::vector<Limit>& limits) {
  for (Limit& limit : limits) {
    const PairedDifference* difference = comparison.find(limit.asked.metric);
    limit.decision =
        difference == nullptr ? Ruling::undecided : models::judge_change(*difference, change_limit(limit.asked));
    if (breaks(comparison)) limit.decision = Ruling::fail;
  }
}

bool all_known(const std::vector<Limit>& limits) {
  return std::all_of(limits.begin(), limits.end(),
                     [](const Limit& limit) { return limit.decision != Ruling::undecided; });
}

/// From A as recorded to A by the present models; from A to A with today's catalogue; from there to B; and from B by
/// the present models to B as recorded.
std::vector<Part> parts_of(const Side& a, const Side& b, const std::vector<InputDifference>& inputs,
                           const Comparison& total, const CompareOptions& asked) {
  std::vector<Part> parts{{"model", {}}, {"catalogue", {}}, {"scenario", total.differences}};
  const auto recorded_change = [&](const Side& side, const models::Outcome& recomputed, bool backwards) {
    if (!side.recorded || side.changed || side.recorded->model_version == models::kModelVersion) return;
    const models::Outcome& old = side.recorded->outcome;
    for (PairedDifference& difference :
         backwards ? models::paired_differences(recomputed, old) : models::paired_differences(old, recomputed))
      parts[0].differences.push_back(std::move(difference));
  };
  recorded_change(a, total.before, false);
  recorded_change(b, total.after, true);
  if (a.catalogue_version == b.catalogue_version) return parts;
  const std::optional<LoadedScenario> mixed = with_catalogue_of(a, b, inputs, asked.scenario.catalogues);
  if (!mixed) {
    parts[1].is_unknown = b.recorded.has_value();
    parts[1].note = b.recorded ? "a result does not mark catalogue figures: they count as scenario"
                               : "no figure of the catalogue that both use has changed";
    return parts;
  }
  models::ComparisonOptions options = options_of(asked.study, {});
  options.study.steps = total.before.steps;
  options.study.relief = false;
  const auto once = [](const Comparison&) { return true; };
  parts[1].differences = models::compare(a.loaded->value, mixed->value, options, once).differences;
  parts[2].differences = models::compare(mixed->value, b.loaded->value, options, once).differences;
  return parts;
}

reports::GateTable blame_table(const Comparison& comparison) {
  reports::GateTable table{"Waits of the GPUs", {"stage", "A", "B", "change"}, {}};
  for (const std::string_view stage : models::kStageNames) {
    const std::string metric = fmt::format("blame/{}", stage);
    const double a = models::metric_value(comparison.before, metric).value_or(0.0);
    const double b = models::metric_value(comparison.after, metric).value_or(0.0);
    if (a < 5e-5 && b < 5e-5) continue;
    table.rows.push_back({std::string(stage), reports::percent(a, 2), reports::percent(b, 2),
                          reports::signed_hundredths(100.0 * (b - a)) + " points"});
  }
  return table;
}

/// What a part changes in a metric; nothing where the intervals of its steps say that it may be noise.
std::string part_text(const Part& part, std::string_view metric) {
  if (part.is_unknown) return "unknown";
  PairedDifference sum;
  sum.metric = metric;
  bool seen = false;
  bool any = false;
  for (const PairedDifference& difference : part.differences) {
    if (difference.metric != metric) continue;
    any = true;
    sum.mean += difference.mean;
    seen = seen || difference.is_significant();
  }
  return any && !seen ? "no change seen" : reports::change_text(sum);
}

reports::GateTable parts_table(const std::vector<Part>& parts) {
  reports::GateTable table{"Causes of the change", {"figure", "model", "catalogue", "scenario"}, {}};
  for (const std::string_view metric : reports::kWatchedMetrics) {
    std::vector<std::string> row{reports::spoken_name(metric)};
    for (const Part& part : parts) row.push_back(part_text(part, metric));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string gain_text(const models::GainedEpochs& gained) {
  const auto side = [](double per_hour, double usd_per_hour) {
    return fmt::format("{} epochs an hour for {} an hour, {} an epoch", reports::humane_number(per_hour),
                       reports::humane(usd_per_hour, "USD"), reports::humane(usd_per_hour / per_hour, "USD"));
  };
  std::string text = fmt::format("A runs {}; B {}", side(gained.before_per_hour, gained.before_usd_per_hour),
                                 side(gained.after_per_hour, gained.after_usd_per_hour));
  if (!gained.usd_per_epoch_ci) return text + "; no gain in epochs is known.";
  constexpr double kAsMany = 1e-4;  // of all: less is not seen in what is printed
  if (std::abs(gained.after_per_hour - gained.before_per_hour) <= kAsMany * gained.before_per_hour)
    return text + "; both run as many epochs an hour.";
  const bool more = gained.after_per_hour > gained.before_per_hour;
  constexpr double kLeastUsd = 0.005;  // less is rounding
  if (std::abs(*gained.usd_per_epoch) < kLeastUsd)
    return text + (more ? "; the additional epochs of B cost nothing." : "; B runs fewer epochs and saves nothing.");
  const bool costs = *gained.usd_per_epoch > 0.0;
  const bool cheaper = gained.after_usd_per_hour < gained.before_usd_per_hour - kLeastUsd;
  if (more && !costs)
    return text + "; the additional epochs of B cost nothing" + (cheaper ? ", and an hour of it costs less." : ".");
  const bool dearer = gained.after_usd_per_hour > gained.before_usd_per_hour + kLeastUsd;
  if (!more && !costs)
    return text + (dearer ? "; B runs fewer epochs, and an hour of it costs more."
                          : "; B runs fewer epochs for the same price of an hour.");
  const std::string one = reports::humane(*gained.usd_per_epoch, "USD");
  const std::string range = reports::span_text(reports::humane(gained.usd_per_epoch_ci->low, "USD"),
                                               reports::humane(gained.usd_per_epoch_ci->high, "USD"));
  return text + fmt::format("; each {} {}{}.", more ? "additional epoch of B costs" : "epoch that B does not run saves",
                            one, range == one ? "" : " (" + range + ")");
}

/// Whether gains were measured, or a resource is full.
bool knows_bottleneck(const models::Outcome& outcome) {
  return outcome.verdict != models::Verdict::ingest_bound || !outcome.relief.empty() || outcome.blame.empty() ||
         models::full_station(outcome) != nullptr;
}

/// Where one side does not know its bottleneck both are told by what they wait for most: one rule for both.
bool is_told_by_waits(const Comparison& comparison) {
  return !knows_bottleneck(comparison.before) || !knows_bottleneck(comparison.after);
}

std::optional<models::Stage> told_stage(const models::Outcome& outcome, bool by_waits) {
  const models::StageShare* most = models::largest_share(outcome.blame);
  return by_waits && most != nullptr ? std::optional(most->stage) : models::binding_stage(outcome);
}

constexpr const char* kAtItsValues = " at the scenario's values";

/// "ingest-bound by decode"; "ingest-bound (most waits: decode)" where no gain was measured; "compute-bound", as every
/// answer begins.
std::string verdict_of(const models::Outcome& outcome, bool by_waits, bool open) {
  if (outcome.verdict == models::Verdict::fed)
    return std::string("compute-bound") + (outcome.evidence.assumed.empty() && !open ? "" : kAtItsValues);
  const std::string verdict = reports::spoken_verdict(outcome.verdict);
  if (outcome.verdict != models::Verdict::ingest_bound) return verdict;
  const std::optional<models::Stage> stage = told_stage(outcome, by_waits);
  if (!stage) return verdict;
  return fmt::format("{} {}{}{}", verdict, by_waits ? "(most waits: " : "by ", models::name(*stage),
                     by_waits ? ")" : "");
}

/// What is said of one side, once where it holds for both.
void tell_of_sides(const std::string& a, const std::string& b, std::vector<std::string>& notes) {
  if (!a.empty()) notes.push_back((a == b ? "A and B: " : "A: ") + a);
  if (!b.empty() && a != b) notes.push_back("B: " + b);
}

/// How the step time changes, after "the step time" or the name of a job; empty where nothing is known to say.
std::string step_change(const PairedDifference& step, const std::string& whose) {
  if (!step.relative) return {};
  if (!step.relative_ci) return fmt::format("; how the step time{} changes is not known", whose);
  if (step.relative_ci->low == 0.0 && step.relative_ci->high == 0.0)
    return fmt::format("; the step time{} is the same", whose);
  if (!step.is_significant())
    return fmt::format("; no change of the step time{} is seen ({})", whose,
                       reports::span_text(reports::relative_text(step.relative_ci->low),
                                          reports::relative_text(step.relative_ci->high)));
  if (*step.relative >= 1.0)
    return fmt::format("; the step time{} of B is {} that of A ({:.2f} to {:.2f})", whose,
                       reports::factor_text(1.0 + *step.relative), 1.0 + step.relative_ci->low,
                       1.0 + step.relative_ci->high);
  return fmt::format("; from A to B the step time{} changes by {} ({} to {})", whose,
                     reports::relative_text(*step.relative), reports::relative_text(step.relative_ci->low),
                     reports::relative_text(step.relative_ci->high));
}

/// Of several jobs each has steps of its own, and their mean says nothing: the largest changes, by job.
std::string job_changes(const Comparison& comparison, const std::vector<std::string>& jobs) {
  constexpr std::size_t kShown = 3;
  std::vector<std::pair<double, std::string>> told;
  for (const std::string& job : jobs) {
    const PairedDifference* step = comparison.find(fmt::format("jobs/{}/step_time_s", job));
    if (step == nullptr || !step->relative) continue;
    told.emplace_back(step->is_significant() ? -std::abs(*step->relative) : 1.0, step_change(*step, " of " + job));
  }
  std::stable_sort(told.begin(), told.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, told.size()); ++i) text += told[i].second;
  return told.size() > kShown ? text + fmt::format("; {} more jobs change less", told.size() - kShown) : text;
}

/// Of the same work: which side is faster, by how much, and whether that is more than the noise; its cost beside it.
std::string better_side(const Comparison& comparison) {
  const PairedDifference* epoch = comparison.find("epoch_time_s");
  const auto cannot_run = [](const models::Outcome& side) { return side.verdict == models::Verdict::infeasible; };
  if (epoch == nullptr || !epoch->relative || cannot_run(comparison.before) || cannot_run(comparison.after)) return {};
  const double change = *epoch->relative;
  const std::string times =
      fmt::format("{} instead of {}", reports::humane(epoch->after, "s"), reports::humane(epoch->before, "s"));
  const std::string longer = change >= 1.0 ? fmt::format("is {} as long", reports::factor_text(1.0 + change))
                                           : fmt::format("takes {} {}", reports::percent(std::abs(change), 2),
                                                         change < 0.0 ? "less" : "longer");
  std::string text;
  if (!epoch->relative_ci)
    text = change == 0.0 ? std::string("A and B are equally fast")
                         : fmt::format(
                               "{} is faster as recorded: an epoch of B {} ({}); no interval tells whether "
                               "that is noise",
                               change < 0.0 ? "B" : "A", longer, times);
  else if (epoch->relative_ci->low == 0.0 && epoch->relative_ci->high == 0.0)
    text = "A and B are equally fast";
  else if (constexpr double kNothing = 1e-4;
           std::max(std::abs(epoch->relative_ci->low), std::abs(epoch->relative_ci->high)) < kNothing)
    text = "A and B are equally fast, to 0.01 %";
  else if (const std::string interval = reports::span_text(reports::relative_text(epoch->relative_ci->low),
                                                           reports::relative_text(epoch->relative_ci->high));
           !epoch->is_significant())
    text =
        fmt::format("Neither is seen to be faster: the time of an epoch changes by {}, which may be noise", interval);
  else
    text = fmt::format("{} is faster: an epoch of B {} ({}; {:.0f} % interval {}, more than noise)",
                       change < 0.0 ? "B" : "A", longer, times, 100.0 * comparison.confidence, interval);
  const PairedDifference* cost = comparison.find("cost_per_epoch_usd");
  if (cost != nullptr && cost->is_significant() && cost->before > 0.0 && cost->after > 0.0)
    text += fmt::format(", and costs {} instead of {}", reports::humane(cost->after, "USD"),
                        reports::humane(cost->before, "USD"));
  return text + ". ";
}

/// Times and costs of epochs that read different amounts are not of the same work.
std::string different_epochs(const Comparison& comparison) {
  constexpr double kSame = 0.02;
  const auto read_bytes = [](const models::Outcome& outcome) {
    const models::Metric* rate = outcome.find("ingest_bytes_per_s");
    const models::Metric* epoch = outcome.find("epoch_time_s");
    return rate == nullptr || epoch == nullptr ? 0.0 : rate->mean * epoch->mean;
  };
  const auto sample_bytes = [](const models::Outcome& outcome) {
    const double per_s = models::mean_in(outcome.metrics, "samples_per_s");
    return per_s > 0.0 ? models::mean_in(outcome.metrics, "ingest_bytes_per_s") / per_s : 0.0;
  };
  const double a = read_bytes(comparison.before);
  const double b = read_bytes(comparison.after);
  if (!(a > 0.0) || !(b > 0.0) || std::abs(a - b) <= kSame * std::max(a, b)) return {};
  const double of_a = sample_bytes(comparison.before);
  const double of_b = sample_bytes(comparison.after);
  const bool alike = std::abs(of_a - of_b) <= kSame * std::max(of_a, of_b);
  return fmt::format("An epoch of A reads {}, of B {}: their times and costs are not of the same work; compare {}.",
                     reports::humane(a, "B", 3), reports::humane(b, "B", 3),
                     alike ? "samples per second" : "GPU idle times, since samples differ in size too");
}

/// What takes the time of a side that its verdict does not name: ". A: 24.6 % goes to the exchange of gradients".
std::string other_times(const Comparison& comparison) {
  std::string text;
  for (const auto& [name, outcome] : {std::pair("A", &comparison.before), std::pair("B", &comparison.after)})
    if (std::string other = reports::other_time_sentence(*outcome); !other.empty())
      text += fmt::format(". {}:{}", name, other.substr(0, other.size() - 1));
  return text;
}

/// A verdict beside one that holds for the scenario's values alone: this one holds over the ranges of the inputs.
std::string over_ranges(const std::string& verdict, const std::string& other) {
  return other == verdict + std::string(kAtItsValues) ? verdict + " over the ranges of its inputs, too" : verdict;
}

/// First which side is better, then why. Of several jobs, or of other work, the steps. `open`: of A and of B, whether
/// the ranges of the inputs leave open that the GPUs do not wait.
std::string headline(const Comparison& comparison, const std::array<bool, 2>& open) {
  const bool by_waits = is_told_by_waits(comparison);
  const std::string a = verdict_of(comparison.before, by_waits, open[0]);
  const std::string b = verdict_of(comparison.after, by_waits, open[1]);
  const std::string text =
      a == b ? "Both are " + a : fmt::format("A is {}, B is {}", over_ranges(a, b), over_ranges(b, a));
  const std::vector<std::string> jobs = jobs_of(comparison.before);
  if (jobs.size() > 1) return text + job_changes(comparison, jobs);
  const std::string better = different_epochs(comparison).empty() ? better_side(comparison) : std::string();
  if (!better.empty()) return better + text + other_times(comparison);
  const PairedDifference* step = comparison.find("step_time_s");
  return step == nullptr ? text : text + step_change(*step, "");
}

reports::ComparedSide compared_side(const Side& side, const models::Outcome& outcome,
                                    const models::Confidence& confidence, bool by_waits) {
  return {side.name,
          side.recorded.has_value(),
          side.loaded ? side.loaded->sha256 : side.recorded->outcome.scenario_sha256,
          side.recorded ? side.recorded->model_version : std::string(models::kModelVersion),
          side.catalogue_version,
          outcome.verdict,
          by_waits ? std::nullopt : models::binding_stage(outcome),
          confidence,
          outcome.evidence};
}

/// What was compared as it was saved has no seed of this call.
bool is_simulated(const Comparison& comparison) { return comparison.stopped_by != kRecorded; }

/// Two results are compared as they were saved, unless something asks for what only a simulation tells.
bool as_saved(const Side& a, const Side& b, const CompareOptions& asked) {
  const bool simulate = asked.again || a.changed || b.changed || asked.study.steps > 0 ||
                        asked.study.max_wall_s > 0.0 || asked.study.seed != models::StudyOptions{}.seed;
  return a.recorded && b.recorded && !simulate;
}

/// By what was recorded; a side that is a scenario by its flow bound.
Comparison compare_recorded(const Side& a, const Side& b, const std::vector<Limit>& limits) {
  Comparison comparison;
  const auto outcome = [](const Side& side) {
    return side.recorded ? side.recorded->outcome : models::flow_bound(side.loaded->value);
  };
  comparison.before = outcome(a);
  comparison.after = outcome(b);
  comparison.differences = models::paired_differences(comparison.before, comparison.after);
  std::vector<std::string> metrics = metrics_of_jobs(jobs_of(comparison.before));
  for (const Limit& limit : limits) metrics.push_back(limit.asked.metric);
  for (const std::string& metric : metrics) {
    if (comparison.find(metric) != nullptr) continue;
    if (auto difference = models::paired_difference(comparison.before, comparison.after, metric))
      comparison.differences.push_back(std::move(*difference));
  }
  comparison.stopped_by = kRecorded;
  return comparison;
}

/// Both sides simulated; recorded outcomes stand in for what was saved, or cannot be simulated any more.
Comparison compare_sides(const Side& a, const Side& b, const CompareOptions& asked, std::vector<Limit>& limits,
                         Console& console) {
  if (!a.loaded || !b.loaded || as_saved(a, b, asked)) {
    Comparison comparison = compare_recorded(a, b, limits);
    judge(comparison, limits);
    return comparison;
  }
  models::ComparisonOptions options = options_of(asked.study, limits);
  const InterruptWatch watch(options.study.max_wall_s);
  ProgressLine line(console);
  for (std::string& metric : metrics_of_jobs(jobs_of(a.loaded->value))) options.metrics.push_back(std::move(metric));
  line.follow(options.study, watch);
  Comparison comparison =
      models::compare(a.loaded->value, b.loaded->value, options, [&limits](const Comparison& sofar) {
        judge(sofar, limits);
        const PairedDifference* step = sofar.find("step_time_s");
        return all_known(limits) && (!limits.empty() || (step != nullptr && step->ci));
      });
  judge(comparison, limits);
  return comparison;
}

/// Everything that a comparison finds.
struct Compared {
  Side a;
  Side b;
  std::vector<Limit> limits;
  std::vector<InputDifference> inputs;
  Comparison comparison;
  std::vector<Part> parts;
  std::optional<models::GainedEpochs> gained;
  std::array<models::Confidence, 2> confidence = {};  ///< of A and B
  std::array<bool, 2> open = {};                      ///< whether GPUs may wait over the ranges of the inputs
};

/// " with /jobs/0/loader/workers=6 and 2 more"; empty where a side changes nothing of its own.
std::string changes_text(const std::vector<std::string>& layers, const std::vector<std::string>& sets) {
  std::vector<std::string> changes = sets;
  changes.insert(changes.end(), layers.begin(), layers.end());
  if (changes.empty()) return {};
  const std::string& first = changes.front();
  const std::size_t equals = std::min(first.find('='), first.size() - 1);
  return fmt::format(" with {}{}{}", first.substr(0, equals + 1), value_in_title(first.substr(equals + 1)),
                     changes.size() == 1 ? "" : fmt::format(" and {} more", changes.size() - 1));
}

constexpr std::string_view kSet = "--set";

/// Whether an origin is a value that --set-b gives, which a scenario knows as one of --set.
bool is_of_b_alone(std::string_view origin, const CompareOptions& options) {
  return origin.starts_with(kSet) && std::any_of(options.sets_b.begin(), options.sets_b.end(), [&](const auto& set) {
           return origin.substr(kSet.size()) == ' ' + set;
         });
}

/// Of both sides; nullopt after a complaint.
std::optional<Compared> load_sides(const CompareOptions& options, Console& console) {
  auto limits = limits_of(options.fail_ifs, console);
  if (!limits) return std::nullopt;
  const auto side = [&](const std::string& input, const std::vector<std::string>& layers,
                        const std::vector<std::string>& own) {
    ScenarioOptions scenario = options.scenario;
    scenario.inputs = options.layers;
    scenario.inputs.insert(scenario.inputs.end(), layers.begin(), layers.end());
    scenario.sets.insert(scenario.sets.end(), own.begin(), own.end());
    return load_side(input, scenario, console);
  };
  std::optional<Side> a = side(options.scenario.inputs.front(), options.layers_a, options.sets_a);
  if (!a) return std::nullopt;
  std::optional<Side> b = side(options.scenario.inputs.back(), options.layers_b, options.sets_b);
  if (!b) return std::nullopt;
  if (a->name == b->name) {  // what is changed tells them apart
    a->name += changes_text(options.layers_a, options.sets_a);
    b->name += changes_text(options.layers_b, options.sets_b);
  }
  return Compared{std::move(*a), std::move(*b), std::move(*limits), {}, {}, {}, {}, {}};
}

/// How far saved results tell a difference.
void add_saved_notes(const Compared& found, std::vector<std::string>& notes) {
  const Comparison& comparison = found.comparison;
  const std::string& model_a = found.a.recorded->model_version;
  const std::string& model_b = found.b.recorded->model_version;
  if (model_a != model_b)
    notes.push_back(
        fmt::format("Models {} gave A, models {} gave B: a part of the change may be theirs.", model_a, model_b));
  const PairedDifference* step = comparison.find("step_time_s");
  const bool paired = step != nullptr && step->pairing == models::Pairing::replications;
  notes.push_back(fmt::format(
      "Compared as saved, without simulation: {} of A, {} of B. {:.3g} % intervals of simulation noise, from {}.",
      reports::counted(comparison.before.steps, "step"), reports::counted(comparison.after.steps, "step"),
      100.0 * comparison.confidence,
      paired ? "pairs of the saved replications" : "those of both as if independent; paired differences are narrower"));
  if (found.a.loaded && found.b.loaded) notes.emplace_back("--again simulates both with the same draws.");
}

/// What the machine rooms of both sides hold, beside what they cost.
void add_rooms(const Compared& found, std::vector<std::string>& notes) {
  if (!found.a.loaded || !found.b.loaded) return;
  const std::string a = reports::room_sentence(room_facts(found.a.loaded->value, found.comparison.before));
  const std::string b = reports::room_sentence(room_facts(found.b.loaded->value, found.comparison.after));
  if (a.empty() && b.empty()) return;
  if (a == b) {
    notes.push_back("Both alike: " + a);
    return;
  }
  notes.push_back(fmt::format("A: {} B: {}", a.empty() ? "none of it." : a, b.empty() ? "none of it." : b));
}

/// Figures that one side alone has, such as what peers answer: a difference needs both.
std::string figures_alone(const models::Outcome& own, const models::Outcome& other) {
  std::string text;
  for (const models::Metric& metric : own.metrics) {
    const models::MetricDescription& traits = models::traits_of(metric.name);
    if (traits.prominence == models::Prominence::asked || other.find(metric.name) != nullptr) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", traits.label, reports::metric_text(metric.name, metric.mean));
  }
  return text;
}

/// From the start of the job to its end, where what comes before the first step is much of it.
void add_whole_training(const Comparison& comparison, std::vector<std::string>& notes) {
  constexpr double kMuch = 0.02;  // of the whole
  const auto whole_s = [](const models::Outcome& outcome) {
    const double training_s = models::mean_in(outcome.metrics, "training_time_s");
    return training_s > 0.0 ? training_s + models::mean_in(outcome.metrics, "time_to_first_step_s") : 0.0;
  };
  const double a_s = whole_s(comparison.before);
  const double b_s = whole_s(comparison.after);
  const auto starts_s = [](const models::Outcome& outcome) {
    return models::mean_in(outcome.metrics, "time_to_first_step_s");
  };
  if (!(a_s > 0.0) || !(b_s > 0.0) ||
      std::abs(starts_s(comparison.before) - starts_s(comparison.after)) < kMuch * std::max(a_s, b_s))
    return;
  notes.push_back(fmt::format(
      "From the start to the end of the training, with what comes before the first step: A {}, B {} ({:+.0f} %).",
      reports::humane(a_s, "s", 3), reports::humane(b_s, "s", 3), 100.0 * (b_s / a_s - 1.0)));
}

void add_figures_alone(const Comparison& comparison, std::vector<std::string>& notes) {
  const std::string a = figures_alone(comparison.before, comparison.after);
  const std::string b = figures_alone(comparison.after, comparison.before);
  if (!a.empty()) notes.push_back(fmt::format("A alone has: {}.", a));
  if (!b.empty()) notes.push_back(fmt::format("B alone has: {}.", b));
}

std::vector<std::string> notes_of(const Compared& found) {
  const Comparison& comparison = found.comparison;
  std::vector<std::string> notes;
  if (breaks(comparison)) notes.emplace_back("B cannot run at all: infeasible.");
  if (found.inputs.empty()) notes.emplace_back("No input differs. --set-b and --with-b change side B only.");
  const bool several = reports::has_several_jobs(comparison.before) || reports::has_several_jobs(comparison.after);
  if (const std::string text = different_epochs(comparison); !several && !text.empty()) notes.push_back(text);
  if (!several) add_whole_training(comparison, notes);
  if (found.a.loaded && found.b.loaded)
    for (const std::string& difference : unpriced_differences(found.a.loaded->value, found.b.loaded->value))
      notes.push_back(fmt::format("Costs: {}.", difference));
  for (const auto& told : {reports::difference_of_gain, reports::unsettled_waits})
    tell_of_sides(told(comparison.before), told(comparison.after), notes);
  const auto caution_of = [&](std::size_t side) {
    return reports::verdict_caution(reports::confidence_json(found.confidence[side]));
  };
  tell_of_sides(caution_of(0), caution_of(1), notes);
  for (const Part& part : found.parts)
    if (!part.note.empty()) notes.push_back(fmt::format("The change by {}: {}.", part.name, part.note));
  if (!several && found.gained && found.gained->before_usd_per_hour + found.gained->after_usd_per_hour > 0.0)
    notes.push_back(gain_text(*found.gained));
  add_rooms(found, notes);
  add_figures_alone(comparison, notes);
  if (!is_simulated(comparison) && found.a.recorded && found.b.recorded) {
    add_saved_notes(found, notes);
    return notes;
  }
  if (comparison.stopped_by == "other_starts")
    notes.push_back(fmt::format(
        "How long the GPUs wait depends on how a run starts: the differences are over {} starts of each side. "
        "headrace simulate shows how far starts lie apart.",
        models::kComparedStarts));
  notes.push_back(fmt::format("{} of each, {:.3g} % intervals of simulation noise, ended {}.",
                              reports::counted(comparison.before.steps, "step"), 100.0 * comparison.confidence,
                              reports::ended_text(comparison.stopped_by)));
  return notes;
}

Ruling decision_of(const Compared& found) {
  Ruling decision = Ruling::pass;
  for (const Limit& limit : found.limits) decision = models::worse(decision, limit.decision);
  const PairedDifference* step = found.comparison.find("step_time_s");
  return found.limits.empty() && step != nullptr && !step->ci ? Ruling::undecided : decision;
}

/// The document's, and what that does not hold.
reports::GateReport report_of(const reports::RecordedComparison& recorded, const Compared& found) {
  reports::GateReport report = reports::compare_report_of(recorded);
  report.tables.push_back(blame_table(found.comparison));
  if (!found.parts.empty() && (found.a.recorded || found.b.recorded)) report.tables.push_back(parts_table(found.parts));
  std::erase_if(report.tables, [](const reports::GateTable& table) { return table.rows.empty(); });
  return report;
}

reports::RecordedComparison recorded_of(const Compared& found, std::uint64_t seed) {
  const Comparison& comparison = found.comparison;
  return {std::string(models::kModelVersion),
          decision_of(found),
          compared_side(found.a, comparison.before, found.confidence[0], is_told_by_waits(comparison)),
          compared_side(found.b, comparison.after, found.confidence[1], is_told_by_waits(comparison)),
          found.inputs,
          found.limits,
          comparison.differences,
          found.parts,
          found.gained,
          comparison.confidence,
          is_simulated(comparison) ? std::optional(seed) : std::nullopt,
          comparison.before.steps,
          comparison.stopped_by,
          headline(comparison, found.open),
          notes_of(found)};
}

int compare_both(const CompareOptions& options, Console& console) {
  std::optional<Compared> loaded = load_sides(options, console);
  if (!loaded || !can_deliver_gate(options.output, options.gate, console)) return kBadInput;
  Compared& found = *loaded;
  for (const Side* side : {&found.a, &found.b})
    if (!side->loaded)
      console.warn(
          fmt::format("the present models cannot read the scenario in '{}' ({}): its recorded numbers are used",
                      side->name, side->reason));
  found.inputs = input_differences(found.a, found.b);
  for (InputDifference& input : found.inputs)
    if (is_of_b_alone(input.origin, options))  // the value stands beside it
      input.origin =
          fmt::format("{}-b{}", kSet, input.origin.substr(kSet.size(), input.origin.find('=') - kSet.size()));
  found.comparison = compare_sides(found.a, found.b, options, found.limits, console);
  if (found.a.loaded && found.b.loaded && is_simulated(found.comparison))
    found.parts = parts_of(found.a, found.b, found.inputs, found.comparison, options);
  found.confidence = {models::confidence_of(found.comparison.before), models::confidence_of(found.comparison.after)};
  if (is_simulated(found.comparison)) {
    found.comparison.before.binding = models::binding_stage(found.comparison.before);
    found.comparison.after.binding = models::binding_stage(found.comparison.after);
    found.confidence = {reports::add_known_evidence(found.comparison.before, *found.a.loaded),
                        reports::add_known_evidence(found.comparison.after, *found.b.loaded)};
    found.open = {!reports::open_wait(found.comparison.before, *found.a.loaded).empty(),
                  !reports::open_wait(found.comparison.after, *found.b.loaded).empty()};
  }
  found.gained = models::gained_epochs(found.comparison);
  const reports::RecordedComparison recorded = recorded_of(found, options.study.seed);
  const auto page = [&] { return reports::compare_page(recorded, {{}, options.output.program}); };
  const int status = deliver_gate(report_of(recorded, found), reports::comparison_json(recorded), options.output,
                                  options.gate, console, page);
  return found.comparison.stopped_by == "interrupted" && status != kBadInput ? kInterrupted : status;
}

int run(const CompareOptions& options, Console& console) {
  return with_refusals("compare", options.gate, console, [&] { return compare_both(options, console); });
}

}  // namespace

Verb compare() {
  return make_verb<CompareOptions>("compare", "two scenarios or results: differences, their size and causes",
                                   add_options, run);
}

}  // namespace headrace::cli
