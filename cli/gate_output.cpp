#include "cli/gate_output.hpp"

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::cli {

bool can_deliver_gate(const Invocation& call, Console& console) {
  if (call.github && call.json && call.output.empty()) {
    console.error("--github and --json both want standard output", "write the JSON to a file: --json -o result.json");
    return false;
  }
  for (const std::string& path : {call.output, call.junit, call.markdown, call.report})
    if (!path.empty() && !console.can_deliver(path)) return false;
  return true;
}

int deliver_gate(const reports::GateReport& report, nlohmann::ordered_json document, const Invocation& call,
                 Console& console, const GatePage& page) {
  document["headline"] = report.headline;
  document["notes"] = report.notes;
  bool written = true;
  const auto deliver = [&](const std::string& text, const std::string& path) {
    written = console.deliver(text, path) && written;
  };
  if (!call.junit.empty()) deliver(reports::junit_xml(report), call.junit);
  if (!call.markdown.empty()) deliver(reports::gate_markdown(report), call.markdown);
  deliver(call.json ? reports::json_text(document) : reports::gate_text(report, console.out_style()), call.output);
  if (!call.report.empty()) deliver(page(document), call.report);
  if (call.github) deliver(reports::github_annotations(report), "");
  if (!written) return kBadInput;
  switch (report.decision) {
    case models::Ruling::pass:
      return kOk;
    case models::Ruling::fail:
      return kFailed;
    case models::Ruling::undecided:
      break;
  }
  return kInconclusive;
}

}  // namespace headrace::cli
