#include "scenarios/document/readable_files.hpp"

#include <algorithm>
#include <optional>

namespace headrace::scenarios {
namespace {

std::optional<std::vector<std::string>>& only_folders() {
  static std::optional<std::vector<std::string>> folders;
  return folders;
}

}  // namespace

void read_only_below(const std::vector<std::string>& folders) { only_folders() = folders; }

bool may_be_read(const std::string& path) {
  if (!only_folders()) return true;
  return path != "-" && lies_below(path, *only_folders());
}

bool lies_below(const std::filesystem::path& path, const std::vector<std::string>& folders) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  if (error) return false;
  return std::any_of(folders.begin(), folders.end(), [&real](const std::string& folder) {
    std::error_code unreadable;
    const std::filesystem::path around = std::filesystem::canonical(folder, unreadable);
    return !unreadable && std::mismatch(around.begin(), around.end(), real.begin(), real.end()).first == around.end();
  });
}

}  // namespace headrace::scenarios
