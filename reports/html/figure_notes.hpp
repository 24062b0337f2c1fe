// "Why?" of a figure: what it means, how it is computed, from what, and by whose law.
#pragma once

#include <string>
#include <string_view>

namespace headrace::reports {

/// As HTML; empty for a name that is not described.
std::string figure_note(std::string_view metric);

/// The same for a part of the outcome such as "blame": formula, inputs and source; empty where none is described.
std::string part_note(std::string_view part);

}  // namespace headrace::reports
