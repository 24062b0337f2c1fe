// A saved document in the formats that other programs read: CSV, Markdown, JUnit XML, JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reports/results_export.hpp"

namespace headrace::reports {

/// `format`: "csv" (metrics of an outcome, thresholds of a check, differences of a comparison, contenders of a bakeoff,
/// cash flow of a total cost), "markdown" (the same kinds, with verdict or decision), "junit" (a check or a
/// comparison), "json" (any). The error says which formats the document has.
tl::expected<std::string, ExportError> document_export(const nlohmann::ordered_json& document, std::string_view format);

}  // namespace headrace::reports
