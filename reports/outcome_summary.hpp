// The first screen of an outcome: at most 20 lines of 80 characters, from the question to the confidence. The rest is
// outcome_text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/study/threshold.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// What stands around an outcome.
struct SummaryFacts {
  std::string title = {};                                       ///< names the scenario; may be empty
  std::vector<models::Judgement> judgements = {};               ///< of the scenario's thresholds
  std::optional<models::Confidence> confidence = std::nullopt;  ///< nothing: as the outcome alone tells it
  std::string trust = {};      ///< the command that says how far to trust the answer; empty: not needed
  std::string unpriced = {};   ///< a price that nobody stated: "no egress price stated for store 'lake'"; empty: none
  std::string open_wait = {};  ///< what the ranges of inputs leave open (open_wait()); empty: nothing
  /// Share of their time that the busiest workers have a batch under way (models::workers_load()).
  std::optional<double> workers_load = std::nullopt;
  bool whole = false;  ///< every sentence, on however many lines: what --verbose shows
};

/// Difference of utilizations below which two resources are equally full.
inline constexpr double kAsFull = 0.05;

/// Whether a text calls a shared resource full, so that it may be named as what binds.
bool is_full(const models::StationReport& station);

/// Why the bottleneck is not the stage that most waits arise in; empty where it is.
std::string other_largest_wait(const models::Outcome& outcome);

/// Which stages' waits have no interval, so that another run may divide the same wait otherwise; empty where all have.
std::string unsettled_waits(const models::Outcome& outcome);

/// "Bottleneck: transfer, gain if removed 1.8 % of GPU time. Fullest resource: store bandwidth, 97.8 % busy (25.4 GB/s
/// of 26.0 GB/s)." Where the GPUs do not wait: the resource that is nearest to its limit. Empty where nothing is known
/// of resources and stages.
std::string bottleneck_text(const models::Outcome& outcome, std::optional<double> workers_load = {});

/// One sentence where stages tie, or where blame (where waits arise) and gain (what a change brings) differ: the
/// removal of another stage gains as much, the stage that shows most waits is not the one that binds, or gains much
/// less. Else empty.
std::string difference_of_gain(const models::Outcome& outcome);

/// What of the cost is neither GPUs nor nodes, where it is much: other storage does not make it less. Else empty.
std::string large_cost_text(const models::Outcome& outcome);

std::string outcome_summary(const models::Outcome& outcome, const SummaryFacts& facts, const Style& style);

}  // namespace headrace::reports
