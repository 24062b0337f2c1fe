#include <fmt/format.h>

#include "reports/html/markup.hpp"
#include "reports/html/page.hpp"
#include "reports/memo.hpp"

namespace headrace::reports {
namespace {

/// An option per column, so that a narrow screen and a sheet of paper hold it.
std::string memo_options_table(const Memo& memo) {
  std::vector<TableColumn> columns{{""}};
  for (const MemoOption& option : memo.options) columns.push_back({option.name});
  const auto row = [&memo](std::string_view head, std::string MemoOption::*cell) {
    std::vector<std::string> cells{escaped(head)};
    for (const MemoOption& option : memo.options) cells.push_back(escaped(option.*cell));
    return cells;
  };
  std::vector<std::vector<std::string>> rows{row(memo.unit_cost_head, &MemoOption::unit_cost)};
  if (has_totals(memo)) rows.push_back(row(memo.total_cost_head, &MemoOption::total_cost));
  rows.push_back(row(memo.yield_head, &MemoOption::goodput));
  rows.push_back(row("dates", &MemoOption::when));
  rows.push_back(row("risk", &MemoOption::risk));
  return html_table("Cost, yield, dates and risk", columns, rows);
}

std::string memo_list(const std::vector<std::string>& lines) {
  std::string html = "<ul>";
  for (const std::string& line : lines) html += fmt::format("<li>{}</li>", escaped(line));
  return html + "</ul>";
}

std::string memo_assumptions_table(const Memo& memo) {
  if (memo.assumptions.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const MemoAssumption& row : memo.assumptions)
    rows.push_back({escaped(row.what), escaped(row.value), escaped(row.evidence)});
  return html_table("What the decision rests on", {{"figure"}, {"value"}, {"evidence"}}, rows);
}

}  // namespace

std::string memo_page(const Memo& memo) {
  Page page;
  page.title = memo.title;
  page.head = verdict_box(memo.settled ? "good" : "unsure", memo.question, memo.answer);
  std::string facts;
  for (const std::string& fact : memo.facts) facts += fmt::format("<p>{}</p>", escaped(fact));
  page.sections = {{"options", "Options", memo_options_table(memo)},
                   {"others", "Not among the options", memo.others.empty() ? "" : memo_list(memo.others)},
                   {"flips", "What would change it", memo_list(memo.flips)},
                   {"assumptions", "Assumptions", memo_assumptions_table(memo) + facts}};
  return html_page(page);
}

}  // namespace headrace::reports
