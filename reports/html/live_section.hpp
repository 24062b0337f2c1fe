// Sliders that the page answers itself: the inputs that move the bound of its scenario, and what the bound then says.
#pragma once

#include <string>

#include "reports/document.hpp"

namespace headrace::reports {

/// Sliders, figures beside those of the page, and the command that repeats them. Empty where nothing moves the bound.
std::string live_section(const Document& outcome);

/// The program that answers and what calls it, for pages with the section.
std::string live_script();

}  // namespace headrace::reports
