#include "reports/html/fleet_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/html/campaign_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using FleetRows = std::vector<std::vector<std::string>>;

std::string mean_cell(const Document& figure, std::string_view unit, int digits = 4) {
  return figure.is_object() ? number(at(figure, "mean"), unit, digits) : std::string("&ndash;");
}

std::string share_cell(const Document& figure) { return share(at(figure, "mean")); }

std::string fleet_head(const Document& document) {
  const Document& pools = at(document, "pools");
  std::string tiles = campaign_tile("Goodput", share_cell(at(document, "goodput")), "of the hours that jobs hold");
  for (const Document& pool : pools)
    tiles += campaign_tile("Use of pool " + escaped(text_at(pool, "name")), share_cell(at(pool, "used")),
                           "free while jobs wait " + share_cell(at(pool, "queued")));
  tiles += campaign_tile("Useful GPU hours", number(at(at(document, "useful_gpu_hours"), "mean"), "", 5),
                         "of " + number(at(at(document, "gpu_hours"), "mean"), "", 5));
  const Document& cost = at(document, "cost_usd");
  if (number_at(cost, "mean") > 0.0) tiles += useful_price_tile(document);
  return campaign_verdict(document, fmt::format("{} of all GPU time is useful",
                                                percent(number_at(at(document, "useful_share"), "mean"), 2))) +
         "<ul class=\"tiles\">" + tiles + "</ul>";
}

std::string fleet_jobs_section(const Document& document) {
  FleetRows counts;
  FleetRows times;
  for (const Document& one : at(document, "classes")) {
    const std::string name = escaped(text_at(one, "name"));
    counts.push_back({name, count(at(one, "priority")), count(at(one, "gpus")), mean_cell(at(one, "arrived"), ""),
                      mean_cell(at(one, "finished"), ""), mean_cell(at(one, "preemptions"), ""),
                      mean_cell(at(one, "failures"), ""), mean_cell(at(one, "gpu_hours"), "", 5),
                      share_cell(at(one, "goodput"))});
    const Document& wait = at(one, "wait");
    const Document& completion = at(one, "completion");
    times.push_back({name, mean_cell(at(wait, "mean_s"), "s", 3), mean_cell(at(wait, "p50_s"), "s", 3),
                     mean_cell(at(wait, "p99_s"), "s", 3), mean_cell(at(completion, "mean_s"), "s", 3),
                     mean_cell(at(completion, "p50_s"), "s", 3), mean_cell(at(completion, "p99_s"), "s", 3),
                     number(at(one, "alone_s"), "s", 3)});
  }
  return html_table("Jobs, means per campaign",
                    {{"job"},
                     {"priority", true},
                     {"GPUs", true},
                     {"came", true},
                     {"done", true},
                     {"preempted", true},
                     {"failures", true},
                     {"GPU hours", true},
                     {"goodput", true}},
                    counts) +
         html_table("Times of one job",
                    {{"job"},
                     {"wait, mean", true},
                     {"median", true},
                     {"p99", true},
                     {"completion, mean", true},
                     {"median", true},
                     {"p99", true},
                     {"alone", true}},
                    times) +
         "<p>Waits are from the arrival to the first start, of all jobs that came; completions from the arrival to the "
         "end, "
         "of those that end within the campaign. Alone: the mean time of a job without the others.</p>";
}

std::string fleet_pools_section(const Document& document) {
  FleetRows rows;
  for (const Document& pool : at(document, "pools"))
    rows.push_back({escaped(text_at(pool, "name")), count(at(pool, "nodes")), count(at(pool, "gpus")),
                    share_cell(at(pool, "used")), share_cell(at(pool, "queued")), share_cell(at(pool, "idle"))});
  return html_table(
      "Share of node time",
      {{"pool"}, {"nodes", true}, {"GPUs", true}, {"used", true}, {"free while jobs wait", true}, {"free", true}},
      rows);
}

}  // namespace

std::string fleet_page(const Document& document, const PageFacts& facts) {
  const std::string title = text_at(at(document, "scenario"), "title");
  Page page;
  page.title = !facts.title.empty() ? facts.title : title.empty() ? "Campaign" : title;
  page.head = fleet_head(document);
  page.sections = {{"warnings", "Mind", campaign_warnings_section(document)},
                   {"jobs", "Jobs", fleet_jobs_section(document)},
                   {"pools", "Pools", fleet_pools_section(document)},
                   {"losses", "Where the hours go", losses_section(document, "all GPU hours of the pools")},
                   {"cost", "Cost", campaign_cost_section(document)},
                   {"repeat", "Repeat it", campaign_repeat_section(document, facts.command)}};
  return html_page(page);
}

}  // namespace headrace::reports
