#include "reports/validation_json.hpp"

#include <nlohmann/json.hpp>

#include "reports/completed_outcome.hpp"

namespace headrace::reports {

nlohmann::ordered_json validation_json(const tl::expected<scenarios::LoadedScenario, scenarios::Diagnostics>& loaded) {
  nlohmann::ordered_json document{{"format_version", "1.0"}, {"valid", loaded.has_value()}};
  if (!loaded) {
    document.update(to_json(loaded.error()));
    return document;
  }
  document["diagnostics"] = nlohmann::ordered_json::array();
  document["scenario_sha256"] = loaded->sha256;
  for (const models::Warning& warning : implausible_warnings(*loaded))
    document["warnings"].push_back({{"seen", warning.seen}, {"cause", warning.cause}, {"fix", warning.fix}});
  return document;
}

}  // namespace headrace::reports
