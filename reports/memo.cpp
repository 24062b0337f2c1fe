#include "reports/memo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/bakeoff_text.hpp"
#include "reports/document.hpp"
#include "reports/humane.hpp"
#include "reports/room_text.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::reports {
namespace {

using scenarios::Bakeoff;
using scenarios::ClaimEffect;
using scenarios::Contender;

constexpr std::size_t kMostFlips = 3;
constexpr std::size_t kMostAssumptions = 4;

std::string lead_time_text(const Contender& contender) {
  return contender.lead_time_days > 0.0
             ? fmt::format("runs {} after the order",
                           counted(static_cast<std::uint64_t>(std::lround(contender.lead_time_days)), "day"))
             : "lead time not stated";
}

/// ", paid back after 10 months, quote until 2026-12-31"
std::string later_dates_text(const Contender& contender) {
  std::string text;
  if (contender.gain) text += ", " + paid_back_text(contender.gain->payback_years);
  if (!contender.valid_until.empty()) text += fmt::format(", quote until {}", contender.valid_until);
  return text;
}

std::string dates_text(const Contender& contender) {
  return contender.nothing ? "today" : lead_time_text(contender) + later_dates_text(contender);
}

std::string risk_text(const Contender& contender, const Bakeoff& bakeoff) {
  std::string text;
  if (contender.feasible_share < 1.0)
    text = fmt::format("cannot run in {}; ", share_of_draws(1.0 - contender.feasible_share, bakeoff));
  text += fmt::format("{} to {} over the ranges; best in {}", humane(contender.usd_low, "USD"),
                      humane(contender.usd_high, "USD"), probability_text(contender.best_probability));
  return text + while_degraded(contender);
}

std::string store_share_text(const Contender& contender) {
  return contender.nothing ? std::string() : ", of which store " + store_price_text(contender);
}

MemoOption option_of(const Contender& contender, const Bakeoff& bakeoff) {
  return {contender.nothing || contender.vendor.empty() ? contender.name
                                                        : fmt::format("{}: {}", contender.name, contender.vendor),
          humane(contender.usd_expected, "USD"),
          dollars(contender.answer.present_value_usd) + store_share_text(contender),
          percent(contender.answer.goodput_fraction),
          dates_text(contender),
          risk_text(contender, bakeoff)};
}

/// The first, who is most probably the best beside it, and doing nothing.
bool is_option(const Contender& contender, const Bakeoff& bakeoff) {
  if (!contender.infeasible.empty()) return false;
  if (contender.rank == 1 || contender.nothing) return true;
  const Contender* rival = nullptr;
  for (const Contender& other : bakeoff.contenders)
    if (other.rank > 1 && !other.nothing && other.infeasible.empty() &&
        (rival == nullptr || other.best_probability > rival->best_probability))
      rival = &other;
  return &contender == rival;
}

/// Every quote that is no option, by rank.
std::vector<std::string> others_of(const Bakeoff& bakeoff) {
  std::vector<std::string> lines;
  for (const Contender& contender : bakeoff.contenders) {
    if (is_option(contender, bakeoff)) continue;
    std::string line = fmt::format("{}: {}", contender.name, why_not_first(contender, bakeoff));
    if (!contender.nothing)
      line += serves_later(contender, bakeoff) ? later_dates_text(contender) : "; " + dates_text(contender);
    lines.push_back(line + ".");
  }
  return lines;
}

std::vector<std::string> flips_of(const Bakeoff& bakeoff) {
  std::vector<std::string> flips;
  for (const ClaimEffect& claim : bakeoff.claims)
    if (claim.decides && flips.size() < kMostFlips) flips.push_back(claim_sentence(claim) + ".");
  for (const Contender& contender : bakeoff.contenders)
    if (!contender.is_tied() && contender.break_even_capital_usd && *contender.break_even_capital_usd > 0.0)
      flips.push_back(fmt::format("{} at {} instead of {} costs what {} does.", contender.name,
                                  dollars(*contender.break_even_capital_usd), dollars(contender.capital_usd),
                                  bakeoff.contenders.front().name));
  if (flips.empty()) flips.emplace_back("No single claim within its range, and no price above zero.");
  return flips;
}

std::vector<MemoAssumption> assumptions_of(const Bakeoff& bakeoff) {
  std::vector<MemoAssumption> rows;
  for (const ClaimEffect& claim : bakeoff.claims)
    if (rows.size() < kMostAssumptions)
      rows.push_back({fmt::format("{} of {}{}", claim.parameter, claim.offer,
                                  claim.conditions.empty() ? "" : " (" + claim.conditions + ")"),
                      fmt::format("{} to {}", claim.worst, claim.best),
                      claim.source.empty() ? claim.evidence : fmt::format("{}: {}", claim.evidence, claim.source)});
  return rows;
}

std::string markdown_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

}  // namespace

Memo memo_of(const Bakeoff& bakeoff) {
  Memo memo;
  memo.title = bakeoff.title;
  memo.question = fmt::format("Which store shall replace '{}', and does it pay?", bakeoff.replaces);
  memo.answer = ranking_sentence(bakeoff);
  constexpr double kSure = 0.75;  // of the draws
  memo.settled = bakeoff.settled && !bakeoff.contenders.empty() && bakeoff.contenders.front().best_probability >= kSure;
  memo.unit_cost_head = "per useful GPU hour, mean over the ranges";
  memo.total_cost_head = fmt::format("total cost {}, {}", basis_text(bakeoff), kMiddleOfRanges);
  for (const Contender& contender : bakeoff.contenders)
    if (is_option(contender, bakeoff)) memo.options.push_back(option_of(contender, bakeoff));
  memo.others = others_of(bakeoff);
  memo.flips = flips_of(bakeoff);
  memo.assumptions = assumptions_of(bakeoff);
  if (!bakeoff.contenders.empty()) {
    const models::TotalCostAnswer& first = bakeoff.contenders.front().answer;
    memo.facts.push_back(fmt::format("{:.3g} years at {} interest a year, {} GPUs.", first.horizon_years,
                                     percent(first.discount_rate, 0), humane_number(first.gpus, 3)));
    if (const std::string room = room_sentence(first.room); !room.empty()) memo.facts.push_back("The first: " + room);
  }
  for (std::string& warning : bakeoff_warnings(bakeoff)) memo.facts.push_back(std::move(warning));
  if (const std::vector<std::string> steps = expansion_lines(bakeoff); !steps.empty())
    memo.facts.push_back(fmt::format("The least that can be added to an offer: {}.", fmt::join(steps, "; ")));
  memo.facts.push_back(
      fmt::format("Simulated at {} of {} uncertain figures with the same draws for all, normal and "
                  "degraded; seed {}, models {}, scenario {}.",
                  counted(bakeoff.draws, "point"), bakeoff.inputs, bakeoff.seed, bakeoff.model_version,
                  bakeoff.scenario_sha256.substr(0, 12)));
  return memo;
}

bool has_totals(const Memo& memo) {
  return std::any_of(memo.options.begin(), memo.options.end(),
                     [](const MemoOption& option) { return !option.total_cost.empty(); });
}

std::string memo_markdown(const Memo& memo) {
  std::string text =
      fmt::format("# {}\n\n**Question.** {}\n\n**Answer.** {}\n\n", memo.title, memo.question, memo.answer);
  const bool totals = has_totals(memo);
  text += fmt::format("| option | {} |{} {} | dates | risk |\n|---|---|{}---|---|---|\n", memo.unit_cost_head,
                      totals ? fmt::format(" {} |", memo.total_cost_head) : "", memo.yield_head, totals ? "---|" : "");
  for (const MemoOption& option : memo.options)
    text +=
        fmt::format("| {} | {} |{} {} | {} | {} |\n", markdown_cell(option.name), option.unit_cost,
                    totals ? fmt::format(" {} |", option.total_cost) : "", option.goodput, option.when, option.risk);
  if (!memo.others.empty()) {
    text += "\n**Not among the options.**\n\n";
    for (const std::string& other : memo.others) text += fmt::format("- {}\n", other);
  }
  text += "\n**What would change it.**\n\n";
  for (const std::string& flip : memo.flips) text += fmt::format("- {}\n", flip);
  if (!memo.assumptions.empty()) {
    text += "\n**Assumptions.**\n\n| figure | value | evidence |\n|---|---|---|\n";
    for (const MemoAssumption& row : memo.assumptions)
      text += fmt::format("| {} | {} | {} |\n", markdown_cell(row.what), row.value, markdown_cell(row.evidence));
  }
  text += "\n";
  for (const std::string& fact : memo.facts) text += fmt::format("{}\n", fact);
  return text;
}

}  // namespace headrace::reports
