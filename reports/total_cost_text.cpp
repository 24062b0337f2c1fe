#include "reports/total_cost_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/campaign_cells.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/room_text.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using models::CashFlow;
using models::TotalCostAnswer;
using CostRows = std::vector<std::vector<std::string>>;

struct CostKind {
  const char* name;
  double CashFlow::*usd;
};
constexpr CostKind kCostKinds[] = {
    {"capital", &CashFlow::capital}, {"lease", &CashFlow::lease},     {"rent and contracts", &CashFlow::rent},
    {"support", &CashFlow::support}, {"energy", &CashFlow::energy},   {"space", &CashFlow::space},
    {"staff", &CashFlow::staff},     {"storage", &CashFlow::storage}, {"migration", &CashFlow::migration}};

constexpr double kLeastUsd = 0.005;  ///< less is no payment but what rounding left

double sum_of(const TotalCostAnswer& answer, double CashFlow::*usd) {
  double sum = 0.0;
  for (const CashFlow& row : answer.cash_flow) sum += row.*usd;
  return sum;
}

std::string years_text(double years) { return fmt::format("{:.3g} {}", years, years == 1.0 ? "year" : "years"); }

std::string level_text(const scenarios::TotalCostDocument& document) {
  return document.level == "simulated" ? document.level : "by the " + document.level;
}

std::string payback_text(const std::optional<double>& years) {
  if (!years) return "not paid back within the horizon";
  return *years > 0.0 ? fmt::format("paid back after {}", years_text(*years)) : "paid back at once";
}

}  // namespace

std::string dollars(double usd) {
  const double size = std::abs(usd);
  const char* sign = usd < 0.0 ? "-" : "";
  constexpr double kThousand = 999.5;
  if (size >= kThousand) return humane(std::round(usd), "USD");
  return size < kLeastUsd ? "$0" : fmt::format("{}${:.3g}", sign, size);
}

namespace {

/// What the cost of waiting GPU hours is made of; empty where none waits or none has a price.
std::string waiting_terms_text(const TotalCostAnswer& a) {
  const std::optional<double> usd = waiting_gpu_hour_usd(a);
  return usd ? fmt::format("{}, {}", percent(a.gpu_idle_fraction), humane(*usd, "USD")) : std::string();
}

/// A figure of a total cost, as it is shown.
struct CostFigure {
  const char* name;
  std::string (*text)(const TotalCostAnswer& answer);
};

const std::vector<CostFigure>& cost_figures() {
  static const std::vector<CostFigure> kFigures{
      {"cost of a useful GPU hour", [](const TotalCostAnswer& a) { return humane(a.usd_per_useful_gpu_hour, "USD"); }},
      {"all payments", [](const TotalCostAnswer& a) { return dollars(a.total_usd); }},
      {"  present value of all payments", [](const TotalCostAnswer& a) { return dollars(a.present_value_usd); }},
      {"cost of waiting GPU hours, a year", [](const TotalCostAnswer& a) { return dollars(a.idle_usd_per_year); }},
      {"  time that waits, price of a GPU hour alone", waiting_terms_text},
      {"  waiting over the horizon, present value",
       [](const TotalCostAnswer& a) { return dollars(a.doing_nothing_usd); }},
      {"goodput", [](const TotalCostAnswer& a) { return percent(a.goodput_fraction); }},
      {"useful GPU hours", [](const TotalCostAnswer& a) { return whole_text(a.useful_gpu_hours); }},
      {"  useful GPU hours, discounted as payments are",
       [](const TotalCostAnswer& a) { return whole_text(present_useful_hours(a)); }},
      {"  share of the time in use",
       [](const TotalCostAnswer& a) { return a.used_fraction < 1.0 ? percent(a.used_fraction, 0) : std::string(); }},
      {"power of owned machines and stores", [](const TotalCostAnswer& a) { return power_text(a.room); }},
      {"rack units of owned machines and stores", [](const TotalCostAnswer& a) { return rack_units_text(a.room); }},
      {"drive writes a day, in capacities", [](const TotalCostAnswer& a) { return drive_writes_text(a.room); }}};
  return kFigures;
}

}  // namespace

std::vector<std::vector<std::string>> cost_rows(const scenarios::TotalCostDocument& document) {
  const auto or_none = [](std::string text) { return text.empty() ? std::string("-") : std::move(text); };
  CostRows rows;
  for (const CostFigure& figure : cost_figures()) {
    const std::string own = figure.text(document.answer);
    const std::string other = document.nothing ? figure.text(document.nothing->answer) : std::string();
    if (own.empty() && other.empty()) continue;
    rows.push_back({figure.name, or_none(own)});
    if (document.nothing) rows.back().push_back(or_none(other));
  }
  return rows;
}

std::string total_cost_sentence(const scenarios::TotalCostDocument& document) {
  const TotalCostAnswer& answer = document.answer;
  return fmt::format("A useful GPU hour costs {}: all payments over {} at {} interest a year, {} GPUs, {}.",
                     humane(answer.usd_per_useful_gpu_hour, "USD"), years_text(answer.horizon_years),
                     percent(answer.discount_rate, 0), humane_number(answer.gpus, 3), level_text(document));
}

std::string paid_for_text(const TotalCostAnswer& answer) {
  std::string text;
  for (const CostKind& kind : kCostKinds)
    if (const double usd = sum_of(answer, kind.usd); usd != 0.0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind.name, dollars(usd));
  return text.empty() ? "nothing has a price: give prices" : text;
}

std::vector<std::string> beside_the_cost(const scenarios::TotalCostDocument& document) {
  std::vector<std::string> sentences;
  if (!document.assumed.empty()) sentences.push_back("Assumed: " + document.assumed + ".");
  if (!document.unpriced.empty()) sentences.push_back("Without a price, so free here: " + document.unpriced + ".");
  if (!document.nothing && sum_of(document.answer, &models::CashFlow::migration) > 0.0)
    sentences.push_back(
        "The migration to this scenario is among the payments. If it is there already, leave it out, as a bake-off "
        "does "
        "of doing nothing: --set '/prices/total_cost/migration=$0'.");
  if (!document.unpriced_change.empty())
    sentences.push_back("The change has no price, so what it gains is an upper limit: " + document.unpriced_change +
                        ".");
  return sentences;
}

std::string gain_over_nothing_text(const scenarios::NothingDone& nothing) {
  const models::GainOverNothing& gain = nothing.gain;
  return fmt::format(
      "Over doing nothing: net present value {}, {}. Doing nothing costs {} of useful GPU hours, {} each.",
      dollars(gain.net_present_value_usd), payback_text(gain.payback_years), dollars(gain.gained_usd),
      humane(gain.usd_per_hour, "USD"));
}

GateTable cash_flow_table(const TotalCostAnswer& answer) {
  GateTable table{"Cash flow", {"year"}, {}};
  std::vector<CostKind> shown;
  for (const CostKind& kind : kCostKinds)
    if (sum_of(answer, kind.usd) != 0.0) {
      shown.push_back(kind);
      table.header.emplace_back(kind.name);
    }
  table.header.insert(table.header.end(), {"total", "present value"});
  for (const CashFlow& row : answer.cash_flow) {
    table.rows.push_back({fmt::format("{:.4g}", row.end_years)});
    for (const CostKind& kind : shown) table.rows.back().push_back(dollars(row.*kind.usd));
    table.rows.back().push_back(dollars(row.total));
    table.rows.back().push_back(dollars(row.present_value));
  }
  return table;
}

std::string total_cost_text(const scenarios::TotalCostDocument& document, bool all, const Style& style) {
  const TotalCostAnswer& answer = document.answer;
  std::string text = wrapped(document.title, style.width, 0) + "\n";
  text += fmt::format("{} at {} interest a year, {} GPUs, {}\n\n", years_text(answer.horizon_years),
                      percent(answer.discount_rate, 0), humane_number(answer.gpus, 3), level_text(document));
  CostRows rows{{"total cost", "this scenario"}};
  if (document.nothing) rows.front().emplace_back("doing nothing");
  for (std::vector<std::string>& row : cost_rows(document)) rows.push_back(std::move(row));
  text += table({{}, kRight, kRight}, rows) + "\n";
  text += wrapped("Paid for: " + paid_for_text(answer) + ".", style.width, 2) + "\n";
  for (const std::string& sentence : beside_the_cost(document)) text += wrapped(sentence, style.width, 2) + "\n";
  if (answer.investment)
    text += wrapped(fmt::format("The investment saves {} a year, is {}, net present value {}.",
                                dollars(answer.investment->saves_usd_per_year),
                                payback_text(answer.investment->payback_years),
                                dollars(answer.investment->net_present_value_usd)),
                    style.width, 2) +
            "\n";
  if (document.nothing) text += wrapped(gain_over_nothing_text(*document.nothing), style.width, 2) + "\n";
  if (document.confidence)
    text += wrapped(steady_confidence_line(confidence_json(*document.confidence)), style.width, 2) + "\n";
  if (!all) return text;
  const GateTable flow = cash_flow_table(answer);
  CostRows lines{flow.header};
  lines.insert(lines.end(), flow.rows.begin(), flow.rows.end());
  text += "\n" + style.bold(flow.title) + "\n" +
          folded_table(std::vector<Column>(flow.header.size(), kRight), lines, style.width);
  return text;
}

}  // namespace headrace::reports
