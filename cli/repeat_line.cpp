#include "cli/repeat_line.hpp"

#include <algorithm>

namespace headrace::cli {

std::string program_without(const std::string& program, const std::vector<std::string_view>& flags) {
  std::string rest = program;
  for (const std::string_view flag : flags) {
    std::size_t at = 0;
    while ((at = rest.find(flag, at)) != std::string::npos) {
      const std::size_t after = at + flag.size();
      const bool whole =
          at > 0 && rest[at - 1] == ' ' && (after == rest.size() || rest[after] == ' ' || rest[after] == '=');
      if (!whole) {
        at = after;
        continue;
      }
      const std::size_t end = std::min(after < rest.size() ? rest.find(' ', after + 1) : rest.size(), rest.size());
      rest.erase(at - 1, end - at + 1);
    }
  }
  return rest;
}

}  // namespace headrace::cli
