#include "reports/glossary.hpp"

#include <algorithm>
#include <sstream>

#include "scenarios/document/embedded_texts.hpp"

namespace headrace::reports {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(' ') - from + 1));
}

/// Without the marks of Markdown: backticks, asterisks, and links of which the words stay.
std::string plain_text(std::string_view markdown) {
  std::string text;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const char c = markdown[i];
    if (c == '`' || c == '*') continue;
    const std::size_t end = c == '[' ? markdown.find(']', i) : std::string_view::npos;
    if (end != std::string_view::npos && end + 1 < markdown.size() && markdown[end + 1] == '(') {
      text += markdown.substr(i + 1, end - i - 1);
      i = std::min(markdown.find(')', end), markdown.size() - 1);
    } else {
      text += c;
    }
  }
  return trimmed(text);
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream line(row);
  for (std::string cell; std::getline(line, cell, '|');) cells.push_back(trimmed(cell));
  if (!cells.empty()) cells.erase(cells.begin());  // before the first bar
  return cells;
}

/// "gain if removed (`relief`)" has the names "gain if removed" and "relief".
std::vector<std::string> names_of(const std::string& cell) {
  std::vector<std::string> names;
  std::string list = plain_text(cell);
  if (const std::size_t open = list.find(" ("); open != std::string::npos) {  // "P(fed)" is one name
    list.replace(open, 2, ", ");
    std::erase(list, ')');
  }
  std::istringstream parts(list);
  for (std::string name; std::getline(parts, name, ',');)
    if (!trimmed(name).empty()) names.push_back(trimmed(name));
  return names;
}

std::vector<GlossaryTerm> read_glossary() {
  std::vector<GlossaryTerm> terms;
  std::istringstream page{std::string(scenarios::embedded_glossary().front().text)};
  for (std::string line; std::getline(page, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 3 || cells[0] == "term" || cells[0].starts_with("---")) continue;
    for (std::string& name : names_of(cells[0]))
      terms.push_back({std::move(name), plain_text(cells[1]), plain_text(cells[2])});
  }
  return terms;
}

}  // namespace

const std::vector<GlossaryTerm>& glossary() {
  static const std::vector<GlossaryTerm> kTerms = read_glossary();
  return kTerms;
}

std::string plain_word(std::string_view name) {
  std::string word(name);
  for (char& c : word)
    if (c == '_' || c == '-')
      c = ' ';
    else if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return word;
}

}  // namespace headrace::reports
