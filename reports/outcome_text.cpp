#include "reports/outcome_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/base/model_version.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/gate_cases.hpp"
#include "reports/html/range_notice.hpp"
#include "reports/humane.hpp"
#include "reports/input_text.hpp"
#include "reports/outcome_json.hpp"
#include "reports/sizing_text.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

using models::Metric;
using models::Outcome;
using models::StageShare;
using models::Verdict;

constexpr int kBarWidth = 36;
constexpr std::size_t kStationsShown = 8;

std::string heading(const Style& style, std::string_view text) { return fmt::format("\n{}\n", style.bold(text)); }

std::string coloured_verdict(const Outcome& outcome, const Style& style) {
  const std::string line = wrapped(verdict_line(outcome), style.width, 0);
  if (outcome.verdict == Verdict::fed) return style.good(line);
  if (outcome.verdict == Verdict::inconclusive) return style.unsure(line);
  return style.bad(line);
}

/// "gpu_idle_fraction" reads "gpu idle fraction" on screen, without the unit that its value shows.
std::string spoken_name(std::string name) {
  for (const std::string_view suffix : {"_bytes_per_s", "_per_s", "_percent", "_usd", "_s"})
    if (name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
      break;
    }
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string scaled(double value, const Scale& scale) {
  return fmt::format("{}{}", scale.prefix ? scale.unit : "", humane_number(value * scale.factor));
}

/// Ends of an interval in the unit of the mean, with digits enough to tell them from it.
std::string interval_text(const models::Interval& interval, const Scale& scale) {
  return fmt::format("{} .. {}", scaled(interval.low, scale), scaled(interval.high, scale));
}

std::string_view unit_of(const Metric& metric) {
  const models::MetricDescription* description = models::find_metric(metric.name);
  return description ? description->unit : std::string_view();
}

std::string surety(const Metric& metric) {
  if (metric.kind == models::AnswerKind::bound) return "bound";
  if (metric.kind == models::AnswerKind::estimate) return "estimate";
  if (!metric.ci95) return "no interval";
  return interval_text(*metric.ci95, humane_scale(metric.mean, unit_of(metric)));
}

std::string metrics_text(const Outcome& outcome, const Style& style) {
  std::vector<std::vector<std::string>> rows;
  bool input_ranges = false;
  for (const Metric& metric : outcome.metrics) input_ranges = input_ranges || metric.input_range.has_value();
  std::vector<std::string> head{"", "mean", outcome.stopped_by == "closed_form" ? "kind" : "95 % interval"};
  if (input_ranges) head.emplace_back("over input ranges");
  rows.push_back(head);
  for (const Metric& metric : outcome.metrics) {
    std::vector<std::string> row{spoken_name(metric.name), humane(metric.mean, unit_of(metric)), surety(metric)};
    if (metric.input_range)
      row.push_back(interval_text(*metric.input_range, humane_scale(metric.mean, unit_of(metric))));
    rows.push_back(std::move(row));
  }
  std::string text = heading(style, "Key figures") + table({{}, {true}, {}, {}}, rows);
  if (const auto& load = outcome.batch_load_time)
    text += fmt::format("  batch load time at p50 {}, p90 {}, p99 {}, p99.9 {}\n", humane(load->p50_s, "s", 3),
                        humane(load->p90_s, "s", 3), humane(load->p99_s, "s", 3), humane(load->p999_s, "s", 3));
  return text;
}

std::string states_text(const Outcome& outcome, const Style& style) {
  if (outcome.gpu_states.empty()) return {};
  std::vector<double> shares;
  for (const models::GpuStateShare& state : outcome.gpu_states) shares.push_back(state.share);
  const std::vector<std::string> percents = percent_partition(shares);
  std::vector<std::vector<std::string>> rows;
  double sum = 0.0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += shares[i];
    if (shares[i] == 0.0) continue;
    std::string name(models::kGpuStateNames[models::index(outcome.gpu_states[i].state)]);
    std::replace(name.begin(), name.end(), '_', ' ');
    rows.push_back({name, percents[i], bar(shares[i], kBarWidth)});
  }
  rows.push_back({"sum", percent(sum), ""});
  return heading(style, "GPU time by state") + table({{false, 16}, {true}, {}}, rows);
}

const StageShare* share_of(const std::vector<StageShare>& shares, models::Stage stage) {
  for (const StageShare& share : shares)
    if (share.stage == stage) return &share;
  return nullptr;
}

std::string share_text(const StageShare* share) {
  if (!share) return "-";
  if (!share->ci95) return percent(share->mean, 2);
  const double half = (share->ci95->high - share->ci95->low) / 2;
  return fmt::format("{} +- {:.2f}", percent(share->mean, 2), half * 100.0);
}

std::string blame_text(const Outcome& outcome, const Style& style) {
  if (outcome.blame.empty() && outcome.relief.empty()) return {};
  std::vector<std::vector<std::string>> rows{{"stage", "waits caused", "queueing", "service", "won if instant"}};
  double sum = 0.0;
  for (std::size_t i = 0; i < models::kStageNames.size(); ++i) {
    const auto stage = static_cast<models::Stage>(i);
    const StageShare* blame = share_of(outcome.blame, stage);
    const StageShare* relief = share_of(outcome.relief, stage);
    if (blame) sum += blame->mean;
    if ((!blame || blame->mean == 0.0) && (!relief || relief->mean == 0.0)) continue;
    std::string name(models::name(stage));
    if (outcome.binding == stage) name += " (binding)";
    rows.push_back({name, share_text(blame), blame ? percent(blame->queueing, 2) : "-",
                    blame ? percent(blame->mean - blame->queueing, 2) : "-", share_text(relief)});
  }
  std::string text = heading(style, "Waits of the GPUs, and gain if removed (share of GPU time)");
  if (rows.size() == 1) return text + "  none: the GPUs did not wait\n";
  if (!outcome.blame.empty()) rows.push_back({"sum", percent(sum, 2), "", "", ""});
  return text + table({{}, {true}, {true}, {true}, {true}}, rows);
}

std::string shortened(const std::string& name, std::size_t widest) {
  return name.size() <= widest ? name : name.substr(0, widest - 2) + "..";
}

std::string stations_text(const Outcome& outcome, const Style& style) {
  if (outcome.stations.empty()) return {};
  std::vector<models::StationReport> busiest = outcome.stations;
  std::stable_sort(busiest.begin(), busiest.end(),
                   [](const auto& a, const auto& b) { return a.utilization > b.utilization; });
  // Beside others a resource is named with what it belongs to, and there is no one step that it could limit.
  const bool alone = outcome.jobs.empty() || !outcome.jobs.front().is_beside_others();
  std::vector<std::vector<std::string>> rows{{"resource", "busy", "carries", "of", "queue"}};
  if (alone) rows.front().emplace_back("step alone");
  for (std::size_t i = 0; i < std::min(busiest.size(), kStationsShown); ++i) {
    const models::StationReport& station = busiest[i];
    rows.push_back({shortened(station.name, alone ? 22 : 34), percent(station.utilization),
                    humane(station.throughput, station.unit, 3), humane(station.capacity, station.unit, 3),
                    humane(station.queue_time_mean_s, "s", 3)});
    if (alone) rows.back().push_back(humane(station.floor_step_time_s, "s", 3));
  }
  std::vector<Column> columns{{}, {true}, {true}, {true}, {true}};
  if (alone) columns.push_back({true});
  std::string text = heading(style, "Resources on the data path, highest utilization first") + table(columns, rows);
  if (alone) text += "  \"step alone\": the step time if this resource were the only limit\n";
  if (busiest.size() > kStationsShown)
    text += fmt::format("  and {} more in --json\n", busiest.size() - kStationsShown);
  return text;
}

/// A price that nobody gave is not a price of nothing.
std::string unpriced_text(const Outcome& outcome) {
  const bool unpriced = std::any_of(outcome.ledger.begin(), outcome.ledger.end(), [](const models::LedgerLine& line) {
    return line.item == "gpu hours" && line.quantity > 0.0 && line.usd == 0.0;
  });
  if (!unpriced) return {};
  return "  GPUs have no price, so these costs omit them: --set /prices=NAME,\n  by headrace explain catalogue\n";
}

std::string ledger_text(const Outcome& outcome, const Style& style) {
  if (outcome.ledger.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  double sum = 0.0;
  for (const models::LedgerLine& line : outcome.ledger) {
    sum += line.usd;
    rows.push_back({line.item, humane(line.quantity, line.unit), humane(line.usd, "USD")});
  }
  rows.push_back({"sum", "", humane(sum, "USD")});
  return heading(style, "Cost of one epoch") + table({{}, {true}, {true}}, rows) + unpriced_text(outcome);
}

std::string windows_text(const Outcome& outcome, const Style& style) {
  if (outcome.windows.size() < 2) return {};
  std::vector<std::vector<std::string>> rows{{"position", "weight", "cache hits", "step time", "measured steps"}};
  for (const models::WindowReport& window : outcome.windows)
    rows.push_back({percent(window.position, 0), percent(window.weight), percent(window.hit_ratio),
                    humane(window.step_time_s, "s"), fmt::format("{}", window.measured_steps)});
  return heading(style, "Through the epoch") + table({{true}, {true}, {true}, {true}, {true}}, rows);
}

std::string jobs_text(const Outcome& outcome, const Style& style) {
  if (outcome.jobs.empty() || !outcome.jobs.front().is_beside_others()) return {};
  std::vector<std::vector<std::string>> rows{{"job", "copies", "GPUs", "step time", "utilization", "idle", "verdict"}};
  for (const models::JobReport& job : outcome.jobs) {
    std::vector<std::string> row{job.name, fmt::format("{}", job.copies), fmt::format("{}", job.gpus), "-", "-",
                                 "-",      spoken_verdict(job.verdict)};
    if (job.binding) row.back() += fmt::format(" by {}", models::name(*job.binding));
    for (const Metric& metric : job.metrics) {
      if (metric.name == "step_time_s") row[3] = humane(metric.mean, "s");
      if (metric.name == "gpu_utilization") row[4] = percent(metric.mean);
      if (metric.name == "gpu_idle_fraction") row[5] = percent(metric.mean);
    }
    std::replace(row.back().begin(), row.back().end(), '_', ' ');
    rows.push_back(std::move(row));
  }
  return heading(style, "Jobs") + table({{}, {true}, {true}, {true}, {true}, {true}, {}}, rows);
}

std::string background_text(const Outcome& outcome, const Style& style) {
  if (outcome.background.empty()) return {};
  std::vector<std::vector<std::string>> rows{{"load", "asks for", "gets"}};
  for (const models::LoadReport& load : outcome.background)
    rows.push_back({load.name, humane(load.asked_bytes_per_s, "B/s"),
                    load.served_bytes_per_s ? humane(*load.served_bytes_per_s, "B/s") : "-"});
  return heading(style, "Background load") + table({{}, {true}, {true}}, rows);
}

std::string warnings_text(const Outcome& outcome, const Style& style) {
  if (outcome.warnings.empty()) return {};
  std::string text = heading(style, "Warnings");
  for (std::size_t i = 0; i < outcome.warnings.size(); ++i) {
    const models::Warning& warning = outcome.warnings[i];
    // Windows of one study often say the same.
    const auto end = outcome.warnings.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(outcome.warnings.begin(), end, [&](const auto& w) { return w.seen == warning.seen; })) continue;
    text += fmt::format("  {}  {}\n", style.unsure("seen:"), wrapped(warning.seen, style.width, 9));
    if (!warning.cause.empty()) text += fmt::format("  cause: {}\n", wrapped(warning.cause, style.width, 9));
    if (!warning.fix.empty()) text += fmt::format("  fix:   {}\n", wrapped(warning.fix, style.width, 9));
  }
  return text;
}

std::string precision_text(const models::PrecisionReport& precision) {
  if (!precision.reached || !precision.idle_reached)
    return fmt::format("Precision not reached: no interval yet, {} of the step time was asked for.",
                       percent(precision.asked, 2));
  return fmt::format("{}: the step time is known to {} ({} asked for), idle to {} points ({}).",
                     precision.met ? "Precision reached" : "Precision not reached", percent(*precision.reached, 2),
                     percent(precision.asked, 2), humane_number(100.0 * *precision.idle_reached),
                     humane_number(100.0 * precision.idle_asked));
}

std::string stall_text(const models::StallReport& stall) {
  return fmt::format(
      "Rare stalls: {:.2g} of the {} operations take {}; {} of the steps have one, which delays the job by {} and "
      "costs {} of the time. Measured by placing stalls into the run.",
      stall.per_operation, models::name(stall.stage), humane(stall.duration_s, "s", 3), percent(stall.stalled_steps, 3),
      humane(stall.delay_s, "s", 3), percent(stall.share, 2));
}

/// Nothing where no window has a control variate.
std::string control_text(const Outcome& outcome) {
  double least = 0.0;
  double most = 0.0;
  std::size_t applied = 0;
  for (const models::WindowReport& window : outcome.windows) {
    if (window.control != "applied") continue;
    least = applied == 0 ? window.variance_cut : std::min(least, window.variance_cut);
    most = std::max(most, window.variance_cut);
    ++applied;
  }
  if (applied == 0) return {};
  std::string text =
      "Control variate: the uncontended twin with the same draws reduces the variance of the step time by a factor of ";
  text += least == most ? fmt::format("{:.3g}", least) : fmt::format("{:.3g} to {:.3g}", least, most);
  if (applied < outcome.windows.size()) text += fmt::format(" in {} of {} windows", applied, outcome.windows.size());
  return text + ".";
}

std::string thresholds_text(const std::vector<models::Judgement>& judgements, const Style& style) {
  if (judgements.empty()) return {};
  std::vector<std::vector<std::string>> rows{{"threshold", "is", "95 % interval", "decision"}};
  std::string reasons;
  for (const models::Judgement& judgement : judgements) {
    const std::string_view ruling = models::kRulingNames[static_cast<std::size_t>(judgement.decision)];
    const GateCase shown = gate_case(judgement);
    rows.push_back({shown.name, shown.value, shown.interval, std::string(ruling)});
    if (judgement.decision == models::Ruling::pass || shown.reason.empty()) continue;
    reasons +=
        fmt::format("  {}\n", wrapped(fmt::format("{}: {}", judgement.threshold.metric, shown.reason), style.width, 4));
  }
  return heading(style, "Thresholds of the scenario (slo)") + table({{}, {true}, {}, {}}, rows) + reasons +
         "  headrace check simulates until each is decided.\n";
}

std::string outside_text(const std::vector<models::ExtrapolatedDimension>& dimensions) {
  std::string text;
  for (const models::ExtrapolatedDimension& d : dimensions)
    text += fmt::format("{}{} {} ({} to {}, factor {})", text.empty() ? "" : ", ", d.dimension, humane_number(d.value),
                        humane_number(d.low), humane_number(d.high), humane_number(d.factor));
  return text;
}

std::string measured_text(const models::MeasuredPart& part) {
  std::string text = fmt::format(" Measured: {}; off by {} {} on average, {} at most in {} points", part.part,
                                 part.error.mean, part.error.unit, part.error.largest, part.error.cases);
  if (!part.extrapolates.empty()) text += "; outside: " + outside_text(part.extrapolates);
  return text + ".";
}

std::string evidence_text(const Outcome& outcome, const Style& style) {
  std::string text = heading(style, "Confidence");
  const models::EvidenceReport& evidence = outcome.evidence;
  std::string sentence = evidence.nearest_case.empty() ? "No validated case is recorded near this scenario."
                                                       : "Nearest validated case: " + evidence.nearest_case;
  if (evidence.error)
    sentence += fmt::format("; off by {} points of idle on average, {} at most in {} cases", evidence.error->mean,
                            evidence.error->largest, evidence.error->cases);
  if (!evidence.nearest_case.empty()) sentence += ".";
  if (!evidence.extrapolates.empty())
    sentence += " Outside the validated range: " + outside_text(evidence.extrapolates) + ".";
  for (const models::MeasuredPart& part : evidence.measured) sentence += measured_text(part);
  for (std::size_t i = 0; i < evidence.not_validated.size(); ++i)
    sentence.append(i == 0 ? " Not validated: " : "; ").append(evidence.not_validated[i]);
  if (!evidence.not_validated.empty()) sentence += ".";
  text += fmt::format("  {}\n", wrapped(sentence, style.width, 2));
  if (outcome.precision) text += fmt::format("  {}\n", wrapped(precision_text(*outcome.precision), style.width, 2));
  if (const std::string control = control_text(outcome); !control.empty())
    text += fmt::format("  {}\n", wrapped(control, style.width, 2));
  for (const models::StallReport& stall : outcome.rare_stalls)
    text += fmt::format("  {}\n", wrapped(stall_text(stall), style.width, 2));
  if (outcome.estimate && outcome.estimate->certified_error)
    text += fmt::format("  The step time is certified to {}.\n", percent(*outcome.estimate->certified_error, 0));
  std::string run = fmt::format("Models {}, seed {}", models::kModelVersion, outcome.seed);
  if (outcome.steps > 0) run += fmt::format(", {} steps, stopped by {}", outcome.steps, outcome.stopped_by);
  return text + fmt::format("  {}\n", wrapped(run + ".", style.width, 2));
}

}  // namespace

std::string outcome_text(const Outcome& outcome, const std::string& title, const Style& style,
                         const std::vector<models::Judgement>& judgements) {
  std::string text;
  if (!title.empty()) text += wrapped(title, style.width, 0) + "\n";
  text += coloured_verdict(outcome, style) + "\n";
  const std::string meaning = verdict_meaning(outcome);
  if (!meaning.empty()) text += wrapped(meaning, style.width, 0) + "\n";
  const std::string range = range_sentence(evidence_json(outcome.evidence));
  if (!range.empty())
    text += wrapped(fmt::format("Outside the validated range. {}", range), style.width, 0).append("\n");
  text += metrics_text(outcome, style);
  text += thresholds_text(judgements, style);
  text += states_text(outcome, style);
  text += blame_text(outcome, style);
  text += stations_text(outcome, style);
  text += ledger_text(outcome, style);
  text += windows_text(outcome, style);
  text += jobs_text(outcome, style);
  text += background_text(outcome, style);
  text += sizing_summary(outcome, style);
  text += input_text(outcome, style);
  text += warnings_text(outcome, style);
  return text + evidence_text(outcome, style);
}

}  // namespace headrace::reports
