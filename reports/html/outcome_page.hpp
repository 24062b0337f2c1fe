// The report of one outcome: what happens to the GPUs, why, how sure, what it costs, and from what inputs. Made from
// the outcome's JSON document, so that a saved result and a fresh one give the same page, and every number of the page
// is a number of the document.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "models/cluster/timeline.hpp"

namespace headrace::reports {

struct OutcomePageFacts {
  std::string title;    ///< empty: that of the scenario
  std::string command;  ///< that gave the outcome; empty: unknown
  /// Where the value at a JSON pointer of the scenario comes from: "cluster.json:4:5", "default"; empty: unknown.
  std::function<std::string(const std::string& pointer)> origin_of = {};
  const models::Timeline* timeline = nullptr;  ///< for the time series; not part of the document
  std::string open_wait = {};                  ///< what the ranges of inputs leave open; empty: nothing
  bool live = false;                           ///< with sliders that the page answers itself; see can_answer()
};

/// Whether this build carries what answers in a page.
bool can_answer();

std::string outcome_page(const nlohmann::ordered_json& outcome, const OutcomePageFacts& facts);

}  // namespace headrace::reports
