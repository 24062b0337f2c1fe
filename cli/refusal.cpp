#include "cli/refusal.hpp"

#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::cli {

int fail(const scenarios::Diagnostics& diagnostics, const Invocation& call, Console& console) {
  if (call.json)
    console.raw_error(reports::json_text(to_json(diagnostics)));
  else
    console.raw_error(print_text(diagnostics, console.err_colour()));
  return kBadInput;
}

}  // namespace headrace::cli
