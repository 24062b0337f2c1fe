// The uncertain figures of a loaded scenario: what its input_ranges state, what the catalogue knows, and the rule of
// models/study/uncertain_input.hpp for the rest.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "models/study/uncertain_input.hpp"
#include "scenarios/document/composition.hpp"

namespace headrace::scenarios {

/// Whether a range is that of the figure: it has its pointer, or that of the record for which a bare number may stand.
bool names_figure(const models::InputRange& range, const models::NumberSite& site);

/// Whether what a range of input_ranges says is older than the figure at `pointer`: a later file states the figure with
/// what is known of it.
bool is_older(const Composition& composition, std::size_t range, const std::string& pointer);

/// Complaints: E0216 for a pointer that names no figure, E0204 to E0207 for its range. load_scenario() has made them.
tl::expected<std::vector<models::UncertainInput>, Diagnostics> uncertain_inputs(const models::Scenario& scenario,
                                                                                const Composition& composition);

}  // namespace headrace::scenarios
