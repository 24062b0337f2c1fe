// The sizing sheet for a person: a few figures beside an outcome, or all of them with formula, inputs and source.
#pragma once

#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"
#include "reports/style.hpp"

namespace headrace::reports {

/// What stands in brackets behind the inputs of a formula.
inline constexpr std::string_view kSizingFrom =
    "In brackets behind an input: the parameter that holds it, or from which it follows.";

/// The headline figures, one line each; nothing without a sheet.
std::string sizing_summary(const models::Outcome& outcome, const Style& style);

/// The whole sheet: every figure with its formula, what went in and the source, then what is missing and what to give.
std::string sizing_text(const models::Outcome& outcome, const std::string& title, const Style& style);

/// A figure or one of its inputs as people say it; prices per byte read as prices per GB.
std::string sizing_value(double value, std::string_view unit);

/// What `headrace explain` tells of one figure: unit, formula, meaning, source, what it needs.
std::string sizing_explanation(const models::SizingDescription& figure, std::string_view room_title);

}  // namespace headrace::reports
