// Files that appear whole or not at all.
#pragma once

#include <string>

namespace headrace::cli {

/// Writes `text` beside `path` and renames it there. Returns the reason when that fails; nothing is left behind then.
/// "/dev/stdout" and other files that are not regular are written in place.
std::string write_atomically(const std::string& path, const std::string& text);

/// Why write_atomically would fail for `path`, found out before a long run; empty when it would not.
std::string reason_against_writing(const std::string& path);

}  // namespace headrace::cli
