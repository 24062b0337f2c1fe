#include "reports/campaign_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/outcome/ledger.hpp"
#include "reports/campaign_cells.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using models::CampaignOutcome;
using Cells = CampaignCells;

constexpr std::size_t kCausesShown = 6;

std::string head_text(const CampaignOutcome& c, const std::string& title, const Style& style) {
  const bool closed = c.closed_s.mean > 0.0;
  std::string line =
      fmt::format("{} of {} GPUs, {} (seed {}); in brackets 95 % intervals", humane(c.elapsed_s.mean, "s", 3),
                  whole_text(c.gpus), counted(c.replications, "replication"), c.seed);
  if (closed) line += fmt::format("; {} without nodes", humane(c.closed_s.mean, "s", 3));
  return style.bold(title) + "\n" + wrapped(line, style.width, 2) + "\n\n";
}

Cells figure_rows(const CampaignOutcome& c) {
  Cells rows;
  rows.push_back({"goodput", percent(c.goodput.mean, 2), percent_interval_cell(c.goodput.ci95),
                  fmt::format("if it had no end {}", percent(c.closed_form_goodput, 2))});
  rows.push_back({"useful GPU hours", hours_text(c.useful_gpu_hours.mean), "",
                  fmt::format("of {}", hours_text(c.gpu_hours.mean))});
  if (c.cold_first_step_s > 0.0)
    rows.push_back(
        {"first step, cold", humane(c.cold_first_step_s, "s", 3), "", warm_start_text(c.warm_first_step_s, c.phases)});
  if (c.restart_p50_s && c.restart_p99_s) {
    const double stops = c.failures.mean + c.reclaims.mean;
    rows.push_back({"restart, median", humane(c.restart_p50_s->mean, "s", 3), interval_cell(*c.restart_p50_s, "s", 3),
                    fmt::format("of {} stops", humane_number(stops, 3))});
    rows.push_back({"restart, p99", humane(c.restart_p99_s->mean, "s", 3), interval_cell(*c.restart_p99_s, "s", 3),
                    fmt::format("a stop every {}", humane(c.elapsed_s.mean / std::max(stops, 1e-9), "s", 3))});
  }
  if (c.cost_usd.mean > 0.0) rows.push_back(useful_price_row(c.cost_per_useful_gpu_hour_usd, c.cost_usd));
  add_room_rows(c.room, rows);
  return rows;
}

Cells phase_cells(const models::PhaseTimes& phases) {
  Cells rows{{"", "cold start", "warm start", "restart"}};
  if (phases.replacement_s > 0.0) rows.front().emplace_back("preempted");
  for (const PhaseRow& phase : phase_rows(phases)) {
    rows.push_back({phase.name});
    for (std::size_t i = 0; i + 1 < rows.front().size(); ++i)
      rows.back().push_back(phase.times_s[i] > 0.0 ? humane(phase.times_s[i], "s", 3) : std::string("-"));
  }
  return rows;
}

std::string details_text(const CampaignOutcome& c, const Style& style) {
  std::string text =
      style.bold("Phases") + "\n" + table({{}, kRight, kRight, kRight, kRight}, phase_cells(c.phases)) + "\n";
  text +=
      style.bold("Cost of the campaign") + "\n" + table({{}, kRight, kRight}, ledger_rows(c.ledger, c.cost_usd.mean));
  if (c.mean_price_usd > 0.0)
    text += fmt::format("  Mean price by the trace: {} per GPU hour held\n", humane(c.mean_price_usd, "USD"));
  text += fmt::format("  Trained: {} epochs, {} steps\n", humane_number(c.epochs.mean, 4), whole_text(c.steps.mean));
  return text;
}

}  // namespace

std::string campaign_text(const CampaignOutcome& c, const models::Confidence& confidence, const std::string& title,
                          bool verbose, const Style& style) {
  std::string text =
      head_text(c, title, style) + table({{}, kRight, {}, {}}, figure_rows(c)) + cost_scope_line(c.ledger);
  text += style.bold("GPU hours lost, by cause") + "\n" +
          table({{}, kRight, kRight, {}}, loss_rows(c.losses, verbose ? c.losses.size() : kCausesShown));
  if (c.best_interval_s > 0.0)
    text += wrapped(fmt::format("Checkpoints after {} of work; the closed form is best with {}.",
                                humane(c.checkpoint_interval_s, "s", 3), humane(c.best_interval_s, "s", 3)),
                    style.width, 0) +
            "\n";
  const std::string sure = steady_confidence_line(confidence_json(confidence), verbose);
  text += wrapped(sure, style.width, 2) + "\n";
  text += warnings_text(c.warnings, style);
  if (verbose) text += "\n" + details_text(c, style);
  return text;
}

}  // namespace headrace::reports
