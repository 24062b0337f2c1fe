#include "cli/repeat_line.hpp"

#include <fmt/format.h>

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
      const bool quoted = after + 1 < rest.size() && rest[after + 1] == '\'';
      const std::size_t from = quoted ? rest.find('\'', after + 2) : after + 1;
      const std::size_t end = std::min(from < rest.size() ? rest.find(' ', from) : rest.size(), rest.size());
      rest.erase(at - 1, end - at + 1);
    }
  }
  return rest;
}

std::string replay_line(const std::string& program, std::uint64_t seed, std::uint32_t replication,
                        std::uint64_t steps) {
  const std::string rest = program_without(
      program, {"--seed", "--replications", "--replay", "--steps", "--max-wall", "--precision", "--inputs"});
  return fmt::format("{} --replay {}:{} --steps {}", rest, seed, replication, steps);
}

}  // namespace headrace::cli
