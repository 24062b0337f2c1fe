// The decision on one page that a total cost holds: this against doing nothing.
#include <fmt/format.h>

#include "reports/bakeoff_text.hpp"
#include "reports/confidence_text.hpp"
#include "reports/humane.hpp"
#include "reports/memo.hpp"
#include "reports/outcome_json.hpp"
#include "reports/room_text.hpp"
#include "reports/total_cost_text.hpp"

namespace headrace::reports {
namespace {

using models::TotalCostAnswer;
using scenarios::TotalCostDocument;

MemoOption cost_option(const std::string& name, const TotalCostAnswer& answer, const std::string& when) {
  return {name,
          humane(answer.usd_per_useful_gpu_hour, "USD"),
          dollars(answer.present_value_usd),
          percent(answer.goodput_fraction),
          when,
          fmt::format("Waiting GPU hours cost {} a year", dollars(answer.idle_usd_per_year))};
}

/// Prices at which the two would cost the same: of the change, all that it pays more.
std::vector<std::string> cost_flips(const TotalCostDocument& cost) {
  if (!cost.nothing)
    return {"The same with headrace tco --do-nothing SCENARIO says what it gains over what there is today."};
  const double gained = cost.nothing->gain.net_present_value_usd;
  return {gained >= 0.0
              ? fmt::format("Further payments of {} (present value) would make it cost as much as doing nothing.",
                            dollars(gained))
              : fmt::format("With {} less to pay (present value) it would cost as much as doing nothing.",
                            dollars(-gained))};
}

std::vector<MemoAssumption> cost_assumptions(const TotalCostDocument& cost) {
  const std::string terms = cost.assumed.empty() ? "stated" : "assumed";
  const TotalCostAnswer& answer = cost.answer;
  std::vector<MemoAssumption> rows{
      {"horizon", fmt::format("{:.3g} years", answer.horizon_years), terms},
      {"interest a year", percent(answer.discount_rate, 0), terms},
      {"goodput", percent(answer.goodput_fraction),
       cost.level + (cost.confidence
                         ? ", " + words(std::string(
                                      models::kConfidenceGradeNames[static_cast<std::size_t>(cost.confidence->grade)]))
                         : std::string())}};
  if (!cost.unpriced.empty()) rows.push_back({"free, because it has no price", cost.unpriced, "not stated"});
  if (!cost.unpriced_change.empty()) rows.push_back({"what the change costs", "nothing", cost.unpriced_change});
  if (!cost.assumed.empty()) rows.push_back({"not stated", cost.assumed, "assumed"});
  return rows;
}

}  // namespace

Memo memo_of(const TotalCostDocument& cost) {
  Memo memo;
  memo.title = cost.title;
  memo.question = cost.nothing ? fmt::format("Does it pay, against doing nothing ({})?", cost.nothing->title)
                               : std::string("What does it cost over the years?");
  memo.answer = total_cost_sentence(cost);
  if (cost.nothing) memo.answer += " " + gain_over_nothing_text(*cost.nothing);
  if (!cost.unpriced_change.empty())
    memo.answer += " The change itself has no price yet: it is worth its price up to that net present value.";
  memo.settled = cost.unpriced_change.empty() && (!cost.nothing || cost.nothing->gain.net_present_value_usd > 0.0);
  memo.unit_cost_head = "per useful GPU hour";
  memo.total_cost_head = fmt::format("total cost over {:.3g} years, present value", cost.answer.horizon_years);
  memo.options.push_back(
      cost_option(cost.title, cost.answer,
                  cost.nothing ? paid_back_text(cost.nothing->gain.payback_years) : std::string("as it is")));
  if (cost.nothing)
    memo.options.push_back(cost_option("doing nothing: " + cost.nothing->title, cost.nothing->answer, "today"));
  memo.flips = cost_flips(cost);
  memo.assumptions = cost_assumptions(cost);
  memo.facts.push_back("Paid for: " + paid_for_text(cost.answer) + ".");
  if (const std::string room = room_sentence(cost.answer.room); !room.empty()) memo.facts.push_back(room);
  if (cost.confidence) memo.facts.push_back(steady_confidence_line(confidence_json(*cost.confidence)));
  memo.facts.push_back(fmt::format("Models {}, scenario {}.", cost.model_version, cost.scenario_sha256.substr(0, 12)));
  return memo;
}

}  // namespace headrace::reports
