// headrace validate: every complaint about a scenario, or that there is none.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/load.hpp"
#include "cli/refusal.hpp"
#include "cli/verb.hpp"
#include "models/outcome/unused_inputs.hpp"
#include "reports/outcome_json.hpp"
#include "reports/validation_json.hpp"

namespace headrace::cli {
namespace {

struct ValidateOptions {
  ScenarioOptions scenario;
  OutputOptions output;
};

void add_options(OptionTable& table, ValidateOptions& options) {
  table.examples({R"(headrace validate image-node --set "/stores/0/bandwidth=40 GB/s")"});
  add_scenarios(table, options.scenario);
  add_output(table, options.output);
}

int run(const ValidateOptions& options, Console& console) {
  const auto loaded = try_load(options.scenario);
  if (!loaded && !options.output.json) {
    const auto complaints = loaded.error().sorted();
    if (std::any_of(complaints.begin(), complaints.end(), [](const auto& d) { return d.code == "E0105"; }))
      console.note("values are checked once every file can be read");
    return refuse(loaded.error(), console);
  }
  if (!loaded) {
    console.deliver(reports::json_text(reports::validation_json(loaded)), options.output.file);
    return kBadInput;
  }
  warn_implausible(*loaded, console);
  for (const models::Warning& unused : models::unused_inputs(loaded->value))
    console.warn(unused.fix.empty() ? unused.seen : fmt::format("{}; {}", unused.seen, unused.fix));
  if (options.scenario.dry_run) return show_resolved(*loaded, options.output, console);
  const std::string text = options.output.json ? reports::json_text(reports::validation_json(loaded))
                                               : fmt::format("valid, scenario_sha256 {}\n", loaded->sha256);
  return console.deliver(text, options.output.file) ? kOk : kBadInput;
}

}  // namespace

Verb validate() {
  return make_verb<ValidateOptions>("validate", "check scenario files and list every error", add_options, run);
}

}  // namespace headrace::cli
