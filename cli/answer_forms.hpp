// The forms of an outcome that take longest to build, pages and Markdown. The program that is built first goes without
// them: it has a source of its own for these functions, in cli/first/.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/console.hpp"
#include "cli/output_options.hpp"
#include "reports/html/outcome_page.hpp"

namespace headrace::cli {

/// Whether this program makes the form that was asked for; what to do otherwise goes to standard error.
bool can_deliver_report(const OutputOptions& output, Console& console);

std::string page_of(const nlohmann::ordered_json& outcome, const reports::OutcomePageFacts& facts);

/// Nothing for an outcome that has no such form.
std::optional<std::string> markdown_of(const nlohmann::ordered_json& outcome);

}  // namespace headrace::cli
