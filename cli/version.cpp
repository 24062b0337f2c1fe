#include "cli/version.hpp"

#include <fmt/format.h>

#include "models/base/model_version.hpp"
#include "reports/outcome_json.hpp"

namespace headrace::cli {

std::string version_text() {
  return fmt::format("headrace {} (models {}, outcome format {})", HEADRACE_VERSION, models::kModelVersion,
                     reports::kOutcomeFormatVersion);
}

}  // namespace headrace::cli
