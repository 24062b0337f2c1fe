// Writes a file as a whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "scenarios/diagnostic.hpp"

namespace headrace::scenarios {

/// Writes to a temporary name in the same folder, flushes to the disk and renames: readers see the old or the new text,
/// never a part. Error E0304 says why it could not.
tl::expected<void, Diagnostic> write_atomically(const std::string& path, std::string_view text);

}  // namespace headrace::scenarios
