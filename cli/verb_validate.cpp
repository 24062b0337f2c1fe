// headrace validate: every complaint about a scenario, or that there is none.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/verbs.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

int report_invalid(const scenarios::Diagnostics& diagnostics, const Invocation& call, Console& console) {
  if (!call.json) {
    console.raw_error(print_text(diagnostics, console.err_colour()));
    return kBadInput;
  }
  Json document{{"format_version", "1.0"}, {"valid", false}};
  document.update(to_json(diagnostics));
  console.deliver(reports::json_text(document), call.output);
  return kBadInput;
}

}  // namespace

int validate(const Invocation& call, Console& console) {
  const auto loaded = try_load(call);
  if (!loaded) return report_invalid(loaded.error(), call, console);
  if (call.dry_run) return show_resolved(*loaded, call, console);
  const Json document{
      {"format_version", "1.0"}, {"valid", true}, {"diagnostics", Json::array()}, {"scenario_sha256", loaded->sha256}};
  const std::string text =
      call.json ? reports::json_text(document) : fmt::format("valid, scenario_sha256 {}\n", loaded->sha256);
  return console.deliver(text, call.output) ? kOk : kBadInput;
}

}  // namespace headrace::cli
