// The sections of a plan's page, made from the plan's document; empty where the plan says nothing of it.
#pragma once

#include <string>

#include "reports/document.hpp"

namespace headrace::reports {

/// The unit of the figure that the plan makes least.
const char* goal_unit(const Document& plan);

std::string recommended_section(const Document& plan);
std::string obstacles_section(const Document& plan);
std::string tradeoff_section(const Document& plan);
std::string rivals_section(const Document& plan);
std::string events_section(const Document& plan);
std::string changes_section(const Document& plan);
std::string elasticities_section(const Document& plan);
std::string closed_forms_section(const Document& plan);
std::string constraints_section(const Document& plan);
/// The choice over the ranges of the inputs; steps and errors of inputs; named options.
std::string plan_ranges_section(const Document& plan);
std::string plan_steps_section(const Document& plan);
std::string plan_options_section(const Document& plan);
std::string search_section(const Document& plan);

}  // namespace headrace::reports
