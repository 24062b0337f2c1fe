// Files that may also be named as one of those that the program carries.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/diagnostic.hpp"
#include "scenarios/document/embedded_texts.hpp"

namespace headrace::scenarios {

/// What to write where a file is missing: the name of `shipped` that was probably meant, or where those are listed.
std::string help_for_missing_file(const std::string& path, const std::vector<EmbeddedText>& shipped,
                                  std::string_view what);

/// The text of a file that must be there. Its complaint proposes the `shipped` name that is near.
std::optional<std::string> read_text_or_propose(const std::string& path, const std::vector<EmbeddedText>& shipped,
                                                std::string_view what, Diagnostics& diagnostics);

}  // namespace headrace::scenarios
