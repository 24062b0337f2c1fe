// What to do next about a scenario: up to three changes that make GPUs wait less, or why there is nothing to do. Text,
// page and window say it in the same words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "scenarios/document/scenario_file.hpp"
#include "scenarios/remedies/remedy.hpp"

namespace headrace::reports {

inline constexpr std::size_t kMostNextChanges = 3;

/// What changes are looked for: waits also where starts lie on both sides of the limit, of which the mean is what a
/// remedy takes away. Nothing where neither waits nor interruptions bind.
std::optional<scenarios::RemedyGoal> remedy_goal(const models::Outcome& outcome);
/// Share of GPU time that they are to take away.
double lost_share(const models::Outcome& outcome);
/// Of a scenario with this outcome, `most` at most.
std::vector<scenarios::Remedy> remedies_of(const models::Scenario& scenario, const models::Outcome& outcome,
                                           std::size_t most);

/// Adds the changes to an outcome that is bound by ingest, or by checkpoints; nothing where no change helps.
void add_next_changes(models::Outcome& outcome, const scenarios::LoadedScenario& loaded);

/// Instead of changes: why there is nothing to do. Empty where GPUs wait for data, which changes may help. `open_wait`:
/// not empty where they may wait over the ranges of the inputs (open_wait()).
std::string why_no_change(const models::Outcome& outcome, std::string_view open_wait = {});
/// "less than 1 %" where GPUs are then fed: estimates and short simulations tell no less.
std::string wait_after_text(double idle_fraction);

/// The same where changes were looked for, and none was found.
inline constexpr const char* kNoChangeGains = "Nothing worth doing: no single change gains 1 % of GPU time.";

/// "$12.40 less per epoch", "same cost per epoch", "no prices stated", "GPUs without price"
std::string change_cost_text(const models::RemedyReport& change, const models::Outcome& outcome);
/// "extrapolated": the grade of the changed configuration where it is worse than that of the answer; else empty.
std::string worse_grade(const models::RemedyReport& change, const models::Outcome& outcome);
/// "estimate", "simulated, extrapolated": how the gain is known.
std::string gain_basis(const models::RemedyReport& change, const models::Outcome& outcome);
/// "the GPUs then wait 2.0 % of the time", "checkpoints and failures then take 2.0 % of the time"
std::string effect_text(const models::RemedyReport& change, const models::Outcome& outcome);
/// "double the prefetch depth: the GPUs then wait 2.0 % of the time and take 12 % less for the same work, same cost per
/// epoch"
std::string change_text(const models::RemedyReport& change, const models::Outcome& outcome);

}  // namespace headrace::reports
