// The sections of an outcome's page, each made from the outcome's document; empty where the outcome says nothing of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "reports/html/bars.hpp"
#include "reports/html/outcome_page.hpp"

namespace headrace::reports {

using Document = nlohmann::ordered_json;

std::string verdict_head(const Document& outcome);
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
std::string jobs_section(const Document& outcome);
std::string inputs_section(const Document& outcome, const OutcomePageFacts& facts);
std::string evidence_section(const Document& outcome);
std::string warnings_section(const Document& outcome);
std::string repeat_section(const Document& outcome, const OutcomePageFacts& facts);

/// The member of a document at `key`; null where there is none, as in files of other versions.
const Document& at(const Document& object, const char* key);

/// A number of the document at `key`, or not-a-number.
double number_at(const Document& object, const char* key);

/// Whether the document has an interval at `key`, and its ends.
bool has_interval(const Document& object, const char* key);
std::optional<Ends> interval_ends_at(const Document& object, const char* key);

}  // namespace headrace::reports
