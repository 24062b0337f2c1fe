#include "cli/answer_forms.hpp"

#include "cli/verbs.hpp"

namespace headrace::cli {

bool can_deliver_report(const OutputOptions& output, Console& console) {
  if (output.report.empty() && !output.wants_page() && !output.wants_markdown()) return true;
  console.error("this program answers as text and as JSON only", std::string(left_out()));
  return false;
}

// Not reached: what asks for them was refused.
std::string page_of(const nlohmann::ordered_json&, const reports::OutcomePageFacts&) { return {}; }
std::optional<std::string> markdown_of(const nlohmann::ordered_json&) { return std::nullopt; }

}  // namespace headrace::cli
