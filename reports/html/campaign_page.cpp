#include "reports/html/campaign_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/campaign/campaign_description.hpp"
#include "reports/campaign_cells.hpp"
#include "reports/document_reader.hpp"
#include "reports/html/campaign_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

models::PhaseTimes phases_of(const Document& document) {
  models::PhaseTimes phases;
  DocumentReader(document).record("phases", phases, {});
  return phases;
}

std::string campaign_tiles(const Document& document) {
  const Document& goodput = at(document, "goodput");
  std::string html =
      campaign_tile("Goodput", share(at(goodput, "mean")), "closed form " + share(at(document, "closed_form_goodput")));
  html += campaign_tile("Useful GPU hours", number(at(at(document, "useful_gpu_hours"), "mean"), "", 5),
                        "of " + number(at(at(document, "gpu_hours"), "mean"), "", 5) + " held");
  html += campaign_tile("First step, cold", number(at(document, "cold_first_step_s"), "s", 3),
                        warm_start_text(number_at(document, "warm_first_step_s"), phases_of(document)));
  const Document& p50 = at(document, "restart_p50_s");
  if (p50.is_object())
    html += campaign_tile("Restart, median", number(at(p50, "mean"), "s", 3),
                          "p99 " + number(at(at(document, "restart_p99_s"), "mean"), "s", 3));
  const Document& cost = at(document, "cost_usd");
  if (number_at(cost, "mean") > 0.0) html += useful_price_tile(document);
  return "<ul class=\"tiles\">" + html + "</ul>";
}

std::string campaign_head(const Document& document) {
  return campaign_verdict(document, fmt::format("{} of the GPU time is useful",
                                                percent(number_at(at(document, "goodput"), "mean"), 2))) +
         campaign_tiles(document);
}

std::string restarts_section(const Document& document) {
  const Document& quantiles = at(document, "restart_quantiles_s");
  if (!quantiles.is_array() || quantiles.empty()) return {};
  Plot plot;
  plot.title = "Time from a stop until training goes on, up to the 99th percentile";
  plot.x = {"minutes", false, true};
  plot.y = {"restarts that take no longer, %", false, true, {}, 100.0};
  PlotSeries series{"restarts", {}};
  for (std::size_t i = 0; i < quantiles.size(); ++i)
    series.points.push_back({quantiles[i].get<double>() / 60.0, static_cast<double>(i + 1)});
  plot.series.push_back(std::move(series));
  const Document& p50 = at(document, "restart_p50_s");
  const Document& p99 = at(document, "restart_p99_s");
  return fmt::format(
             "<p>{} restarts in all replications, after failures and preemptions. A failure on the way counts into the "
             "restart that it "
             "meets.</p>",
             count(at(document, "restarts"))) +
         plot_drawing(plot) +
         html_table("Restart time", {{""}, {"time", true}, {"95 % interval", true}},
                    {{"median", figure_cell_html(p50, "s"), ends_cell_html(p50, "s")},
                     {"99th percentile", figure_cell_html(p99, "s"), ends_cell_html(p99, "s")}});
}

std::string campaign_phases_section(const Document& document) {
  const models::PhaseTimes phases = phases_of(document);
  std::vector<TableColumn> columns{{"phase"}, {"cold start", true}, {"warm start", true}, {"restart", true}};
  if (phases.replacement_s > 0.0) columns.push_back({"preempted", true});
  std::vector<std::vector<std::string>> rows;
  for (const PhaseRow& phase : phase_rows(phases)) {
    rows.push_back({phase.name});
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
      rows.back().push_back(phase.times_s[i] > 0.0 ? number(phase.times_s[i], "s", 3) : std::string("&ndash;"));
  }
  return html_table("Time of each phase", columns, rows) +
         fmt::format(
             "<p>Checkpoints after {} of work; the closed form is best with {}. Failures of the job every "
             "{}, preemptions apart.</p>",
             number(at(document, "checkpoint_interval_s"), "s", 3),
             number(at(document, "checkpoint_best_interval_s"), "s", 3), number(at(document, "job_mtbf_s"), "s", 3));
}

}  // namespace

std::string campaign_page(const Document& document, const PageFacts& facts) {
  const std::string title = text_at(at(document, "scenario"), "title");
  Page page;
  page.title = !facts.title.empty() ? facts.title : title.empty() ? "Campaign" : title;
  page.head = campaign_head(document);
  page.sections = {{"warnings", "Mind", campaign_warnings_section(document)},
                   {"losses", "Where the hours go", losses_section(document, "the GPU hours held")},
                   {"restarts", "Restarts", restarts_section(document)},
                   {"phases", "Starts and restarts", campaign_phases_section(document)},
                   {"cost", "Cost", campaign_cost_section(document)},
                   {"repeat", "Repeat it", campaign_repeat_section(document, facts.command)}};
  return html_page(page);
}

}  // namespace headrace::reports
