// What a store must deliver, as the JSON document that programs and tenders read.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/requirements_document.hpp"

namespace headrace::reports {

/// SI units throughout; what is not known is null. No clock, host or number of threads.
nlohmann::ordered_json requirements_json(const RecordedRequirements& recorded);
/// By the present models.
nlohmann::ordered_json requirements_json(const scenarios::Requirements& found, const scenarios::LoadedScenario& loaded);
/// What the document lacks, or says in another form, keeps its default.
RecordedRequirements read_requirements(const nlohmann::ordered_json& document);
nlohmann::ordered_json requirements_schema();

/// The limits as documents hold them, with what `standing` says about them.
std::vector<RecordedLimit> recorded_limits(const std::vector<scenarios::JobLimit>& limits,
                                           const models::Scenario& scenario, const scenarios::Standing& standing);

}  // namespace headrace::reports
