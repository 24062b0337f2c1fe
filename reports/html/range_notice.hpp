// A result that lies beyond what was validated says so where it is read first.
#pragma once

#include <string>
#include <string_view>

#include "reports/html/document.hpp"

namespace headrace::reports {

/// One sentence about `evidence` of an outcome's document: "By dimension: samples of a batch (4 times outside). 2 parts
/// of the model in use were not held against a reference."; empty where nothing lies outside.
std::string range_sentence(const Document& evidence);

/// The notice of the first screen; empty where nothing lies outside. `subject` says whose evidence it is ("B", "The
/// best point"; empty: the only outcome's), `more_html` follows, such as a link.
std::string range_notice(const Document& evidence, std::string_view subject, std::string_view more_html);

}  // namespace headrace::reports
