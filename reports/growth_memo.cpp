// The decision on one page that a forecast of growth holds: buying in time against buying nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/humane.hpp"
#include "reports/memo.hpp"
#include "reports/room_text.hpp"

namespace headrace::reports {
namespace {

using scenarios::BuyListItem;
using scenarios::GrowthAnswer;
using scenarios::LayerForecast;

constexpr std::size_t kOrdersInAnswer = 3;

const models::GrowthPurchase& purchase_of(const GrowthAnswer& answer, std::size_t number) {
  return answer.growth.purchases[number];
}

std::string order_text(const GrowthAnswer& answer, const BuyListItem& item) {
  return fmt::format("{} x {} ({}, {})", item.steps, purchase_of(answer, item.purchase).name,
                     item.late ? std::string("at once, late") : "order by " + item.order, round_usd(item.price_usd));
}

std::string orders_text(const GrowthAnswer& answer) {
  std::vector<std::string> orders;
  for (const BuyListItem& item : answer.buy_list)
    if (orders.size() < kOrdersInAnswer) orders.push_back(order_text(answer, item));
  std::string text = fmt::to_string(fmt::join(orders, ", "));
  if (answer.buy_list.size() > orders.size())
    text += fmt::format(" and {} later orders", answer.buy_list.size() - orders.size());
  return text;
}

std::string first_full(const GrowthAnswer& answer) {
  const LayerForecast* first = nullptr;
  for (const LayerForecast& layer : answer.layers)
    if (layer.quarters_to_full && (first == nullptr || *layer.quarters_to_full < *first->quarters_to_full))
      first = &layer;
  if (first == nullptr) return "no layer becomes full";
  return fmt::format("{} is full on {}, {} to {} in 80 % of the draws", first->resource, *first->full.nominal,
                     first->full.low.value_or("later"), first->full.high.value_or("later"));
}

/// Where jobs ask for more nodes than there are, which no dollar here counts.
std::string outgrown_text(const GrowthAnswer& answer) {
  for (const LayerForecast& layer : answer.layers)
    if (layer.layer == models::Layer::gpus && layer.full.nominal)
      return fmt::format(" From {} on, jobs ask for more {} than there are; their delay is not in these dollars.",
                         *layer.full.nominal, layer.resource);
  return {};
}

std::string growth_answer(const RecordedGrowth& growth) {
  const GrowthAnswer& answer = growth.answer;
  if (answer.buy_list.empty())
    return fmt::format("Nothing has to be bought: {}.", first_full(answer)) + outgrown_text(answer);
  return fmt::format(
             "Order {}. With upkeep and GPUs that still wait this costs {} on average over the draws, in dollars of "
             "today; buying nothing costs {} for GPUs that wait.",
             orders_text(answer), round_usd(answer.buying_expected_usd), round_usd(answer.doing_nothing_expected_usd)) +
         " " + moments_sentence(growth_json(growth)) + outgrown_text(answer);
}

std::string waits_at_end(double gpus, const std::optional<scenarios::RangedFigure>& drawn) {
  std::string text = fmt::format("{} GPUs wait at the end", humane_number(gpus, 3));
  if (drawn) text += fmt::format(" ({} to {})", humane_number(drawn->low, 3), humane_number(drawn->high, 3));
  return text;
}

std::string stated_and_drawn(const scenarios::RangedFigure& usd) {
  return fmt::format("{} as stated, {} to {} in 80 % of the draws", round_usd(usd.nominal), round_usd(usd.low),
                     round_usd(usd.high));
}

std::vector<MemoOption> growth_options(const GrowthAnswer& answer) {
  std::vector<MemoOption> options;
  if (!answer.buy_list.empty()) {
    options.push_back(
        {"buy as listed", order_text(answer, answer.buy_list.front()), round_usd(answer.buying_expected_usd),
         answer.as_bought.empty()
             ? ""
             : waits_at_end(answer.as_bought.back().waiting_gpus, answer.as_bought.back().drawn_waiting_gpus),
         answer.payback ? "paid back by " + *answer.payback : std::string("not paid back by then"),
         stated_and_drawn(answer.buying_draws_usd)});
    options.push_back({"buy on the day of the need", "-", round_usd(answer.on_time_expected_usd), "", "",
                       "all orders when their layer is full as stated"});
  }
  options.push_back(
      {"doing nothing", "-", round_usd(answer.doing_nothing_expected_usd),
       answer.waiting_gpus.empty() ? "" : waits_at_end(answer.waiting_gpus.back().nominal, answer.waiting_gpus.back()),
       first_full(answer), stated_and_drawn(answer.doing_nothing_usd)});
  return options;
}

/// What the next later moment of a purchase costs, and that of its need.
std::vector<std::string> growth_flips(const GrowthAnswer& answer) {
  std::vector<std::string> flips;
  const std::vector<scenarios::RegretRow>& rows = answer.regret;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto ordered = std::find_if(rows.begin(), rows.end(), [&](const scenarios::RegretRow& one) {
      return one.purchase == rows[i].purchase && one.cheapest;
    });
    const bool next = i > 0 && rows[i - 1].cheapest && rows[i - 1].purchase == rows[i].purchase;
    if (ordered == rows.end() || rows[i].cheapest || (!next && rows[i].shift != 0)) continue;
    flips.push_back(fmt::format("{} {} cost {} more on average.", purchase_of(answer, rows[i].purchase).name,
                                moment_of(rows[i].shift), round_usd(rows[i].cost_usd - ordered->cost_usd)));
  }
  return flips;
}

std::string range_of_rate(const models::GrowthTrend& trend) {
  std::string text = percent(trend.per_quarter, 0) + " a quarter";
  if (trend.low < trend.high) text += fmt::format(", {} to {}", percent(trend.low, 0), percent(trend.high, 0));
  return text;
}

std::vector<MemoAssumption> growth_assumptions(const models::Growth& growth) {
  std::vector<MemoAssumption> rows;
  const auto source = [](const std::string& stated) { return stated.empty() ? std::string("no source") : stated; };
  for (const models::GrowthTrend& trend : growth.trends)
    rows.push_back({"growth of " + (trend.name.empty() ? trend.parameter : trend.name), range_of_rate(trend),
                    source(trend.source)});
  for (const models::GrowthSwap& swap : growth.swaps)
    rows.push_back({swap.name, fmt::format("in quarter {}", swap.quarter), source(swap.source)});
  for (const models::GrowthPurchase& purchase : growth.purchases)
    rows.push_back({"price of " + purchase.name,
                    round_usd(purchase.price_usd) + (purchase.as_of.empty() ? "" : " as of " + purchase.as_of),
                    source(purchase.source)});
  return rows;
}

}  // namespace

Memo memo_of(const RecordedGrowth& growth) {
  const GrowthAnswer& answer = growth.answer;
  Memo memo;
  memo.title = growth.title;
  memo.question = fmt::format("What has to be bought when, until {}?", answer.dates.empty() ? "" : answer.dates.back());
  memo.answer = growth_answer(growth);
  memo.unit_cost_head = "first order";
  memo.total_cost_head = "expected cost until then, dollars of today";
  memo.yield_head = "GPUs that wait";
  memo.options = growth_options(answer);
  memo.flips = growth_flips(answer);
  memo.assumptions = growth_assumptions(answer.growth);
  if (!answer.as_bought.empty())
    if (const std::string room = room_sentence(answer.as_bought.back().room); !room.empty())
      memo.facts.push_back("At the end, with what is bought: " + room);
  for (const std::string& note : answer.notes) memo.facts.push_back("Note: " + note + ".");
  memo.facts.push_back(fmt::format(
      "Flow bounds of every quarter at {} of {} uncertain figures; {}; seed {}, models {}, "
      "scenario {}.",
      counted(answer.draws, "point"), answer.inputs,
      answer.knees.empty() ? std::string("nothing simulated") : counted(answer.knees.size(), "quarter") + " simulated",
      answer.seed, growth.model_version, growth.scenario_sha256.substr(0, 12)));
  return memo;
}

}  // namespace headrace::reports
