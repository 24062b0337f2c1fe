#include "gui/presenter/sort_key.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace headrace::gui {
namespace {

/// What a unit is of the one without prefix: "k/s" a thousand, "ms" a thousandth.
double unit_factor(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, double>, 5> kTimes = {
      {{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}, {"days", 86400.0}}};
  for (const auto& [name, factor] : kTimes)
    if (unit == name) return factor;
  static constexpr std::array<std::pair<std::string_view, double>, 9> kPrefixes = {{{"n", 1e-9},
                                                                                    {"\xC2\xB5", 1e-6},
                                                                                    {"u", 1e-6},
                                                                                    {"m", 1e-3},
                                                                                    {"k", 1e3},
                                                                                    {"M", 1e6},
                                                                                    {"G", 1e9},
                                                                                    {"T", 1e12},
                                                                                    {"P", 1e15}}};
  for (const auto& [prefix, factor] : kPrefixes) {
    if (!unit.starts_with(prefix) || unit.size() == prefix.size()) continue;
    const std::string_view rest = unit.substr(prefix.size());
    if (rest.starts_with("s") || rest.starts_with("B") || rest.starts_with("b") || rest.starts_with("/")) return factor;
  }
  return 1.0;
}

double money_factor(std::string_view unit) { return unit == "M" ? 1e6 : unit == "B" ? 1e9 : 1.0; }

}  // namespace

std::optional<double> sort_key(std::string_view text) {
  double sign = 1.0;
  std::string digits;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '-' && digits.empty()) sign = -1.0;
    const bool skipped = c == ',' || (digits.empty() && (c == '$' || c == '<' || c == '+' || c == '-' || c == ' '));
    if (skipped) continue;
    const bool exponent = (c == 'e' || c == '+' || c == '-') && !digits.empty() && (c == 'e' || digits.back() == 'e');
    if (!(c >= '0' && c <= '9') && c != '.' && !exponent) break;
    digits.push_back(c);
  }
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc()) return std::nullopt;
  while (at < text.size() && text[at] == ' ') ++at;
  const std::string_view unit = text.substr(at, text.find(' ', at) - at);
  const bool money = text.find('$') < at;
  return sign * number * (money ? money_factor(unit) : unit_factor(unit));
}

bool comes_before(std::string_view a, std::string_view b) {
  const auto x = sort_key(a);
  const auto y = sort_key(b);
  if (x && y) return *x < *y;
  if (x || y) return x.has_value();
  return a < b;
}

}  // namespace headrace::gui
