// headrace schema: the JSON Schema of scenario, space, outcome or site documents.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/verbs.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_schema.hpp"
#include "scenarios/scenario_file.hpp"
#include "scenarios/site_file.hpp"
#include "scenarios/sweep_space.hpp"

namespace headrace::cli {

int schema(const Invocation& call, Console& console) {
  const std::string& kind = call.inputs.front();
  const nlohmann::ordered_json document = kind == "scenario" ? scenarios::scenario_schema()
                                          : kind == "space"  ? scenarios::space_schema()
                                          : kind == "site"   ? scenarios::site_schema()
                                                             : reports::outcome_schema();
  return console.deliver(reports::json_text(document), call.output) ? kOk : kBadInput;
}

}  // namespace headrace::cli
