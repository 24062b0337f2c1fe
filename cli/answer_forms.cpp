#include "cli/answer_forms.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reports/export/document_export.hpp"

namespace headrace::cli {

bool can_deliver_report(const OutputOptions& output, Console& console) {
  if (!output.live || reports::can_answer()) return true;
  console.error("this build of Headrace makes no pages that answer",
                "leave out --live, or build with -DHEADRACE_LIVE_PAGE=ON, which needs the package emscripten");
  return false;
}

std::string page_of(const nlohmann::ordered_json& outcome, const reports::OutcomePageFacts& facts) {
  return reports::outcome_page(outcome, facts);
}

std::optional<std::string> markdown_of(const nlohmann::ordered_json& outcome) {
  auto text = reports::document_export(outcome, "markdown");
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace headrace::cli
