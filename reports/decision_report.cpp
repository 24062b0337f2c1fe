#include "reports/decision_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/outcome/total_cost.hpp"
#include "reports/bakeoff_text.hpp"
#include "reports/campaign_cells.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/room_text.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::reports {
namespace {

using models::TotalCostAnswer;
using scenarios::Bakeoff;
using scenarios::ClaimEffect;
using scenarios::Contender;

constexpr const char* kNoFigure = "-";

std::string name_of(const Contender& contender) {
  return contender.nothing || contender.vendor.empty() ? contender.name
                                                       : fmt::format("{}: {}", contender.name, contender.vendor);
}

GateTable ranking_table(const Bakeoff& bakeoff) {
  GateTable table{"Ranking by the cost of a useful GPU hour, " + basis_text(bakeoff),
                  {"offer", "rank", "expected", "p10 to p90", "as claimed", "best in", "goodput", "degraded",
                   "store price (by use: at present value)", "wins below"},
                  {}};
  for (const Contender& one : bakeoff.contenders) {
    table.rows.push_back({name_of(one), std::to_string(one.rank)});
    std::vector<std::string>& row = table.rows.back();
    if (!one.infeasible.empty()) {
      row.emplace_back("cannot run");
      row.resize(table.header.size(), kNoFigure);
      continue;
    }
    const auto& wins = one.break_even_capital_usd;
    row.insert(row.end(), {humane(one.usd_expected, "USD"),
                           fmt::format("{} to {}", humane(one.usd_low, "USD"), humane(one.usd_high, "USD")),
                           humane(one.usd_as_claimed, "USD"), probability_text(one.best_probability),
                           percent(one.answer.goodput_fraction), percent(one.goodput_degraded), store_price_text(one),
                           !wins         ? kNoFigure
                           : *wins > 0.0 ? dollars(*wins)
                                         : std::string("no price")});
  }
  return table;
}

GateTable reasons_table(const Bakeoff& bakeoff) {
  GateTable table{"Why not the others", {"offer", "reason"}, {}};
  for (const Contender& one : bakeoff.contenders)
    if (std::string reason = why_not_first(one, bakeoff); !reason.empty())
      table.rows.push_back({name_of(one), std::move(reason)});
  return table;
}

GateTable gains_table(const Bakeoff& bakeoff) {
  GateTable table{fmt::format("Against doing nothing, {}, {}; hours are discounted as payments are",
                              basis_text(bakeoff), kMiddleOfRanges),
                  {"offer", "payments", "useful GPU hours", "gain", "net present value", "payback", "power",
                   "rack units", "lead time", "quote until"},
                  {}};
  const bool writes = std::any_of(bakeoff.contenders.begin(), bakeoff.contenders.end(),
                                  [](const Contender& one) { return !drive_writes_text(one.answer.room).empty(); });
  if (writes) table.header.emplace_back("drive writes a day, in capacities");
  for (const Contender& one : bakeoff.contenders) {
    if (!one.infeasible.empty()) continue;
    table.rows.push_back(
        {name_of(one), dollars(one.answer.present_value_usd), whole_text(models::present_useful_hours(one.answer)),
         one.gain ? dollars(one.gain->gained_usd) : kNoFigure,
         one.gain ? dollars(one.gain->net_present_value_usd) : kNoFigure,
         one.gain ? payback_cell(one.gain->payback_years) : kNoFigure, power_or_why(one), rack_units_or_why(one),
         one.lead_time_days > 0.0 ? fmt::format("{:.3g} days", one.lead_time_days) : kNoFigure,
         one.valid_until.empty() ? kNoFigure : one.valid_until});
    if (writes) table.rows.back().push_back(drive_writes_text(one.answer.room));
  }
  return table;
}

GateTable claims_table(const Bakeoff& bakeoff) {
  GateTable table{"Claims that decide, or move the cost of their offer",
                  {"claim", "evidence", "worse end", "better end", "cost at the worse end", "cost at the better end",
                   "first at the worse end", "first at the better end"},
                  {}};
  for (const ClaimEffect& claim : bakeoff.claims)
    if (matters(claim))
      table.rows.push_back({fmt::format("{} of {}", claim.parameter, claim.offer), claim.evidence, claim.worst,
                            claim.best, humane(claim.usd_at_worst, "USD"), humane(claim.usd_at_best, "USD"),
                            claim.winner_at_worst, claim.winner_at_best});
  return table;
}

GateTable totals_table(const scenarios::TotalCostDocument& document) {
  GateTable table{"Total cost", {"figure", "this scenario"}, {}};
  if (document.nothing) table.header.emplace_back("doing nothing");
  table.rows = cost_rows(document);
  return table;
}

void add_tables(std::vector<GateTable> tables, GateReport& report) {
  for (GateTable& table : tables)
    if (!table.rows.empty()) report.tables.push_back(std::move(table));
}

}  // namespace

GateReport bakeoff_report(const Bakeoff& bakeoff) {
  GateReport report;
  report.verb = "bakeoff";
  report.title = bakeoff.title;
  report.headline = ranking_sentence(bakeoff);
  report.decision = models::Ruling::pass;
  add_tables({ranking_table(bakeoff), reasons_table(bakeoff), gains_table(bakeoff), claims_table(bakeoff)}, report);
  for (std::string& warning : bakeoff_warnings(bakeoff)) report.notes.push_back(std::move(warning));
  for (std::string& sentence : means_outside_ranges(bakeoff)) report.notes.push_back(std::move(sentence));
  for (const std::string& line : expansion_lines(bakeoff))
    report.notes.push_back("The least that can be added to offer " + line + ".");
  report.notes.push_back(fmt::format(
      "Offers for the store '{}': {} of {} ranges, {} steps each, normal and degraded, the same draws for all{}.",
      bakeoff.replaces, counted(bakeoff.draws, "point"), bakeoff.inputs, bakeoff.steps,
      bakeoff.complete ? "" : "; ended early"));
  report.properties = {{"seed", std::to_string(bakeoff.seed)},
                       {"model_version", bakeoff.model_version},
                       {"scenario_sha256", bakeoff.scenario_sha256}};
  return report;
}

GateReport total_cost_report(const scenarios::TotalCostDocument& document) {
  GateReport report;
  report.verb = "tco";
  report.title = document.title;
  report.headline = total_cost_sentence(document);
  report.decision = models::Ruling::pass;
  add_tables({totals_table(document), cash_flow_table(document.answer)}, report);
  report.notes.push_back("Paid for: " + paid_for_text(document.answer) + ".");
  for (std::string& sentence : beside_the_cost(document)) report.notes.push_back(std::move(sentence));
  if (document.nothing) report.notes.push_back(gain_over_nothing_text(*document.nothing));
  if (document.confidence) report.notes.push_back(steady_confidence_line(confidence_json(*document.confidence)));
  report.properties = {{"model_version", document.model_version}, {"scenario_sha256", document.scenario_sha256}};
  return report;
}

std::string bakeoff_csv(const Bakeoff& bakeoff) {
  const auto quoted = [](const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
  };
  std::string text =
      "rank,offer,infeasible,usd_per_useful_gpu_hour,p10,p90,as_claimed,best_probability,goodput,goodput_degraded,"
      "capital_usd,break_even_capital_usd,present_value_usd,net_present_value_usd,payback_years,lead_time_days\r\n";
  const auto or_nothing = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  for (const Contender& one : bakeoff.contenders)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", one.rank, quoted(one.name),
                        quoted(one.infeasible), one.usd_expected, one.usd_low, one.usd_high, one.usd_as_claimed,
                        one.best_probability, one.answer.goodput_fraction, one.goodput_degraded, one.capital_usd,
                        or_nothing(one.break_even_capital_usd), one.answer.present_value_usd,
                        one.gain ? fmt::format("{}", one.gain->net_present_value_usd) : "",
                        one.gain ? or_nothing(one.gain->payback_years) : "", one.lead_time_days);
  return text;
}

}  // namespace headrace::reports
