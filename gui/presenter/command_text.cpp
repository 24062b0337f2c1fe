#include "gui/presenter/command_text.hpp"

namespace headrace::gui {

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_text(const ScenarioDocument& document) {
  std::string text = "headrace simulate";
  for (const std::string& argument : document.arguments()) text += " " + shell_word(argument);
  return text;
}

}  // namespace headrace::gui
