#include "cli/help_layout.hpp"

#include <utility>

#include "cli/option_words.hpp"
#include "reports/style.hpp"
#include "reports/text_layout.hpp"

namespace headrace::cli {

std::string HelpLayout::make_option(const CLI::Option* option, bool is_positional) const {
  const std::string value = value_name(*option);
  return beside(make_option_name(option, is_positional) + (value.empty() ? "" : " " + value), option_meaning(*option));
}

std::string HelpLayout::make_subcommand(const CLI::App* verb) const {
  return beside(verb->get_name(), verb->get_description());
}

std::string HelpLayout::make_description(const CLI::App* verb) const {
  return reports::wrapped(verb->get_description(), reports::kTerminalWidth, 0) + "\n";
}

/// One empty line between sections.
std::string HelpLayout::make_help(const CLI::App* verb, std::string name, CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(verb, std::move(name), mode);
  for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
  return text;
}

std::string HelpLayout::beside(std::string name, const std::string& meaning) const {
  const std::size_t column = get_column_width();
  std::string line = "  " + std::move(name);
  if (meaning.empty()) return line + "\n";
  if (line.size() + 1 > column)
    line += "\n" + std::string(column, ' ');
  else
    line.append(column - line.size(), ' ');
  return line + reports::wrapped(meaning, reports::kTerminalWidth, static_cast<int>(column)) + "\n";
}

}  // namespace headrace::cli
