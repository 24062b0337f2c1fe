// Emphasis for a terminal. Colour only repeats what the words already say.
#pragma once

#include <string>
#include <string_view>

namespace headrace::reports {

inline constexpr int kTerminalWidth = 80;

struct Style {
  bool colour = false;
  int width = kTerminalWidth;
  bool whole = false;  ///< a pipe or a file: nothing is cut to fit a line or a screen

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string faint(std::string_view text) const { return wrap("2", text); }
  std::string good(std::string_view text) const { return wrap("1;32", text); }
  std::string bad(std::string_view text) const { return wrap("1;31", text); }
  std::string unsure(std::string_view text) const { return wrap("1;33", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const {
    if (!colour) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
};

}  // namespace headrace::reports
