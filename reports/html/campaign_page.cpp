#include "reports/html/campaign_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "reports/html/campaign_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

std::string campaign_tiles(const Document& document) {
  const Document& goodput = at(document, "goodput");
  std::string html =
      campaign_tile("Goodput", share(at(goodput, "mean")), "closed form " + share(at(document, "closed_form_goodput")));
  html += campaign_tile("Useful GPU hours", number(at(at(document, "useful_gpu_hours"), "mean"), "", 5),
                        "of " + number(at(at(document, "gpu_hours"), "mean"), "", 5) + " held");
  html += campaign_tile("First step, cold", number(at(document, "cold_first_step_s"), "s", 3),
                        "warm " + number(at(document, "warm_first_step_s"), "s", 3));
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
  plot.title = "Time from a failure until training goes on";
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
  struct Row {
    const char* name;
    std::array<const char*, 4> keys;  // cold start, warm start, restart, preempted
  };
  constexpr Row kRows[] = {{"detection", {"", "", "detection_s", ""}},
                           {"saving on notice", {"", "", "", "checkpoint_save_s"}},
                           {"reschedule", {"", "", "reschedule_s", "replacement_s"}},
                           {"image", {"image_s", "", "image_of_node_s", "image_of_node_s"}},
                           {"imports", {"imports_s", "imports_warm_s", "imports_of_node_s", "imports_of_node_s"}},
                           {"listing", {"listing_s", "listing_s", "listing_s", "listing_s"}},
                           {"staging", {"staging_s", "staging_again_s", "staging_again_s", "staging_again_s"}},
                           {"checkpoint read back", {"", "", "checkpoint_load_s", "checkpoint_load_s"}},
                           {"first batch", {"first_batch_s", "first_batch_s", "first_batch_s", "first_batch_s"}}};
  const Document& phases = at(document, "phases");
  // A document from before has no times of spot nodes.
  const bool spot = optional_at(phases, "replacement_s").value_or(0.0) > 0.0;
  const bool saved = spot && optional_at(phases, "preempting_share").value_or(0.0) == 0.0;
  std::vector<TableColumn> columns{{"phase"}, {"cold start", true}, {"warm start", true}, {"restart", true}};
  if (spot) columns.push_back({"preempted", true});
  std::vector<std::vector<std::string>> rows;
  using Times = std::array<double, 4>;
  const auto add = [&](const char* name, const Times& times_s) {
    std::vector<std::string> row{name};
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
      row.push_back(times_s[i] > 0.0 ? number(times_s[i], "s", 3) : std::string("&ndash;"));
    if (*std::max_element(times_s.begin(), times_s.end()) > 0.0) rows.push_back(std::move(row));
  };
  Times all_s{};
  for (const Row& row : kRows) {
    Times times_s{};
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
      if (*row.keys[i] != 0 && (saved || row.keys[i] != std::string_view("checkpoint_save_s")))
        times_s[i] = number_at(phases, row.keys[i]);
    add(row.name, times_s);
    for (std::size_t i = 0; i < all_s.size(); ++i) all_s[i] += times_s[i];
  }
  add("together", all_s);
  const double skip_s = number_at(phases, "skip_epoch_s");
  add("skipping a whole epoch", {0.0, 0.0, skip_s, skip_s});
  return html_table("Each phase, answered once", columns, rows) +
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
