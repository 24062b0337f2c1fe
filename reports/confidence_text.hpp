// How far an answer can be trusted, in words. `confidence` is that of an outcome's document; null in documents of
// older versions, which say nothing then.
#pragma once

#include <string>
#include <string_view>

#include "reports/html/document.hpp"

namespace headrace::reports {

/// What a grade says in general, for `headrace explain`; empty for a name that is none.
std::string grade_explanation(std::string_view grade);

/// "Confidence: extrapolated; the verdict may be wrong. Outside the range of the references: loaders is 80000; ..."
/// `of` names whose confidence it is, where that is not the scenario's: "the recommended configuration".
std::string confidence_line(const Document& confidence, std::string_view of = {});

/// "The verdict may be wrong (confidence: extrapolated). Outside the range ..."; empty where the verdict stands.
std::string verdict_caution(const Document& confidence);

/// The notice of the first screen of a page; empty where the verdict stands. `subject` says whose confidence it is
/// ("B", "The best point"; empty: the only outcome's), `more_html` follows, such as a link.
std::string confidence_notice(const Document& confidence, std::string_view subject, std::string_view more_html);

}  // namespace headrace::reports
