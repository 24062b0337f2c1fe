#include "reports/known_evidence.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "reports/deciding_limit.hpp"

namespace headrace::reports {

void add_known_evidence(models::Outcome& outcome, const scenarios::LoadedScenario& loaded) {
  for (const scenarios::VerifiedLayer& layer : loaded.composition.verified) {
    models::MeasuredPart part;
    part.machine = std::filesystem::path(layer.file).filename().string();
    part.part = fmt::format("a real pipeline on the machine of {} (headrace verify, {})", part.machine, layer.date);
    part.error = {"gpu_idle_fraction", "percentage points", layer.idle_error_points, layer.idle_error_largest,
                  layer.points};
    outcome.evidence.measured.push_back(std::move(part));
  }
  outcome.evidence.assumed = assumed_limit(outcome, loaded);
  if (auto warning = old_limit_warning(outcome, loaded)) outcome.warnings.push_back(std::move(*warning));
}

}  // namespace headrace::reports
