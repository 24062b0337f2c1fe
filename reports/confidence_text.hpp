// How far an answer can be trusted, in words. `confidence` is that of an outcome's document; null in documents of
// older versions, which say nothing then.
#pragma once

#include <string>
#include <string_view>

#include "reports/document.hpp"

namespace headrace::reports {

/// Whether what the evidence leaves open is enough to turn the verdict.
bool may_change_verdict(const Document& confidence);

/// What a grade says in general, for `headrace explain`; empty for a name that is none.
std::string grade_explanation(std::string_view grade);

/// "Confidence: extrapolated; the verdict may be wrong. Outside the range of the references: loaders is 80000; ..."
/// `of` names whose confidence it is, where that is not the scenario's: "the recommended configuration".
std::string confidence_line(const Document& confidence, std::string_view of = {});

/// Of an answer that is composed of a steady one, such as a campaign or a total cost. Without the reason it says where
/// that stands.
std::string steady_confidence_line(const Document& confidence, bool with_reason = true);

/// Of what a store must deliver. The reason stands where the figures may be wrong, or is asked for.
std::string requirements_confidence_line(const Document& confidence, bool with_reason);

/// "The verdict may be wrong (confidence: extrapolated). Outside the range ..."; empty where the verdict stands.
std::string verdict_caution(const Document& confidence);

}  // namespace headrace::reports
