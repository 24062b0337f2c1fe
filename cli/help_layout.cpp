#include "cli/help_layout.hpp"

#include "reports/style.hpp"
#include "reports/text_layout.hpp"

namespace headrace::cli {

std::string HelpLayout::make_option(const CLI::Option* option, bool is_positional) const {
  std::string words;
  for (const char c : make_option_opts(option)) {
    words += c;
    if (c == ',') words += ' ';  // lists of choices can be broken
  }
  return beside(make_option_name(option, is_positional) + words, make_option_desc(option));
}

std::string HelpLayout::make_subcommand(const CLI::App* verb) const {
  return beside(verb->get_name(), verb->get_description());
}

std::string HelpLayout::beside(std::string name, const std::string& meaning) const {
  const std::size_t column = get_column_width();
  std::string line = "  " + std::move(name);
  if (meaning.empty()) return line + "\n";
  if (line.size() + 1 > column)
    line = reports::wrapped(line, reports::kTerminalWidth, 6) + "\n" + std::string(column, ' ');
  else
    line.append(column - line.size(), ' ');
  return line + reports::wrapped(meaning, reports::kTerminalWidth, static_cast<int>(column)) + "\n";
}

}  // namespace headrace::cli
