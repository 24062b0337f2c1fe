// Whether a folder lies on a file system that several machines share, or whose locks and memory maps cannot be relied
// on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headrace::scenarios {

/// Name of the shared file system with this magic number (Linux statfs(2), include/uapi/linux/magic.h, and those of its
/// vendors), or empty: a local one.
std::string_view shared_file_system_name(std::uint64_t magic);

/// The same for the folder of a file that need not exist yet; empty also where it cannot be told.
std::string_view shared_file_system_of(const std::string& path);

}  // namespace headrace::scenarios
