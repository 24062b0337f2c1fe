// `--set /jobs/0/loader/workers=16`: one value by JSON pointer.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "scenarios/document/document.hpp"

namespace headrace::scenarios {

/// Sets the value in the document; objects and lists on the way are created, "-" appends to a list. The value is JSON,
/// or else taken as a string, so that units need no quotes. Whether the key exists is found when the document is
/// resolved. Adds E0302 for a bad path.
void set_value(Node& root, std::string_view assignment, Sources& sources, Diagnostics& diagnostics);

/// Sets a value at a JSON pointer, as above. What is created on the way stands at `pointer_place`. The error says why
/// the path leads nowhere.
tl::expected<void, std::string> set_node(Node& root, std::string_view pointer, const Place& pointer_place, Node value);

}  // namespace headrace::scenarios
