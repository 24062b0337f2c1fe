#include <fmt/format.h>

#include "reports/gate_report.hpp"

namespace headrace::reports {
namespace {

/// Text in a cell or paragraph: nothing in it is taken for markup.
std::string markdown_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    constexpr std::string_view kMarks = "\\|*`[]#~";
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '\n' || c == '\r')
      out += ' ';
    else if (kMarks.find(c) != std::string_view::npos)
      (out += '\\') += c;
    else if (c == '_')
      out += "\\_";
    else
      out += c;
  }
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", markdown_escaped(cell));
  return line + "\n";
}

std::string markdown_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::string text = row(header) + "|";
  for (std::size_t i = 0; i < header.size(); ++i) text += i == 0 ? " --- |" : " ---: |";
  text += "\n";
  for (const std::vector<std::string>& cells : rows) text += row(cells);
  return text;
}

}  // namespace

std::string gate_markdown(const GateReport& report) {
  const std::string word(models::kRulingNames[static_cast<std::size_t>(report.decision)]);
  std::string text = report.asked_nothing() ? fmt::format("## headrace {}\n\n", report.verb)
                                            : fmt::format("## headrace {}: {}\n\n", report.verb, word);
  if (!report.title.empty()) text += markdown_escaped(report.title) + "\n\n";
  text += markdown_escaped(report.headline) + "\n\n";
  if (!report.cases.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const GateCase& item : report.cases)
      rows.push_back({item.name, item.value.empty() ? "-" : item.value, item.interval.empty() ? "-" : item.interval,
                      std::string(models::kRulingNames[static_cast<std::size_t>(item.decision)]), item.reason});
    text += markdown_table({"Limit", "Is", "Interval", "Result", "Why"}, rows) + "\n";
  }
  for (const std::string& note : report.notes) text += fmt::format("- {}\n", markdown_escaped(note));
  if (!report.notes.empty()) text += "\n";
  for (const GateTable& content : report.tables)
    text +=
        fmt::format("### {}\n\n{}\n", markdown_escaped(content.title), markdown_table(content.header, content.rows));
  for (const auto& [name, value] : report.properties)
    text += fmt::format("{}{}: {}", &value == &report.properties.front().second ? "" : ", ", markdown_escaped(name),
                        markdown_escaped(value));
  return text + (report.properties.empty() ? "" : "\n");
}

}  // namespace headrace::reports
