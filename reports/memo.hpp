// A decision on one page, for those who pay and those who run it: the question, up to three options with doing nothing
// among them, what they cost and deliver, when, the risk, what would change the decision, and what it assumes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/growth_json.hpp"
#include "scenarios/bakeoff/bakeoff.hpp"
#include "scenarios/total_cost/total_cost_document.hpp"

namespace headrace::reports {

struct MemoOption {
  std::string name;
  std::string unit_cost;   ///< of a useful GPU hour, or of an epoch
  std::string total_cost;  ///< over the horizon, or of an hour; empty: not known
  std::string goodput;     ///< or what GPUs wait
  std::string when;
  std::string risk;
};

struct MemoAssumption {
  std::string what;
  std::string value;
  std::string evidence;
};

struct Memo {
  std::string title;
  std::string question;
  std::string answer;
  bool settled = true;         ///< false: something must be found out before this is signed
  std::string unit_cost_head;  ///< "per useful GPU hour"
  std::string total_cost_head = "total cost, present value";
  std::string yield_head = "goodput";
  std::vector<MemoOption> options;
  std::vector<std::string> others;  ///< what is not among the options, and why
  std::vector<std::string> flips;
  std::vector<MemoAssumption> assumptions;
  std::vector<std::string> facts;  ///< how it was found
};

Memo memo_of(const scenarios::Bakeoff& bakeoff);
Memo memo_of(const scenarios::TotalCostDocument& cost);
Memo memo_of(const RecordedGrowth& growth);
/// Of a document of plan --json; nothing where it recommends nothing.
std::optional<Memo> memo_of_plan(const nlohmann::ordered_json& plan);

/// Whether any option says what it costs in all.
bool has_totals(const Memo& memo);

std::string memo_markdown(const Memo& memo);
std::string memo_page(const Memo& memo);

}  // namespace headrace::reports
