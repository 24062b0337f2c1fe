// Files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

/// Writes to a temporary name in the same folder, flushes to the disk and renames: readers see the old or the new text,
/// never a part, and nothing is left behind on failure. A link stays a link, and the file that it names changes; a link
/// of another user in a folder that several users may write is not followed, because anyone may have put it there.
/// "/dev/stdout" and other files that are not regular are written in place. Error E0304 says why it could not.
tl::expected<void, Diagnostic> write_atomically(const std::string& path, std::string_view text);

/// The error of write_atomically for `path` before there is a text, asked for before a long run.
tl::expected<void, Diagnostic> check_writable(const std::string& path);

}  // namespace headrace::scenarios
