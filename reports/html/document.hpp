// Reading documents that other versions may have written: what is missing reads as nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "reports/html/bars.hpp"

namespace headrace::reports {

using Document = nlohmann::ordered_json;

/// The member of a document at `key`; null where there is none.
const Document& at(const Document& object, const char* key);

/// A number of the document at `key`, or not-a-number.
double number_at(const Document& object, const char* key);

/// A text of the document at `key`, or nothing.
std::string text_at(const Document& object, const char* key);

/// Whether the document has an interval at `key`, and its ends.
bool has_interval(const Document& object, const char* key);
std::optional<Ends> interval_ends_at(const Document& object, const char* key);

}  // namespace headrace::reports
