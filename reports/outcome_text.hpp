// An outcome for a person at a terminal: the verdict in words first, then the numbers behind it.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/study/threshold.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// The whole report, lines of at most style.width characters. `title` names the scenario; `judgements`
/// are those of its thresholds.
std::string outcome_text(const models::Outcome& outcome, const std::string& title, const Style& style,
                         const std::vector<models::Judgement>& judgements = {});

}  // namespace headrace::reports
