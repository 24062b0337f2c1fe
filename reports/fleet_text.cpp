#include "reports/fleet_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/campaign_cells.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using models::FleetClassOutcome;
using models::FleetOutcome;

constexpr std::size_t kFleetCausesShown = 3;

std::string fleet_head_text(const FleetOutcome& f, const std::string& title, const Style& style) {
  return style.bold(title) + "\n" +
         fmt::format("{} of {} GPUs, {} (seed {}); in brackets 95 % intervals", humane(f.elapsed_s.mean, "s", 3),
                     whole_text(f.gpus), counted(f.replications, "replication"), f.seed) +
         "\n\n";
}

CampaignCells fleet_figure_rows(const FleetOutcome& f) {
  CampaignCells rows;
  rows.push_back(
      {"goodput", percent(f.goodput.mean, 2), percent_interval_cell(f.goodput.ci95), "of hours that jobs hold"});
  for (const models::FleetPoolOutcome& pool : f.pools)
    rows.push_back({fmt::format("use of pool {}", pool.name), percent(pool.used.mean, 2),
                    percent_interval_cell(pool.used.ci95),
                    fmt::format("free as jobs wait {}", percent(pool.queued.mean, 2))});
  rows.push_back({"useful GPU hours", hours_text(f.useful_gpu_hours.mean), percent(f.useful_share.mean, 2),
                  fmt::format("of {}", hours_text(f.gpu_hours.mean))});
  if (f.cost_usd.mean > 0.0) rows.push_back(useful_price_row(f.cost_per_useful_gpu_hour_usd, f.cost_usd));
  add_room_rows(f.room, rows);
  return rows;
}

std::string time_cell(const std::optional<models::CampaignFigure>& time) {
  return time ? humane(time->mean, "s", 3) : std::string("-");
}

CampaignCells class_rows(const FleetOutcome& f) {
  CampaignCells rows{{"", "jobs", "done", "preempted", "goodput", "wait", "completion", "alone"}};
  for (const FleetClassOutcome& c : f.classes)
    rows.push_back({c.name, humane_number(c.arrived.mean, 3), humane_number(c.finished.mean, 3),
                    humane_number(c.preemptions.mean, 3), percent(c.goodput.mean, 2), time_cell(c.wait.mean_s),
                    time_cell(c.completion.mean_s), humane(c.alone_s, "s", 3)});
  return rows;
}

std::string fleet_class_details(const FleetClassOutcome& c, const Style& style) {
  const auto row = [](const char* name, const std::optional<models::CampaignFigure>& time) {
    return std::vector<std::string>{name, time_cell(time), time ? interval_cell(*time, "s", 3) : std::string()};
  };
  CampaignCells rows{row("wait, mean", c.wait.mean_s),
                     row("wait, median", c.wait.p50_s),
                     row("wait, p99", c.wait.p99_s),
                     row("completion, mean", c.completion.mean_s),
                     row("completion, median", c.completion.p50_s),
                     row("completion, p99", c.completion.p99_s)};
  rows.push_back({"GPU hours held", hours_text(c.gpu_hours.mean), ""});
  rows.push_back({"useful", hours_text(c.useful_gpu_hours.mean), percent_interval_cell(c.goodput.ci95)});
  rows.push_back({"failures", humane_number(c.failures.mean, 3), ""});
  return style.bold(fmt::format("Jobs {}: {} GPUs each, priority {}", c.name, whole_text(c.gpus), c.priority)) + "\n" +
         table({{}, kRight, {}}, rows) + table({{}, kRight, kRight, {}}, loss_rows(c.losses, c.losses.size())) + "\n";
}

}  // namespace

std::string fleet_text(const FleetOutcome& f, const std::optional<models::Confidence>& confidence,
                       const std::string& title, bool verbose, const Style& style) {
  std::string text =
      fleet_head_text(f, title, style) + table({{}, kRight, {}, {}}, fleet_figure_rows(f)) + cost_scope_line(f.ledger);
  text += style.bold("Jobs (numbers of a campaign, times of a job; means, completion of those that end)") + "\n" +
          table({{}, kRight, kRight, kRight, kRight, kRight, kRight, kRight}, class_rows(f));
  text += style.bold("GPU hours lost, by cause") + "\n" +
          table({{}, kRight, kRight, {}}, loss_rows(f.losses, verbose ? f.losses.size() : kFleetCausesShown));
  if (confidence) text += wrapped(steady_confidence_line(confidence_json(*confidence), verbose), style.width, 2) + "\n";
  text += warnings_text(f.warnings, style);
  if (!verbose) return text;
  text += "\n";
  for (const FleetClassOutcome& c : f.classes) text += fleet_class_details(c, style);
  text +=
      style.bold("Cost of the campaign") + "\n" + table({{}, kRight, kRight}, ledger_rows(f.ledger, f.cost_usd.mean));
  text += fmt::format("  Sets of jobs beside each other, each answered once: {}\n", f.sets);
  return text;
}

}  // namespace headrace::reports
