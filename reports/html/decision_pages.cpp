#include "reports/html/decision_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/bakeoff_text.hpp"
#include "reports/decision_report.hpp"
#include "reports/html/campaign_sections.hpp"
#include "reports/html/confidence_notice.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::reports {
namespace {

using scenarios::Bakeoff;
using scenarios::Contender;
using scenarios::TotalCostDocument;

// The cost of a useful GPU hour has three bases. Each page says its own, and how the others differ.
constexpr const char* kTotalCostBasis =
    "<p>Counted are all payments of the horizon at their present value: purchases, rent, support, energy, space, "
    "staff, migration. Inputs are as stated. <code>headrace simulate</code> prices one steady epoch by its ledger, "
    "without space, staff and migration; <code>headrace bakeoff</code> takes means over the input ranges and includes "
    "degraded operation.</p>";
constexpr const char* kBakeoffBasis =
    "<p>Counted are all payments of the horizon at their present value, as means over the input ranges, with degraded "
    "operation. <code>headrace tco</code> takes inputs as stated and no degraded operation; <code>headrace "
    "simulate</code> prices one steady epoch by its ledger, without space, staff and migration.</p>";

/// Figures stand right, words left.
bool is_figure(const std::string& cell) {
  constexpr std::size_t kLongest = 20;
  if (cell == "at once" || cell == "never" || cell == "no price" || cell == "cannot run") return true;
  return !cell.empty() && cell.size() <= kLongest &&
         std::string_view("0123456789$<>-").find(cell.front()) != std::string_view::npos;
}

std::string decision_table(const GateTable& table) {
  std::vector<TableColumn> columns;
  for (std::size_t c = 0; c < table.header.size(); ++c)
    columns.push_back(
        {table.header[c], c > 0 && std::all_of(table.rows.begin(), table.rows.end(),
                                               [c](const auto& row) { return c < row.size() && is_figure(row[c]); })});
  std::vector<std::vector<std::string>> rows;
  for (const std::vector<std::string>& cells : table.rows) {
    rows.emplace_back();
    for (const std::string& cell : cells) rows.back().push_back(escaped(cell));
  }
  return html_table(table.title, columns, rows);
}

/// The tables of a report as sections, in their order; notes and fingerprints behind them.
std::vector<PageSection> decision_sections(const GateReport& report, const std::vector<const char*>& titles) {
  std::vector<PageSection> sections;
  for (std::size_t i = 0; i < report.tables.size(); ++i)
    sections.push_back({fmt::format("part-{}", i + 1), i < titles.size() ? titles[i] : report.tables[i].title,
                        decision_table(report.tables[i])});
  std::string facts;
  for (const std::string& note : report.notes) facts += fmt::format("<p>{}</p>", escaped(note));
  for (const auto& [name, value] : report.properties)
    facts += fmt::format("<p>{}: <code>{}</code></p>", escaped(name), escaped(value));
  sections.push_back({"how", "How it was found", facts});
  return sections;
}

std::string cost_chart(const Bakeoff& bakeoff) {
  Plot plot;
  plot.title = "Cost of a useful GPU hour: expected, p10 to p90";
  plot.x = {.label = "offers by rank", .low = 0.5};
  plot.y = {.label = "USD per useful GPU hour", .from_zero = true};
  PlotSeries series{"offers", {}};
  series.line = false;
  for (const Contender& one : bakeoff.contenders) {
    if (!one.infeasible.empty()) continue;
    plot.x.names.push_back(one.name);
    series.points.push_back({static_cast<double>(plot.x.names.size()), one.usd_expected, one.usd_low, one.usd_high,
                             one.name + ": " + shown_figure(one.usd_expected, "USD"), true});
  }
  if (series.points.empty()) return {};
  plot.x.high = static_cast<double>(plot.x.names.size()) + 0.5;
  plot.series.push_back(std::move(series));
  return plot_drawing(plot);
}

PlotSeries summed_payments(const std::string& name, const models::TotalCostAnswer& answer) {
  PlotSeries series{name, {}};
  double sum = 0.0;
  for (const models::CashFlow& row : answer.cash_flow)
    series.points.push_back({row.end_years, (sum += row.total) / 1e6, {}, {}, dollars(sum)});
  return series;
}

std::string payments_chart(const TotalCostDocument& document) {
  Plot plot;
  plot.title = "Payments so far";
  plot.x = {.label = "years"};
  plot.y = {.label = "million USD, not discounted", .from_zero = true};
  plot.series.push_back(summed_payments("this", document.answer));
  if (document.nothing) {
    plot.series.push_back(summed_payments("doing nothing", document.nothing->answer));
    plot.series.back().dashed = true;
  }
  return plot_drawing(plot);
}

std::string tco_tiles(const models::TotalCostAnswer& answer) {
  const std::optional<double> hour = models::waiting_gpu_hour_usd(answer);
  return "<ul class=\"tiles\">" +
         campaign_tile("Useful GPU hour, all payments", escaped(humane(answer.usd_per_useful_gpu_hour, "USD")),
                       "goodput " + escaped(percent(answer.goodput_fraction))) +
         campaign_tile("Payments, present value", escaped(dollars(answer.present_value_usd)),
                       escaped(dollars(answer.total_usd)) + " not discounted") +
         campaign_tile("Cost of waiting GPU hours, a year", escaped(dollars(answer.idle_usd_per_year)),
                       escaped(percent(answer.gpu_idle_fraction)) + " of the time of GPUs, at " +
                           (hour ? escaped(humane(*hour, "USD")) : std::string("their price")) + " an hour") +
         "</ul>";
}

std::string title_or(const PageFacts& facts, const std::string& own, const char* other) {
  if (!facts.title.empty()) return facts.title;
  return own.empty() ? other : own;
}

/// What may move the first figures stands beside them.
std::string warning_paragraphs(const Bakeoff& bakeoff) {
  std::string html;
  for (const std::string& warning : bakeoff_warnings(bakeoff)) html += "<p>" + prose_html(warning) + "</p>";
  return html;
}

}  // namespace

std::string bakeoff_page(const Bakeoff& bakeoff, const PageFacts& facts) {
  const bool runs = !bakeoff.contenders.empty() && bakeoff.contenders.front().infeasible.empty();
  const bool sure = runs && bakeoff.settled && bakeoff.contenders.front().best_probability > 0.9;
  Page page;
  page.title = title_or(facts, bakeoff.title, "Offers");
  page.head = verdict_box(!runs  ? "bad"
                          : sure ? "good"
                                 : "unsure",
                          runs ? bakeoff.contenders.front().name + " costs least" : "No offer can run the jobs",
                          ranking_sentence(bakeoff)) +
              warning_paragraphs(bakeoff) + command_block(facts.command);
  page.sections =
      decision_sections(bakeoff_report(bakeoff), {"Ranking", "Why not the others", "Against doing nothing", "Claims"});
  page.sections.front().body = kBakeoffBasis + cost_chart(bakeoff) + page.sections.front().body;
  return html_page(page);
}

std::string total_cost_page(const TotalCostDocument& document, const PageFacts& facts) {
  Page page;
  page.title = title_or(facts, document.title, "Total cost");
  page.head = verdict_box(document.verdict == "fed" || document.verdict == "compute_bound" ? "good" : "unsure",
                          total_cost_sentence(document),
                          document.nothing ? gain_over_nothing_text(*document.nothing)
                                           : "Paid for: " + paid_for_text(document.answer) + ".") +
              (document.confidence ? confidence_notice(confidence_json(*document.confidence), "the steady answer", "")
                                   : std::string()) +
              tco_tiles(document.answer) + command_block(facts.command);
  page.sections = decision_sections(total_cost_report(document), {"Figures", "Payments"});
  page.sections.front().body = kTotalCostBasis + page.sections.front().body;
  if (page.sections.size() > 1) page.sections[1].body = payments_chart(document) + page.sections[1].body;
  return html_page(page);
}

}  // namespace headrace::reports
