// headrace schema: the JSON Schema of scenario or outcome documents.
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/verbs.hpp"
#include "reports/outcome_json.hpp"
#include "reports/outcome_schema.hpp"

namespace headrace::cli {

int schema(const Invocation& call, Console& console) {
  if (call.inputs.front() != "outcome") {
    console.error("the schema of scenarios is not available yet in this version", "headrace schema outcome is");
    return kBadInput;
  }
  return console.deliver(reports::json_text(reports::outcome_schema()), call.output) ? kOk : kBadInput;
}

}  // namespace headrace::cli
