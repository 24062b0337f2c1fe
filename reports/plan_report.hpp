// What the document of a plan says, in words that its page, its memo and its Markdown share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/document.hpp"
#include "reports/gate_report.hpp"

namespace headrace::reports {

bool is_priced(const Document& plan);

/// The figure that a plan makes least.
const char* goal_metric(const Document& plan);

/// Figures of a configuration, with their units.
std::vector<std::pair<const char*, const char*>> plan_figures(const Document& plan);

/// The decision's name; the words of its place where the document has none.
std::string decision_name(const Document& plan, const std::string& pointer);

/// "workers 6, depth 1": the values of a point by the names of their decisions.
std::string configuration_text(const Document& plan, const Document& point);

/// The first lines of a plan: what to take, and how sure that is.
struct PlanFinding {
  std::string tone;  ///< "good", "unsure", "bad"
  std::string line;
  std::string meaning;
};
PlanFinding plan_finding(const Document& plan);

/// As a gate without limits, for Markdown.
GateReport plan_report(const Document& plan);

}  // namespace headrace::reports
