// Sections that the pages of gates share, made from their documents.
#pragma once

#include <string>

#include "reports/document.hpp"

namespace headrace::reports {

/// The decision and the headline as the first words of the page.
std::string decision_box(const Document& document);

/// "pass", "fail" or "undecided", in its colour.
std::string decision_cell(const Document& item);

/// Thresholds of a check, each with its interval against the limit.
std::string thresholds_section(const Document& document);

/// Paired differences with their intervals drawn on one scale; those that do not differ stand behind.
std::string differences_section(const Document& differences, std::string_view caption);

/// Values that differ between the two sides.
std::string changed_inputs_section(const Document& inputs);

/// Sentences of the report.
std::string notes_section(const Document& document);

/// A metric's name with its meaning behind it.
std::string metric_head(const std::string& metric);

}  // namespace headrace::reports
