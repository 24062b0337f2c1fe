#include "cli/gate_output.hpp"

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "models/path/ingest_path.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::cli {

void add_gate_output(OptionTable& table, OutputOptions& output, GateOutput& gate) {
  add_output(table, output);
  add_report(table, output);
  table.add("--junit", "FILE", gate.junit, "write JUnit XML here, whatever the result");
  table.add("--markdown", "FILE", gate.markdown, "write a Markdown summary here, whatever the result");
  table.flag("--github", gate.github,
             "end standard output with annotations for GitHub Actions; with --json, give -o, too");
}

bool can_deliver_gate(const OutputOptions& output, const GateOutput& gate, Console& console) {
  if (gate.github && output.json && output.file.empty()) {
    console.error("--github and --json both want standard output", "write the JSON to a file: --json -o result.json");
    return false;
  }
  return console.can_deliver({output.file, gate.junit, gate.markdown, output.report});
}

int deliver_gate(const reports::GateReport& report, const nlohmann::ordered_json& document, const OutputOptions& output,
                 const GateOutput& gate, Console& console, const GatePage& page) {
  bool written = true;
  const auto deliver = [&](const std::string& text, const std::string& path) {
    written = console.deliver(text, path) && written;
  };
  if (!gate.junit.empty()) deliver(reports::junit_xml(report, console.elapsed_s()), gate.junit);
  if (!gate.markdown.empty()) deliver(reports::gate_markdown(report), gate.markdown);
  deliver(output.wants_json()       ? reports::json_text(document)
          : output.wants_page()     ? page()
          : output.wants_markdown() ? reports::gate_markdown(report)
                                    : reports::gate_text(report, console.out_style()),
          output.file);
  if (!output.report.empty()) deliver(page(), output.report);
  if (gate.github) deliver(reports::github_annotations(report), "");
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

int with_refusals(const std::string& verb, const GateOutput& gate, Console& console, const std::function<int()>& work) {
  int status = kBadInput;
  try {
    status = work();
  } catch (const models::UnusableRequest& error) {
    console.error(error.what(), error.fix());
  }
  if (status != kBadInput || console.has_delivered() || console.last_error().empty()) return status;
  reports::GateReport report;
  report.verb = verb;
  report.headline = "nothing was decided: the input cannot be used";
  report.cases.push_back({"input", "the input can be used", models::Ruling::undecided, "", "", console.last_error()});
  for (const auto& [file, text] : {std::pair(gate.junit, reports::junit_xml(report, console.elapsed_s())),
                                   std::pair(gate.markdown, reports::gate_markdown(report))})
    if (!file.empty() && !console.is_input(file) && scenarios::check_writable(file)) console.deliver(text, file);
  if (gate.github) console.deliver(reports::github_annotations(report), "");
  return status;
}

}  // namespace headrace::cli
