// What to do next about a scenario: up to three changes that make GPUs wait less, or why there is nothing to do. Text,
// page and window say it in the same words.
#pragma once

#include <cstddef>
#include <string>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"

namespace headrace::reports {

inline constexpr std::size_t kMostNextChanges = 3;

/// Whether GPUs wait for data: also where starts lie on both sides of the limit, of which the mean is what a remedy
/// takes away.
bool has_waits_to_remedy(const models::Outcome& outcome);

/// Adds the changes to an outcome that is ingest-bound; nothing where no change helps.
void add_next_changes(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

/// Instead of changes: why there is nothing to do. Empty where GPUs wait for data, which changes may help.
std::string why_no_change(const models::Outcome& outcome);
/// The same where changes were looked for, and none was found.
/// "less than 1 %" where GPUs are then fed: estimates and short simulations tell no less.
std::string wait_after_text(double idle_fraction);

inline constexpr const char* kNoChangeGains = "Nothing worth doing: no single change gains 1 % of GPU time.";

/// "$12.40 less per epoch", "same cost per epoch", "no prices stated"
std::string change_cost_text(const models::RemedyReport& change);
/// "double the prefetch depth: the GPUs then wait 2.0 % of the time and take 12 % less for the same work, same cost per
/// epoch"; `idle_fraction`: how long they wait today.
std::string change_text(const models::RemedyReport& change, double idle_fraction);

}  // namespace headrace::reports
