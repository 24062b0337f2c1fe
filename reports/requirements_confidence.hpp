// How far the figures that a store must deliver can be trusted.
#pragma once

#include <optional>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/requirements/requirements.hpp"

namespace headrace::reports {

/// Of the jobs beside a store that delivers what is asked: what is assumed of today's store does not matter. A stated
/// range of another input matters where a limit is missed at one of its ends. Nothing where no store is enough, or the
/// estimate has no answer.
std::optional<models::Confidence> confidence_of_requirements(const scenarios::Requirements& found,
                                                             const scenarios::LoadedScenario& loaded);

}  // namespace headrace::reports
