#include "reports/outcome_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "models/outcome/bottleneck.hpp"
#include "models/outcome/confidence.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/outcome/unused_inputs.hpp"
#include "reports/confidence_text.hpp"
#include "reports/figure_table.hpp"
#include "reports/humane.hpp"
#include "reports/next_changes.hpp"
#include "reports/outcome_json.hpp"
#include "reports/station_words.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/remedies/remedy.hpp"

namespace headrace::reports {
namespace {

using models::Outcome;
using models::StageShare;
using models::StationReport;
using models::Verdict;

constexpr std::size_t kFigures = 5;
constexpr std::ptrdiff_t kLines = 20;
constexpr double kFull = 0.9;            ///< utilization from which a resource is called full
constexpr double kNotableShare = 0.005;  ///< share of GPU time from which a difference of blame and gain is told

/// Where steps change over the epoch, a resource can be full in one part of it and idle in another. Under a store whose
/// capacity changes it is told of the capacity that lasts longest.
std::string busy_text(const StationReport& station, const Outcome& outcome) {
  return fmt::format("{}, {} busy{} ({} of {}{})", station.name, percent(station.utilization),
                     is_after_ramp(outcome)              ? " after the ramp"
                     : steps_over_epoch(outcome).empty() ? ""
                                                         : " on average",
                     humane(station.throughput, station.unit, 3), humane(station.capacity, station.unit, 3),
                     capacity_reason(outcome, station));
}

std::string remedy_text(const Outcome& outcome, int width, bool with_cost = true) {
  if (!outcome.remedy) return {};
  const std::string text = wrapped(remedy_sentence(outcome, with_cost), width, 2);
  const std::string& options = outcome.remedy->options;
  return options.empty() ? text : text + "\n" + pasted_options(options, width);
}

/// Without its options, which stand in the whole text; empty where that takes no fewer lines.
std::string brief_remedy(const Outcome& outcome, int width) {
  if (!outcome.remedy) return {};
  const std::string options = pasted_options(outcome.remedy->options, width);
  if (std::count(options.begin(), options.end(), '\n') < 2) return {};
  std::string text = remedy_sentence(outcome, false);
  text.resize(text.size() - kTryItWith.size());
  text = wrapped(text + "--verbose prints the options that try it.", width, 2);
  const auto lines = [](const std::string& of) { return std::count(of.begin(), of.end(), '\n'); };
  return lines(text) < lines(remedy_text(outcome, width)) ? text : std::string();
}

/// What helps instead of the first remedy, each with its options.
std::string more_remedies_text(const Outcome& outcome, int width) {
  std::string text;
  for (const models::RemedyReport& one : outcome.more_remedies)
    text += (text.empty() ? "" : "\n") +
            wrapped(fmt::format("Or {} ({}){}", change_text(one, outcome), gain_basis(one, outcome),
                                one.options.empty() ? "." : ":"),
                    width, 2) +
            (one.options.empty() ? "" : "\n" + pasted_options(one.options, width));
  return text;
}

/// The same in a sentence, without costs and options.
std::string brief_more_remedies(const Outcome& outcome, int width) {
  std::vector<std::string> changes;
  for (const models::RemedyReport& one : outcome.more_remedies)
    changes.push_back(fmt::format("{}: {}", one.change, effect_text(one, outcome)));
  if (changes.empty()) return {};
  return wrapped(fmt::format("Or {}.", fmt::join(changes, ", or ")), width, 2);
}

/// Where there is nothing to change; an answer that is open says itself what it needs.
std::string nothing_to_change(const Outcome& outcome, std::string_view open_wait) {
  if (outcome.remedy || outcome.verdict == Verdict::infeasible || is_bound(outcome)) return {};
  const std::string reason = why_no_change(outcome, open_wait);
  if (reason.empty()) return kNoChangeGains;
  return outcome.verdict == Verdict::inconclusive ? std::string() : reason;
}

std::string thresholds_text(const std::vector<models::Judgement>& judgements) {
  if (judgements.empty()) return {};
  std::vector<std::string> missed;
  for (const models::Judgement& judgement : judgements)
    if (judgement.decision != models::Ruling::pass)
      missed.push_back(fmt::format("{} {} {}", judgement.threshold.metric, judgement.threshold.condition,
                                   judgement.decision == models::Ruling::fail ? "fails" : "is undecided"));
  if (missed.empty())
    return fmt::format("Thresholds: {} passed.", judgements.size() == 1 ? "the one of the scenario" : "all");
  return fmt::format("Thresholds: {} of {} passed; {}.", judgements.size() - missed.size(), judgements.size(),
                     fmt::join(missed, ", "));
}

/// Where the figures have a cost that lacks a price.
std::string missing_price_text(const Outcome& outcome, const std::string& unpriced) {
  const models::Metric* cost = outcome.find("cost_per_epoch_usd");
  return unpriced.empty() || cost == nullptr || !(cost->mean > 0.0) ? std::string()
                                                                    : fmt::format("Cost: {}.", unpriced);
}

std::string jobs_text(const Outcome& outcome) {
  if (outcome.jobs.empty() || !outcome.jobs.front().is_beside_others()) return {};
  constexpr std::size_t kShown = 3;
  std::vector<std::string> said;
  for (const models::JobReport& job : outcome.jobs) {
    if (said.size() == kShown && outcome.jobs.size() > kShown + 1) break;
    said.push_back(fmt::format("{} {}{}", job.name, spoken_verdict(job.verdict),
                               job.binding ? fmt::format(" by {}", models::name(*job.binding)) : ""));
  }
  const std::size_t more = outcome.jobs.size() - said.size();
  return fmt::format("Jobs: {}{}.", fmt::join(said, ", "),
                     more > 0 ? fmt::format(", and {} more (--verbose)", more) : "");
}

std::string inputs_text(const Outcome& outcome, std::string_view where = " in the input ranges") {
  if (!outcome.inputs) return {};
  const double same = outcome.inputs->verdicts[static_cast<std::size_t>(outcome.verdict)];
  std::string text =
      fmt::format("Same verdict at {} of {}{}", percent(same, 0), counted(outcome.inputs->points, "point"), where);
  if (!outcome.inputs->measure_next.empty()) text += "; measure " + outcome.inputs->measure_next.front();
  return text + ".";
}

std::string warnings_text(const Outcome& outcome) {
  if (outcome.warnings.empty()) return {};
  const std::size_t count = outcome.warnings.size();
  // The scenario is not the one that was meant where a part of it has no effect.
  const auto unused = std::find_if(outcome.warnings.begin(), outcome.warnings.end(), models::has_no_effect);
  const models::Warning& first = unused == outcome.warnings.end() ? outcome.warnings.front() : *unused;
  return fmt::format("{}{}{}",
                     count == 1 ? "Warning: " : fmt::format("{} warnings (--verbose lists all), the first: ", count),
                     first.seen, first.fix.empty() ? "" : "; " + first.fix);
}

/// One line: what does not fit is in the whole text.
std::string first_line(const std::string& text, int width) {
  const std::string broken = wrapped(text, width - 3, 0);
  const std::size_t end = broken.find('\n');
  return end == std::string::npos ? broken : broken.substr(0, end) + " ..";
}

constexpr int kBlank = 9;  ///< rank of a blank line: it goes before any words do

/// A paragraph of the screen; the higher its rank, the sooner it makes room for others.
struct Paragraph {
  std::string text;
  int rank = 0;            ///< 0: always there
  std::string brief = {};  ///< takes its place before any paragraph goes; empty: it has no shorter form
  std::string least = {};  ///< takes its place where all that may go is gone; empty: as brief
};

std::string joined(const std::vector<Paragraph>& paragraphs) {
  std::string text;
  for (const Paragraph& paragraph : paragraphs)
    if (!paragraph.text.empty()) text += paragraph.text + "\n";
  return text;
}

std::string verbose_line(std::size_t left_out) {
  if (left_out == 0) return "--verbose adds GPU states, waits by stage, resources, costs and evidence.";
  return fmt::format("--verbose adds {}, GPU states, waits, resources, costs, evidence.",
                     counted(left_out, "more sentence"));
}

/// The last paragraph says how many were left out.
std::string on_one_screen(std::vector<Paragraph> paragraphs, bool whole, const Style& style) {
  if (whole) return joined(paragraphs);
  const auto fits = [&] {
    const std::string text = joined(paragraphs);
    return std::count(text.begin(), text.end(), '\n') <= kLines;
  };
  for (std::size_t i = paragraphs.size(); i-- > 0 && !fits();)
    if (paragraphs[i].rank == kBlank) paragraphs.erase(paragraphs.begin() + static_cast<std::ptrdiff_t>(i));
  std::vector<std::pair<Paragraph*, std::string>> shortened;
  for (Paragraph& paragraph : paragraphs)
    if (!paragraph.brief.empty() && !fits())
      shortened.emplace_back(&paragraph, std::exchange(paragraph.text, paragraph.brief));
  std::vector<std::pair<Paragraph*, std::string>> gone;  // the last to go, the first to come back where there is room
  while (!fits()) {
    Paragraph* last = nullptr;
    for (Paragraph& paragraph : paragraphs)
      if (paragraph.rank > 0 && !paragraph.text.empty() && (last == nullptr || paragraph.rank > last->rank))
        last = &paragraph;
    if (last == nullptr) break;
    gone.emplace_back(last, std::exchange(last->text, {}));
  }
  std::size_t left_out = gone.size();
  for (auto one = gone.rbegin(); one != gone.rend(); ++one) {
    one->first->text = one->second;
    if (fits())
      --left_out;
    else
      one->first->text.clear();
  }
  for (auto one = shortened.rbegin(); one != shortened.rend(); ++one) {
    if (one->first->text.empty()) continue;  // gone
    std::string brief = std::exchange(one->first->text, one->second);
    if (!fits()) one->first->text = std::move(brief);
  }
  for (Paragraph& paragraph : paragraphs)
    if (!paragraph.least.empty() && !fits()) paragraph.text = paragraph.least;
  paragraphs.back().text = style.faint(verbose_line(left_out));
  return joined(paragraphs);
}

std::string coloured_verdict(const Outcome& outcome, const std::string& open_wait, const Style& style) {
  const std::string line = wrapped(verdict_line(outcome, open_wait), style.width, 0);
  if (outcome.verdict == Verdict::fed) return style.good(line);
  return outcome.verdict == Verdict::inconclusive ? style.unsure(line) : style.bad(line);
}

/// Without the reason where the verdict has just said it.
std::string confidence_text(const Outcome& outcome, const models::Confidence& confidence) {
  const std::string& assumed = outcome.evidence.assumed;
  if (assumed.empty() || verdict_line(outcome).find(assumed) == std::string::npos)
    return confidence_line(confidence_json(confidence));
  return confidence.may_change_verdict
             ? "Confidence: assumed; the verdict may be wrong, as it hangs on what it assumes."
             : "Confidence: assumed, but the verdict is the same all over the input ranges.";
}

/// The headlines and what summaries show, five at most, and when a job that lists its objects first begins to train.
/// Without the rate of samples, which the step time says, in brief.
std::string figures_text(const Outcome& outcome, bool brief = false) {
  if (has_several_jobs(outcome)) return job_table(outcome, kFigures - 1);
  std::size_t shown = 0;
  const bool lists = outcome.find("index_time_s") != nullptr;
  return figure_table(outcome, [&](const models::Metric& metric) {
    if (lists && metric.name == "time_to_first_step_s") return true;
    const bool first = models::traits_of(metric.name).prominence <= models::Prominence::summary;
    return first && ++shown <= kFigures && !(brief && metric.name == "samples_per_s");
  });
}

/// What the GPUs do; of what cannot run, why it cannot, and what its figures stand for.
std::string state_sentence(const Outcome& outcome) {
  if (outcome.verdict != Verdict::infeasible || outcome.warnings.empty()) return waits_sentence(outcome);
  const models::Warning& reason = outcome.warnings.front();
  return fmt::format("Reason: {}{}. To fix: {}. The figures are those of a cluster without this limit.", reason.seen,
                     reason.cause.empty() ? "" : ": " + reason.cause, reason.fix);
}

}  // namespace

namespace {

constexpr double kAllOfIt = 0.9995;  // 100.0 % as it is printed

/// "; as full: spine" behind a resource all of which is in use.
std::string as_full_text(const Outcome& outcome, const StationReport& full) {
  std::vector<std::string_view> others;
  for (const StationReport& station : outcome.stations)
    if (&station != &full && full.utilization >= kAllOfIt && station.utilization >= kAllOfIt)
      others.push_back(station.name);
  return others.empty() ? "" : fmt::format("; as full: {}", fmt::join(others, ", "));
}

/// The resource of the stage that binds, and the fullest of all where that is another.
std::string fullest_text(const Outcome& outcome, const StationReport& own) {
  const StationReport& fullest = *models::busiest_station(outcome);
  if (!is_full(fullest))
    return fmt::format("No shared resource is full; the fullest: {}.", busy_text(fullest, outcome));
  if (own.utilization >= fullest.utilization - kAsFull)
    return fmt::format("Fullest resource: {}{}.", busy_text(own, outcome), as_full_text(outcome, own));
  return fmt::format("Its resource: {}; the fullest one: {}.", busy_text(own, outcome), busy_text(fullest, outcome));
}

/// What a bound proves: a resource is asked for more than it gives, or the workers are.
std::string too_slow_text(const Outcome& outcome) {
  const StationReport* fullest = models::busiest_station(outcome);
  if (fullest != nullptr && is_full(*fullest) && fullest->utilization < kAllOfIt)
    return fmt::format("Busiest: {}.", busy_text(*fullest, outcome));
  if (fullest != nullptr && is_full(*fullest))
    return fmt::format("Too slow on average: {}{}.", busy_text(*fullest, outcome), as_full_text(outcome, *fullest));
  const std::string workers = "Too slow on average: the workers.";
  return fullest == nullptr ? workers : fmt::format("{} Fullest resource: {}.", workers, busy_text(*fullest, outcome));
}

}  // namespace

bool is_full(const StationReport& station) { return station.utilization >= kFull; }

std::string bottleneck_text(const Outcome& outcome, std::optional<double> workers_load) {
  if (outcome.verdict == Verdict::infeasible) return {};
  const std::optional<models::Stage> stage = models::binding_stage(outcome);
  if (stage && is_bound(outcome)) return too_slow_text(outcome);
  if (stage && !outcome.binding && models::full_station(outcome) == nullptr)
    return most_waits_sentence(models::name(*stage), percent(models::share_of(outcome.blame, *stage)),
                               outcome.stopped_by == "max_wall");
  if (stage) {
    const StationReport* station = models::binding_station(outcome);
    const StageShare* gain = models::find_share(outcome.relief, *stage);
    return fmt::format("Bottleneck: {}{}.{}", models::name(*stage),
                       gain == nullptr ? "" : fmt::format(", gain if removed {} of GPU time", percent(gain->mean)),
                       station == nullptr ? "" : " " + fullest_text(outcome, *station));
  }
  const StationReport* station = models::busiest_station(outcome);
  if (station == nullptr) return {};
  constexpr double kIdle = 0.05;  // what is hardly in use limits nothing
  if (const models::Metric* writes = outcome.find("checkpoint_write_bytes_per_s");
      outcome.verdict == Verdict::checkpoint_bound && writes != nullptr && writes->mean > 0.0) {
    const std::string written =
        fmt::format("Checkpoints write {} while they are saved.", humane(writes->mean, "B/s", 3));
    return station->utilization < kIdle
               ? written
               : fmt::format("Fullest resource of reads: {}. {}", busy_text(*station, outcome), written);
  }
  if (workers_load && *workers_load > std::max(kIdle, station->utilization))
    return fmt::format("Next limit: workers, {} busy; then {}.", percent(*workers_load), busy_text(*station, outcome));
  return fmt::format("{}: {}.", station->utilization < kIdle ? "Fullest resource" : "Next limit",
                     busy_text(*station, outcome));
}

namespace {

/// Where the removal of other stages gains as much as that of the one that binds, or where none alone gains much.
std::string tie_of_stages(const Outcome& outcome) {
  const double gain = models::share_of(outcome.relief, *outcome.binding);
  if (gain < kNotableShare) return {};
  std::vector<std::string_view> others;
  for (const models::Stage stage : models::stages_that_gain_most(outcome.relief))
    if (stage != *outcome.binding) others.push_back(models::name(stage));
  if (!others.empty())
    return fmt::format("Removing {} instead gains as much: start with what is easier to change.",
                       fmt::join(others, " or "));
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  const StationReport* own = models::binding_station(outcome);
  if (idle == nullptr || own == nullptr || gain > 0.5 * idle->mean) return {};
  for (const StationReport& station : outcome.stations)
    if (station.stage != own->stage && station.utilization >= own->utilization - kAsFull && is_full(*own))
      return fmt::format("{} and {} are equally full: relieving one alone gains little.", models::name(own->stage),
                         models::name(station.stage));
  return {};
}

}  // namespace

std::string other_largest_wait(const Outcome& outcome) {
  const StageShare* most = models::largest_share(outcome.blame);
  if (!outcome.binding || outcome.relief.empty() || most == nullptr || most->stage == *outcome.binding) return {};
  return fmt::format(
      "Most waits arise in {} ({}), but the bottleneck is the stage whose removal gains most: {} ({}, {} for {}).",
      models::name(most->stage), percent(most->mean), models::name(*outcome.binding),
      percent(models::share_of(outcome.relief, *outcome.binding)),
      percent(std::max(0.0, models::share_of(outcome.relief, most->stage))), models::name(most->stage));
}

std::string unsettled_waits(const Outcome& outcome) {
  if (outcome.verdict == Verdict::fed || outcome.stopped_by == "closed_form") return {};
  std::vector<std::string_view> open;
  for (const StageShare& wait : outcome.blame)
    if (!wait.ci95 && wait.mean >= kNotableShare) open.push_back(models::name(wait.stage));
  constexpr double kAll = 0.99;  // of the waits in one stage: nothing is divided
  double sum = 0.0;
  for (const StageShare& wait : outcome.blame) sum += wait.mean;
  if (open.empty() || models::largest_share(outcome.blame)->mean > kAll * sum) return {};
  return fmt::format("How the waits divide among the stages is uncertain: the steps are too few for an interval of {}.",
                     fmt::join(open, ", "));
}

std::string difference_of_gain(const Outcome& outcome) {
  const bool waits = outcome.verdict != Verdict::fed && outcome.binding;
  if (!waits || outcome.blame.empty() || outcome.relief.empty()) return {};
  if (const std::string tie = tie_of_stages(outcome); !tie.empty()) return tie;
  const StageShare* most = models::largest_share(outcome.blame);
  const double gained = models::share_of(outcome.relief, most->stage);
  if (most->mean - gained < std::max(kNotableShare, 0.25 * most->mean)) return {};
  if (most->stage != *outcome.binding)
    return fmt::format(
        "The GPUs wait longest for the stage {} ({}), but if it took no time they would wait for "
        "another stage: the gain is only {}.",
        models::name(most->stage), percent(most->mean), percent(std::max(0.0, gained)));
  return fmt::format("It shows waits of {}, but without it other stages would cause a part of them.",
                     percent(most->mean));
}

std::string large_cost_text(const Outcome& outcome) {
  constexpr double kMuch = 0.25;
  constexpr double kNotableCost = 0.1;
  const models::Metric* cost = outcome.find("cost_per_epoch_usd");
  const auto largest = std::max_element(outcome.ledger.begin(), outcome.ledger.end(), [](const auto& a, const auto& b) {
    return std::pair(!a.by_time, a.usd) < std::pair(!b.by_time, b.usd);
  });
  if (cost == nullptr || !(cost->mean > 0.0) || largest == outcome.ledger.end() || largest->by_time ||
      largest->usd < kMuch * cost->mean)
    return {};
  const models::Metric* of_year = outcome.find("egress_cost_per_year_usd");
  const models::Metric* fills = outcome.find("first_epoch_time_s");
  std::string text =
      fmt::format("Of the cost, {} is {}: {} an epoch{}{}.", largest->item, percent(largest->usd / cost->mean, 0),
                  humane(largest->usd, "USD"), fills == nullptr ? "" : " like the last",
                  of_year == nullptr || largest->item != "egress"
                      ? ""
                      : fmt::format(", {} a year ({} times that by loads_per_year{})", humane(of_year->mean, "USD"),
                                    humane_number(of_year->mean / largest->usd, 3),
                                    fills == nullptr ? "" : ", with the epochs that fill caches"));
  for (const models::LedgerLine& other : outcome.ledger)
    if (&other != &*largest && !other.by_time && other.usd >= kNotableCost * cost->mean)
      text += fmt::format(" Then {}: {}, {} an epoch.", other.item, percent(other.usd / cost->mean, 0),
                          humane(other.usd, "USD"));
  return text;
}

std::string outcome_summary(const Outcome& outcome, const SummaryFacts& facts, const Style& style) {
  const auto sentence = [&](const std::string& text, int indent = 2) { return wrapped(text, style.width, indent); };
  const auto line = [&](const std::string& text) {
    return style.whole || facts.whole ? wrapped(text, style.width, 2) : first_line(text, style.width);
  };
  const std::string figures = outcome.metrics.empty() ? "" : figures_text(outcome);
  const std::string confidence =
      confidence_text(outcome, facts.confidence ? *facts.confidence : models::confidence_of(outcome));
  constexpr std::size_t kFewestJobs = 2;
  const std::string brief_figures = figures.empty()             ? ""
                                    : has_several_jobs(outcome) ? job_table(outcome, kFewestJobs)
                                                                : figures_text(outcome, true);
  const auto without_end = [](const std::string& lines) {
    return lines.substr(0, lines.empty() ? 0 : lines.size() - 1);
  };
  // A paragraph of one blank is a blank line: the first to go.
  const Paragraph blank{figures.empty() ? "" : " ", kBlank};
  std::string text = on_one_screen(
      {{line(facts.title)},
       {style.faint("Question: do the GPUs wait for data, and which stage causes it?")},
       {coloured_verdict(outcome, facts.open_wait, style)},
       {sentence(state_sentence(outcome), 0)},
       {sentence(bottleneck_text(outcome, facts.workers_load))},
       {sentence(difference_of_gain(outcome)), 2},
       {remedy_text(outcome, style.width), 0, remedy_text(outcome, style.width, false),
        brief_remedy(outcome, style.width)},
       {more_remedies_text(outcome, style.width), 1, brief_more_remedies(outcome, style.width)},
       {sentence(nothing_to_change(outcome, facts.open_wait)), 1},
       {sentence(facts.open_wait), 1},
       {sentence(jobs_text(outcome)), 3, line(jobs_text(outcome))},
       {line(thresholds_text(facts.judgements))},
       blank,
       {without_end(figures), 0, without_end(brief_figures)},
       {line(large_cost_text(outcome)), 1},
       {line(missing_price_text(outcome, facts.unpriced)), 3},
       blank,
       {sentence(inputs_text(outcome)), 1, line(inputs_text(outcome, ""))},
       {outcome.precision && !outcome.precision->met ? sentence(precision_text(*outcome.precision)) : "", 1},
       {sentence(confidence + (facts.trust.empty() ? "" : " Details: " + facts.trust)), 0, sentence(confidence)},
       {sentence(warnings_text(outcome)), 0, line(warnings_text(outcome))},
       {style.faint(verbose_line(0))}},
      facts.whole, style);
  for (std::size_t at = text.find("\n \n"); at != std::string::npos; at = text.find("\n \n")) text.erase(at + 1, 1);
  return text;
}

}  // namespace headrace::reports
