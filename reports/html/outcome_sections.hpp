// The sections of an outcome's page, each made from the outcome's document; empty where the outcome says nothing of it.
#pragma once

#include <string>
#include <vector>

#include "reports/document.hpp"
#include "reports/html/outcome_page.hpp"
#include "reports/html/page.hpp"

namespace headrace::reports {

/// All of them in the order in which they are read.
std::vector<PageSection> outcome_sections(const Document& outcome, const OutcomePageFacts& facts);

/// `nothing`: instead of the reason why there is nothing to change, where the outcome alone does not know it.
std::string verdict_head(const Document& outcome, const std::string& nothing = {}, const std::string& open_wait = {});
/// The key figures of the first screen, and a notice where the outcome lies beyond what was validated.
std::string outcome_tiles(const Document& outcome);
std::string evidence_notice(const Document& outcome);
std::string path_section(const Document& outcome);
std::string gpu_time_section(const Document& outcome);
std::string blame_section(const Document& outcome);
std::string metrics_section(const Document& outcome);
std::string drivers_section(const Document& outcome);
std::string stations_section(const Document& outcome);
std::string series_section(const Document& outcome, const OutcomePageFacts& facts);
std::string epoch_section(const Document& outcome);
std::string load_time_section(const Document& outcome);
std::string money_section(const Document& outcome);
std::string sizing_section(const Document& outcome);
std::string jobs_section(const Document& outcome);
std::string models_section(const Document& outcome);
std::string inputs_section(const Document& outcome, const OutcomePageFacts& facts);
std::string evidence_section(const Document& outcome);
std::string warnings_section(const Document& outcome);
std::string repeat_section(const Document& outcome, const OutcomePageFacts& facts);

}  // namespace headrace::reports
