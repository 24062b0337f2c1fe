// JSON from outside as a document: what may be nested, how large it is and how it is spelled are checked as in
// scenarios, so that a damaged or hostile file is a complaint with its place.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tl/expected.hpp>

#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// The value of a text; `name` is what complaints call it. E0103, E0105 to E0109.
tl::expected<nlohmann::ordered_json, Diagnostics> parse_json(const std::string& name, const std::string& text);

/// The value of a file of at most `most` bytes. E0101 to E0109.
tl::expected<nlohmann::ordered_json, Diagnostics> read_json(const std::string& path,
                                                            std::uint64_t most = kLargestFileBytes);

/// A complaint about the value at a JSON pointer of the text, or about the nearest value around it.
Diagnostic complaint_in(const std::string& name, const std::string& text, const std::string& pointer,
                        std::string_view code, std::string message, std::string help);

}  // namespace headrace::scenarios
