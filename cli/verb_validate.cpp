// headrace validate: every complaint about a scenario, or that there is none.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/refusal.hpp"
#include "cli/verb.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ValidateOptions {
  ScenarioOptions scenario;
  OutputOptions output;
};

void add_options(OptionTable& table, ValidateOptions& options) {
  table.examples({R"(headrace validate image-node --set "/stores/0/bandwidth=40 GB/s")"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
}

int report_invalid(const scenarios::Diagnostics& diagnostics, const OutputOptions& output, Console& console) {
  if (!output.json) return refuse(diagnostics, console);
  Json document{{"format_version", "1.0"}, {"valid", false}};
  document.update(to_json(diagnostics));
  console.deliver(reports::json_text(document), output.file);
  return kBadInput;
}

int run(const ValidateOptions& options, Console& console) {
  const auto loaded = try_load(options.scenario);
  if (!loaded) return report_invalid(loaded.error(), options.output, console);
  warn_implausible(*loaded, console);
  if (options.scenario.dry_run) return show_resolved(*loaded, options.output, console);
  Json document{
      {"format_version", "1.0"}, {"valid", true}, {"diagnostics", Json::array()}, {"scenario_sha256", loaded->sha256}};
  for (const models::Warning& warning : implausible_warnings(*loaded))
    document["warnings"].push_back({{"seen", warning.seen}, {"cause", warning.cause}, {"fix", warning.fix}});
  const std::string text =
      options.output.json ? reports::json_text(document) : fmt::format("valid, scenario_sha256 {}\n", loaded->sha256);
  return console.deliver(text, options.output.file) ? kOk : kBadInput;
}

}  // namespace

Verb validate() {
  return make_verb<ValidateOptions>("validate", "check scenario files and list every error", add_options, run);
}

}  // namespace headrace::cli
