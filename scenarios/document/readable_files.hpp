// Which files a process may read: all of them, or those below some folders where it answers questions of somebody else.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headrace::scenarios {

/// From now on read_text() refuses every file outside of these folders, standard input too. For the whole process.
void read_only_below(const std::vector<std::string>& folders);

/// Whether the file, links followed, may be read.
bool may_be_read(const std::string& path);

/// Whether a path, links followed, is one of the folders or lies below one. Nothing needs to exist.
bool lies_below(const std::filesystem::path& path, const std::vector<std::string>& folders);

}  // namespace headrace::scenarios
