// Reads an outcome document back, so that results can be compared and gates can remember what was accepted.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>

#include "reports/outcome_document.hpp"

namespace headrace::reports {

/// Whether a document looks like an outcome rather than a scenario.
bool is_outcome(const nlohmann::ordered_json& document);

/// As much of an outcome as the document says; what is missing is empty, and an unknown verdict is inconclusive.
models::Outcome outcome_of(const nlohmann::ordered_json& document);

/// The error says in words what is missing.
tl::expected<RecordedOutcome, std::string> read_outcome(const nlohmann::ordered_json& document);

}  // namespace headrace::reports
