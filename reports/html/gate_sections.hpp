// Sections that the pages of gates share.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/gate_json.hpp"

namespace headrace::reports {

/// The decision and the headline as the first words of the page. A comparison that was asked for no limit is not judged
/// when it passes: it had nothing to pass.
std::string decision_box(models::Ruling decision, const std::string& headline, bool is_judged);

/// "pass", "fail" or "undecided", in its colour.
std::string decision_cell(models::Ruling decision);

/// As `interval` of markup.hpp takes it.
nlohmann::ordered_json interval_json(const std::optional<models::Interval>& interval);

/// Thresholds of a check, each with its interval against the limit.
std::string thresholds_section(const std::vector<models::Judgement>& thresholds);

/// Paired differences with their intervals drawn on one scale; those that do not differ stand behind.
std::string differences_section(const std::vector<models::PairedDifference>& differences, std::string_view caption);

/// Values that differ between the two sides.
std::string changed_inputs_section(const std::vector<InputDifference>& inputs);

/// Sentences of the report.
std::string notes_section(const std::vector<std::string>& notes);

/// A metric's name with its meaning behind it.
std::string metric_head(const std::string& metric);

}  // namespace headrace::reports
