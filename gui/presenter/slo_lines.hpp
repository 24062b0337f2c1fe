// The thresholds of the scenario as lines on a chart, and what a dragged line means as an edit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gui/presenter/scenario_document.hpp"
#include "models/study/threshold.hpp"

namespace headrace::gui {

/// All of the scenario's `slo`, in its order.
std::vector<models::Threshold> slo_of(const ScenarioDocument& document);

/// The threshold on a metric of the cluster; nullopt: none.
std::optional<models::Threshold> slo_on(const ScenarioDocument& document, const std::string& metric);

/// The edit that moves a threshold, or makes one: "< 5 %". The relation is that of the present one, else the side of
/// the metric that is worse.
Edit slo_edit(const ScenarioDocument& document, const std::string& metric, double limit);

struct SloRow {
  std::string text;  ///< "GPU idle time < 5 %"
  models::Ruling ruling = models::Ruling::undecided;
  std::string value;  ///< "7.2 %"
};
/// What an answer says about each. A bound fails, and passes only what it knows exactly.
std::vector<SloRow> judged(const ScenarioDocument& document, const models::Outcome& outcome);

}  // namespace headrace::gui
