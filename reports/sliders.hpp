// Which parameters of a scenario stand as sliders when it opens: those of the resource that binds first, then those of
// what the scenario is about; none that changes nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"
#include "scenarios/document/parameter_sheet.hpp"

namespace headrace::reports {

/// The closed form of the scenario with another value at a pointer; nothing where the scenario refuses it.
using VariedBound = std::function<std::optional<models::Outcome>(const std::string& pointer, const std::string& value)>;

/// Who answers a slider: the closed form alone, which knows no queue, or the simulation after it.
enum class SliderAnswer : std::uint8_t { closed_form, simulation };

/// Pointers, the first of them to be plotted. `bound`: the closed form of the scenario.
std::vector<std::string> sliders_of(const models::Scenario& scenario,
                                    const std::vector<scenarios::ParameterValue>& sheet, const models::Outcome& bound,
                                    const VariedBound& varied, SliderAnswer answer);

}  // namespace headrace::reports
