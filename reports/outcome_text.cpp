#include "reports/outcome_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/base/model_version.hpp"
#include "models/outcome/largest_parts.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/evidence_text.hpp"
#include "reports/figure_table.hpp"
#include "reports/gate_cases.hpp"
#include "reports/humane.hpp"
#include "reports/input_text.hpp"
#include "reports/sizing_text.hpp"
#include "reports/station_words.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

using models::Outcome;
using models::StageShare;

constexpr int kBarWidth = 36;
constexpr std::size_t kStationsShown = 8;

std::string heading(const Style& style, std::string_view text) { return fmt::format("\n{}\n", style.bold(text)); }

std::string metrics_text(const Outcome& outcome, const std::vector<models::Judgement>& judgements, const Style& style) {
  const bool several = has_several_jobs(outcome);
  const auto asked = [&](const models::Metric& metric) {
    if (several && mixes_jobs(metric.name)) return false;  // each job has a row
    if (has_no_price(metric, outcome)) return false;
    if (models::traits_of(metric.name).prominence != models::Prominence::asked) return true;
    return std::any_of(judgements.begin(), judgements.end(),
                       [&](const models::Judgement& judgement) { return judgement.threshold.metric == metric.name; });
  };
  std::string text = heading(style, "Key figures") + figure_table(outcome, asked);
  if (const auto& load = outcome.batch_load_time; load && !several)
    text += fmt::format("  batch load time at p50 {}, p90 {}, p99 {}, p99.9 {}\n", humane(load->p50_s, "s", 3),
                        humane(load->p90_s, "s", 3), humane(load->p99_s, "s", 3), humane(load->p999_s, "s", 3));
  return text;
}

/// Waiting at the barrier has the cause of the peer's wait.
std::string peer_wait_text(const Outcome& outcome) {
  const auto share = [&](models::GpuState state) {
    const auto found = std::find_if(outcome.gpu_states.begin(), outcome.gpu_states.end(),
                                    [&](const models::GpuStateShare& one) { return one.state == state; });
    return found == outcome.gpu_states.end() ? 0.0 : found->share;
  };
  const double peer = share(models::GpuState::ingest_wait_peer);
  if (peer < 0.01 || peer < share(models::GpuState::ingest_wait_own)) return {};
  std::string text =
      "\"ingest wait peer\": the GPU has its batch and waits at the barrier for a GPU whose batch is late";
  const StageShare* most = models::largest_share(outcome.blame);
  if (outcome.binding && (most == nullptr || most->stage == *outcome.binding))
    text += fmt::format(". The cause is the same bottleneck: {}", models::name(*outcome.binding));
  return text + ".";
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
    rows.push_back(
        {state_words(outcome.gpu_states[i].state, outcome.stopped_by), percents[i], bar(shares[i], kBarWidth)});
  }
  rows.push_back({"sum", percent(sum), ""});
  std::string text = heading(style, "GPU time by state") + table({{false, 16}, {true}, {}}, rows);
  if (const std::string peer = peer_wait_text(outcome); !peer.empty())
    text += fmt::format("  {}\n", wrapped(peer, style.width, 2));
  return text;
}

std::string share_text(const StageShare* share) {
  if (!share) return "-";
  if (!share->ci95) return percent(share->mean, 2);
  const double half = (share->ci95->high - share->ci95->low) / 2;
  return fmt::format("{} +- {:.2f}", percent(share->mean, 2), half * 100.0);
}

/// Of a removal that noise hides, nothing is told.
std::string gain_text(const StageShare* gain) {
  return gain && models::is_noise(*gain) ? "none to tell" : share_text(gain);
}

/// Where what a stage gains is not what is waited for in it.
std::string gains_apart_text(const Outcome& outcome, const Style& style) {
  if (outcome.blame.empty()) return {};
  constexpr double kTold = 0.01;
  const auto any = [&](const auto& holds) {
    return std::any_of(outcome.relief.begin(), outcome.relief.end(), [&](const StageShare& gain) {
      return holds(gain.mean, models::share_of(outcome.blame, gain.stage));
    });
  };
  std::string text;
  const auto add = [&](std::string_view line) { text += fmt::format("  {}\n", wrapped(line, style.width, 2)); };
  if (any([](double gain, double) { return gain < -kTold; }))
    add("A gain below 0: without the variation of that stage, more batches meet at other resources at the same time.");
  if (any([](double gain, double waits) { return gain > waits + kTold; }))
    add("A gain above the waits of its stage: that stage delays batches which are then waited for in another one.");
  if (any([](double gain, double waits) { return gain >= 0.0 && waits > gain + kTold; }))
    add("Waits above the gain of their stage: without it batches would wait in another one.");
  for (const std::string& other : {other_largest_wait(outcome), unsettled_waits(outcome)})
    if (!other.empty()) add(other);
  return text;
}

std::string blame_text(const Outcome& outcome, const Style& style) {
  if (outcome.blame.empty() && outcome.relief.empty()) return {};
  std::vector<std::vector<std::string>> rows{{"stage", "waits caused", "queueing", "service", "gain if removed"}};
  double sum = 0.0;
  for (std::size_t i = 0; i < models::kStageNames.size(); ++i) {
    const auto stage = static_cast<models::Stage>(i);
    const StageShare* blame = models::find_share(outcome.blame, stage);
    const StageShare* relief = models::find_share(outcome.relief, stage);
    if (blame) sum += blame->mean;
    if ((!blame || blame->mean == 0.0) && (!relief || relief->mean == 0.0)) continue;
    std::string name(models::name(stage));
    if (outcome.binding == stage) name += " (bottleneck)";
    rows.push_back({name, share_text(blame), blame ? percent(blame->queueing, 2) : "-",
                    blame ? percent(blame->mean - blame->queueing, 2) : "-", gain_text(relief)});
  }
  std::string text = heading(style, "Waits of the GPUs, and gain if removed (share of GPU time)");
  if (rows.size() == 1) return text + "  none: the GPUs did not wait\n";
  if (!outcome.blame.empty()) rows.push_back({"sum", percent(sum, 2), "", "", ""});
  text += table({{}, {true}, {true}, {true}, {true}}, rows);
  return text + gains_apart_text(outcome, style);
}

std::string shortened(const std::string& name, std::size_t widest, const Style& style) {
  return style.whole || name.size() <= widest ? name : name.substr(0, widest - 2) + "..";
}

std::string stations_text(const Outcome& outcome, std::optional<double> workers_load, const Style& style) {
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
    const std::string_view each = each_text(outcome, station);
    const std::string name = station.name + (each.empty() ? "" : "," + std::string(each));
    rows.push_back({shortened(name, alone ? 22 : 34, style), percent(station.utilization),
                    humane(station.throughput, station.unit, 3), humane(station.capacity, station.unit, 3),
                    humane(station.queue_time_mean_s, "s", 3)});
    if (alone) rows.back().push_back(humane(station.floor_step_time_s, "s", 3));
  }
  std::vector<Column> columns{{}, {true}, {true}, {true}, {true}};
  if (alone) columns.push_back({true});
  constexpr double kNotable = 0.01;
  const bool stops = models::interrupted_share(outcome.gpu_states) >= kNotable;
  std::string text = heading(style, fmt::format("Resources on the data path{}, highest utilization first",
                                                is_after_ramp(outcome) ? " after the ramp of the store"
                                                : stops                ? " while the job trains"
                                                                       : "")) +
                     table(columns, rows);
  if (workers_load)
    text += fmt::format("  beside them the {}workers: {} busy\n", alone ? "" : "busiest ", percent(*workers_load));
  if (alone) text += "  \"step alone\": the step time if this resource were the only limit\n";
  if (const std::string left = capacity_note(outcome); !left.empty())
    text += "  " + wrapped("\"of\": what it can carry; " + left, style.width, 2) + "\n";
  if (busiest.size() > kStationsShown)
    text += fmt::format("  and {} more in --json\n", busiest.size() - kStationsShown);
  return text;
}

/// A price that nobody gave is not a price of nothing.
std::string unpriced_text(const Outcome& outcome) {
  if (!lacks_gpu_price(outcome)) return {};
  return "  GPUs have no price, so these costs omit them: --set /prices=NAME,\n  by headrace explain catalogue\n";
}

/// Why twelve months of the epoch above are not the year: the caches fill anew in every run.
std::string years_egress_text(const Outcome& outcome) {
  const models::Metric* year = outcome.find("egress_cost_per_year_usd");
  const models::Metric* hits = outcome.find("cache_hit_ratio");
  if (year == nullptr || hits == nullptr || !(hits->mean > 0.0)) return {};
  return "  An epoch like the last, with caches filled. The egress cost per year counts\n"
         "  the epochs that fill them too, in every run of the year.\n";
}

std::string ledger_text(const Outcome& outcome, const Style& style) {
  if (outcome.ledger.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  double sum = 0.0;
  for (const models::LedgerLine& line : outcome.ledger) sum += line.usd;
  const bool is_priced = sum > 0.0;
  for (const models::LedgerLine& line : outcome.ledger) {
    rows.push_back({line.item, humane(line.quantity, line.unit)});
    if (is_priced) rows.back().push_back(bill_line(line.quantity, line.usd));
  }
  if (!is_priced)
    return heading(style, "Used in one epoch") + table({{}, {true}}, rows) +
           "  without prices: state them with --set /prices=NAME, by headrace explain\n  catalogue\n";
  rows.push_back({"sum", "", exact_money(sum)});
  return heading(style, "Cost of one epoch") + table({{}, {true}, {true}}, rows) + unpriced_text(outcome) +
         years_egress_text(outcome);
}

std::string windows_text(const Outcome& outcome, const Style& style) {
  if (outcome.windows.size() < 2) return {};
  std::vector<std::vector<std::string>> rows{{"position", "weight", "node cache hits", "step time", "measured steps"}};
  for (const models::WindowReport& window : outcome.windows)
    rows.push_back({percent(window.position, 0), percent(window.weight), percent(window.hit_ratio),
                    humane(window.step_time_s, "s"), fmt::format("{}", window.measured_steps)});
  return heading(style, "Through the epoch") + table({{true}, {true}, {true}, {true}, {true}}, rows);
}

std::string jobs_text(const Outcome& outcome, const Style& style) {
  if (outcome.jobs.empty() || !outcome.jobs.front().is_beside_others()) return {};
  std::vector<std::vector<std::string>> rows{
      {"job", "copies", "GPUs of all", "step time", "utilization", "idle", "samples/s of one", "verdict"}};
  for (const models::JobReport& job : outcome.jobs) {
    std::vector<std::string> row{job.name, fmt::format("{}", job.copies), fmt::format("{}", job.gpus), "-", "-", "-",
                                 "-",      spoken_verdict(job.verdict)};
    if (job.binding) row.back() += fmt::format(" by {}", models::name(*job.binding));
    for (const models::Metric& metric : job.metrics) {
      if (metric.name == "step_time_s") row[3] = humane(metric.mean, "s");
      if (metric.name == "gpu_utilization") row[4] = percent(metric.mean);
      if (metric.name == "gpu_idle_fraction") row[5] = percent(metric.mean);
      if (metric.name == "samples_per_s") row[6] = humane_number(metric.mean);
    }
    std::replace(row.back().begin(), row.back().end(), '_', ' ');
    rows.push_back(std::move(row));
  }
  return heading(style, "Jobs") + table({{}, {true}, {true}, {true}, {true}, {true}, {true}, {}}, rows);
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
  std::vector<std::vector<std::string>> rows{{"threshold", "is", "95 % interval (noise)", "decision"}};
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

/// Confidence, then how precise the run is.
std::string confidence_section(const Outcome& outcome, const Style& style) {
  std::string text = heading(style, "Evidence") + evidence_text(outcome, style);
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += fmt::format("  {}\n", wrapped(sentence, style.width, 2));
  };
  if (outcome.precision) add(precision_text(*outcome.precision));
  add(control_text(outcome));
  for (const models::StallReport& stall : outcome.rare_stalls) add(stall_text(stall));
  if (outcome.estimate && outcome.estimate->certified_error)
    add(fmt::format("The step time is certified to {}.", percent(*outcome.estimate->certified_error, 0)));
  std::string run = fmt::format("Models {}, seed {}", models::kModelVersion, outcome.seed);
  if (outcome.steps > 0) run += fmt::format(", {} steps, ended {}", outcome.steps, ended_text(outcome.stopped_by));
  add(run + ".");
  return text;
}

}  // namespace

std::string outcome_text(const Outcome& outcome, const SummaryFacts& facts, const Style& style) {
  SummaryFacts whole = facts;
  whole.whole = true;
  std::string text = outcome_summary(outcome, whole, style);
  text.erase(text.rfind('\n', text.size() - 2) + 1);  // its last line names this text
  const std::string options = outcome.remedy ? pasted_options(outcome.remedy->options, style.width) : std::string();
  if (outcome.remedy && !outcome.remedy->options.empty() && text.find(options) == std::string::npos)
    text += heading(style, "Options of the first remedy") + options + "\n";
  text += metrics_text(outcome, facts.judgements, style);
  text += thresholds_text(facts.judgements, style);
  text += states_text(outcome, style);
  text += blame_text(outcome, style);
  text += stations_text(outcome, facts.workers_load, style);
  text += ledger_text(outcome, style);
  text += windows_text(outcome, style);
  text += jobs_text(outcome, style);
  text += background_text(outcome, style);
  text += sizing_summary(outcome, style);
  text += input_text(outcome, style);
  text += warnings_text(outcome, style);
  return text + confidence_section(outcome, style);
}

}  // namespace headrace::reports
