#include <fmt/format.h>

#include "reports/gate_report.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"

namespace headrace::reports {
namespace {

std::string coloured(models::Ruling decision, const std::string& text, const Style& style) {
  switch (decision) {
    case models::Ruling::pass:
      return style.good(text);
    case models::Ruling::fail:
      return style.bad(text);
    case models::Ruling::undecided:
      break;
  }
  return style.unsure(text);
}

std::string table_text(const GateTable& content, const Style& style) {
  std::vector<std::vector<std::string>> rows{content.header};
  rows.insert(rows.end(), content.rows.begin(), content.rows.end());
  std::vector<Column> columns(content.header.size());
  for (std::size_t i = 1; i < columns.size(); ++i) columns[i].right = content.title.find("Inputs") == std::string::npos;
  return folded_table(columns, rows, style.width);
}

}  // namespace

std::string gate_text(const GateReport& report, const Style& style) {
  std::string text;
  if (!report.title.empty()) text += wrapped(report.title, style.width, 0) + "\n";
  const std::string word(models::kRulingNames[static_cast<std::size_t>(report.decision)]);
  if (report.asked_nothing())
    text += wrapped(report.headline, style.width, 0) + "\n";
  else
    text += fmt::format("{}: {}\n", coloured(report.decision, word, style),
                        wrapped(report.headline, style.width, static_cast<int>(word.size()) + 2));
  if (!report.cases.empty()) {
    std::vector<std::vector<std::string>> rows{{"limit", "is", "interval", "result"}};
    for (const GateCase& item : report.cases)
      rows.push_back({item.name, item.value.empty() ? "-" : item.value, item.interval.empty() ? "-" : item.interval,
                      std::string(models::kRulingNames[static_cast<std::size_t>(item.decision)])});
    text += fmt::format("\n{}\n{}", style.bold("Limits"), folded_table({{}, {true}, {true}, {}}, rows, style.width));
    for (const GateCase& item : report.cases)
      if (!item.reason.empty())
        text += fmt::format("  {}\n", wrapped(fmt::format("{}: {}", item.name, item.reason), style.width, 4));
  }
  // On the first screen, before the tables: they say among others what lies beyond the validated range.
  if (!report.notes.empty()) text += "\n";
  for (const std::string& note : report.notes) {
    // Options are for pasting: their lines end in a backslash.
    const std::size_t options = note.find(std::string(kTryItWith) + " --");
    const std::size_t end = options == std::string::npos ? note.size() : options + kTryItWith.size();
    text += fmt::format("  {}\n", wrapped(note.substr(0, end), style.width, 2));
    if (end < note.size()) text += pasted_options(note.substr(end + 1), style.width) + "\n";
  }
  for (const GateTable& content : report.tables)
    text += fmt::format("\n{}\n{}", style.bold(content.title), table_text(content, style));
  return text;
}

}  // namespace headrace::reports
