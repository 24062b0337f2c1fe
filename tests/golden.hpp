// Comparison with committed text. HEADRACE_WRITE_GOLDEN=1 writes the files anew; look at the difference before
// committing it, and say in CHANGELOG.md which predicted numbers changed.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace headrace::testing {

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Whether `text` equals the file at `path`, relative to the root of the source tree.
inline bool matches_golden(const std::string& text, const std::string& path) {
  const std::string whole_path = std::string(HEADRACE_SOURCE_DIR) + "/" + path;
  if (std::getenv("HEADRACE_WRITE_GOLDEN") != nullptr) std::ofstream(whole_path, std::ios::binary) << text;
  return text == file_text(whole_path);
}

}  // namespace headrace::testing
