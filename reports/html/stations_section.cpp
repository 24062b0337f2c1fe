// Resources, the epoch in time, load times, money and jobs: tables with their drawings.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/outcome/outcome_assembly.hpp"
#include "reports/data_path.hpp"
#include "reports/figure_table.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/figure_notes.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/html/plot.hpp"
#include "reports/html/prices.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_reader.hpp"
#include "reports/station_words.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {

std::string stations_section(const Document& outcome) {
  std::vector<std::vector<std::string>> rows;
  const models::Outcome spoken = outcome_of(outcome);
  bool several = false;
  for (const Document& station : at(outcome, "stations")) {
    std::string each;
    if (rows.size() < spoken.stations.size()) each = each_text(spoken, spoken.stations[rows.size()]);
    several |= !each.empty();
    const std::string unit = station.value("unit", std::string());
    rows.push_back({escaped(station.value("name", std::string())), bar_drawing(number_at(station, "utilization"), 1.0),
                    share(at(station, "utilization")), number(at(station, "throughput"), unit) + each,
                    number(at(station, "capacity"), unit) + each, number(at(station, "queue_time_mean_s"), "s"),
                    number(at(station, "floor_step_time_s"), "s")});
  }
  if (rows.empty()) return {};
  const std::string left = capacity_note(spoken);
  return part_note("stations") +
         html_table(std::string("Queue: mean queueing time of a batch. Floor: the step time if this resource were the "
                                "only limit.") +
                        (several ? " What a node or a leaf has of its own is told of one of them." : "") +
                        (left.empty() ? left : " " + escaped(left)) +
                        (is_after_ramp(spoken) ? " All after the ramp of the store." : ""),
                    {{"resource"},
                     {""},
                     {"busy", true},
                     {"carries", true},
                     {"can carry", true},
                     {"queue", true},
                     {"floor", true}},
                    rows);
}

std::string epoch_section(const Document& outcome) {
  const Document& windows = at(outcome, "windows");
  if (windows.size() < 2) return {};
  PlotSeries step{"step time", {}, true, false};
  PlotSeries hits{"hit ratio", {}, true, false};
  std::vector<std::vector<std::string>> rows;
  const Scale scale = humane_scale(number_at(windows.front(), "step_time_s"), "s");
  for (const Document& window : windows) {
    const double position = number_at(window, "position") * 100.0;
    const double step_s = number_at(window, "step_time_s");
    const double hit_ratio = number_at(window, "hit_ratio") * 100.0;
    step.points.push_back({position, step_s * scale.factor, {}, {}, humane(step_s, "s")});
    hits.points.push_back({position, hit_ratio, {}, {}, percent(hit_ratio / 100.0)});
    rows.push_back({share(at(window, "position")), share(at(window, "weight")), share(at(window, "hit_ratio")),
                    number(at(window, "step_time_s"), "s"), count(at(window, "warm_up_steps")),
                    count(at(window, "measured_steps")), escaped(window.value("control", std::string()))});
  }
  Plot steps{"Step time", {"position in the epoch, %"}, {"step, " + scale.unit, false, true, {}, {}}, {step}};
  Plot ratios{"Hits in the node's cache", {"position in the epoch, %"}, {"hit ratio, %", false, true, {}, {}}, {hits}};
  const bool simulated = std::any_of(windows.begin(), windows.end(),
                                     [](const Document& window) { return number_at(window, "measured_steps") > 0.0; });
  return std::string("<p>The epoch is ") + (simulated ? "simulated" : "answered") +
         " in windows, each with the caches as that part of the epoch finds them. Hits are "
         "those of a node's own cache, without what peers or a shared cache answer.</p>"
         "<div class=\"plots\">" +
         plot_drawing(steps) + plot_drawing(ratios) + "</div>" +
         html_table("Windows",
                    {{"position"},
                     {"weight", true},
                     {"node cache hits", true},
                     {"step time", true},
                     {"warm-up steps", true},
                     {"measured steps", true},
                     {"control variate"}},
                    rows);
}

std::string load_time_section(const Document& outcome) {
  const auto found = at(outcome, "metrics").find("batch_load_time_s");
  if (found == at(outcome, "metrics").end() || !found->contains("p50")) return {};
  const auto step = at(outcome, "metrics").find("step_time_s");
  const bool has_step = step != at(outcome, "metrics").end();
  const double full = std::max(number_at(*found, "p999"), has_step ? number_at(*step, "mean") : 0.0);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, name] : {std::pair("p50", "half of the batches within"), std::pair("p90", "90 % within"),
                                  std::pair("p99", "99 % within"), std::pair("p999", "99.9 % within")})
    rows.push_back({name, bar_drawing(number_at(*found, key), full), number((*found)[key], "s")});
  if (at(*found, "mean").is_number())
    rows.push_back({"mean", bar_drawing(number_at(*found, "mean"), full), number(at(*found, "mean"), "s")});
  if (has_step)
    rows.push_back(
        {"a step takes", bar_drawing(number_at(*step, "mean"), full, {}, "three"), number(at(*step, "mean"), "s")});
  const std::size_t windows = at(outcome, "windows").size();
  std::string html = windows > 1 ? fmt::format(
                                       "<p>Over the whole epoch: batches of all {} windows, by their weights "
                                       "(<a href=\"#epoch\">Over the epoch</a>).</p>",
                                       windows)
                                 : std::string();
  if (is_after_ramp(outcome_of(outcome)))
    html += "<p>After the ramp of the store; the step is the mean of all of the time.</p>";
  html += html_table("From assignment to a worker until delivery", {{""}, {""}, {"time", true}}, rows);
  rows.clear();
  for (const Document& stall : at(outcome, "rare_stalls"))
    rows.push_back({escaped(stall.value("stage", std::string())), number(at(stall, "per_operation"), ""),
                    number(at(stall, "duration_s"), "s"), share(at(stall, "stalled_steps")),
                    number(at(at(stall, "delay_s"), "mean"), "s"), share(at(stall, "share"))});
  if (!rows.empty())
    html += html_table("Rare stalls, measured by placing them",
                       {{"stage"},
                        {"probability per operation", true},
                        {"duration", true},
                        {"steps that meet one", true},
                        {"delay of such a step", true},
                        {"share of time", true}},
                       rows);
  return html;
}

std::string money_section(const Document& outcome) {
  const Document& ledger = at(outcome, "ledger");
  double sum = 0.0;
  for (const Document& line : ledger) sum += std::max(0.0, number_at(line, "usd"));
  if (!(sum > 0.0)) return {};
  const models::Outcome spoken = outcome_of(outcome);
  std::vector<std::vector<std::string>> rows;
  for (const Document& line : ledger)
    rows.push_back({escaped(line.value("item", std::string())), bar_drawing(number_at(line, "usd"), sum),
                    number(at(line, "quantity"), line.value("unit", std::string())), bill_line_amount(line)});
  for (const auto& [key, name] : {std::pair("cost_per_epoch_usd", "an epoch"),
                                  std::pair("idle_cost_per_epoch_usd", "of it for GPUs that wait for data")}) {
    const auto metric = at(outcome, "metrics").find(key);
    const models::Metric* figure = spoken.find(key);
    if (metric != at(outcome, "metrics").end() && figure != nullptr && !has_no_price(*figure, spoken))
      rows.push_back(
          {name, bar_drawing(number_at(*metric, "mean"), sum, {}, "six"), "", bill_amount(at(*metric, "mean"))});
  }
  return part_note("ledger") +
         html_table("One steady epoch", {{"item"}, {""}, {"quantity", true}, {"cost", true}}, rows);
}

std::string jobs_section(const Document& outcome) {
  const Document& jobs = at(outcome, "jobs");
  std::vector<std::vector<std::string>> rows;
  for (const Document& job : jobs) {
    if (!job.contains("verdict")) continue;
    const Document& metrics = at(job, "metrics");
    const bool no_prices = has_no_prices(metrics);
    const auto cell = [&](const char* name) {
      return metrics.contains(name) ? mean_cell(metrics[name], no_prices) : std::string("&ndash;");
    };
    const std::string binding =
        at(job, "binding").is_string() ? " by " + words(at(job, "binding").get<std::string>()) : "";
    rows.push_back({escaped(job.value("name", std::string())), count(at(job, "copies")), count(at(job, "gpus")),
                    escaped(spoken_verdict(text_at(job, "verdict")) + binding), cell("gpu_idle_fraction"),
                    cell("step_time_s"), cell("epoch_time_s"), cell("ingest_bytes_per_s"), cell("cost_per_epoch_usd")});
  }
  std::string html;
  if (!rows.empty())
    html = html_table("Means over the copies of a job",
                      {{"job"},
                       {"copies", true},
                       {"GPUs", true},
                       {"verdict"},
                       {"idle", true},
                       {"step", true},
                       {"epoch", true},
                       {"ingest", true},
                       {"cost per epoch", true}},
                      rows);
  rows.clear();
  if (outcome.contains("background"))
    for (const Document& load : at(outcome, "background"))
      rows.push_back(
          {escaped(load.value("name", std::string())), number(at(load, "asked_bytes_per_s"), "B/s"),
           at(load, "served_bytes_per_s").is_number() ? number(at(load, "served_bytes_per_s"), "B/s") : "&ndash;"});
  if (!rows.empty()) html += html_table("Background load", {{"load"}, {"asked for", true}, {"served", true}}, rows);
  return html;
}

}  // namespace headrace::reports
