#include "cli/refusal.hpp"

#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "reports/outcome_json.hpp"
#include "reports/validation_json.hpp"

namespace headrace::cli {

int refuse(const scenarios::Diagnostics& diagnostics, Console& console, bool as_json) {
  console.raw_error(as_json ? reports::json_text(reports::diagnostics_json(diagnostics))
                            : print_text(diagnostics, console.err_colour()));
  return kBadInput;
}

int refuse(const std::string& message, const std::string& help, Console& console) {
  console.error(message, help);
  return kBadInput;
}

}  // namespace headrace::cli
