// headrace schema: the JSON Schema of scenario or outcome documents.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/verbs.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_schema.hpp"
#include "scenarios/scenario_file.hpp"

namespace headrace::cli {

int schema(const Invocation& call, Console& console) {
  const bool scenario = call.inputs.front() == "scenario";
  const nlohmann::ordered_json document = scenario ? scenarios::scenario_schema() : reports::outcome_schema();
  return console.deliver(reports::json_text(document), call.output) ? kOk : kBadInput;
}

}  // namespace headrace::cli
