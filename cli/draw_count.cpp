#include "cli/draw_count.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string>

namespace headrace::cli {
namespace {

/// "8, 16, 32 or 64"
std::string powers(std::uint64_t least, std::uint64_t most) {
  std::string text = std::to_string(least);
  for (std::uint64_t power = 2 * least; power <= most; power *= 2)
    text += (power == most ? " or " : ", ") + std::to_string(power);
  return text;
}

}  // namespace

void add_draws(OptionTable& table, std::uint64_t& draws, std::uint64_t least, std::uint64_t most) {
  table.add("--draws", "N", draws, fmt::format("points of the ranges, a power of two (default {})", draws))
      .check([least, most](const std::string& text) -> std::string {
        std::uint64_t asked = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), asked);
        if (error != std::errc{} || end != text.data() + text.size()) return fmt::format("'{}' is no count", text);
        if (asked >= least && asked <= most && (asked & (asked - 1)) == 0) return "";
        return fmt::format("'{}' is no power of two from {} to {}{}{}", text, least, most, kWriteInstead,
                           powers(least, most));
      });
}

}  // namespace headrace::cli
