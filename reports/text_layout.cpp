#include "reports/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <sstream>

namespace headrace::reports {
namespace {

/// Columns that UTF-8 text takes on a terminal, wide characters not considered.
int columns_of(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<int> widths_of(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths;
  for (const Column& column : columns) widths.push_back(column.min_width);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  return widths;
}

/// The columns at `kept` of all rows that have any of them.
std::vector<std::vector<std::string>> rows_of(const std::vector<std::vector<std::string>>& rows,
                                              const std::vector<std::size_t>& kept) {
  std::vector<std::vector<std::string>> some;
  for (const auto& row : rows) {
    some.emplace_back();
    for (const std::size_t i : kept)
      if (i < row.size()) some.back().push_back(row[i]);
  }
  return some;
}

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

/// "%", "GB/s,", "h)": without what a sentence puts behind it.
bool is_unit(std::string_view word) {
  static constexpr std::array<std::string_view, 33> kUnits{
      "%",    "ns",   "us",  "ms",  "s",   "min",   "h",    "days", "years", "B",    "kB",
      "MB",   "GB",   "TB",  "PB",  "EB",  "B/s",   "kB/s", "MB/s", "GB/s",  "TB/s", "PB/s",
      "Gb/s", "Mb/s", "GiB", "MiB", "KiB", "req/s", "/s",   "W",    "kW",    "MW",   "M"};
  word = word.substr(0, word.find_last_not_of(".,;:)") + 1);
  return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

/// The next word; a number keeps its unit.
std::string_view next_word(std::string_view text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  if (end + 1 >= text.size() || end == 0 || text[end - 1] < '0' || text[end - 1] > '9') return text.substr(0, end);
  const std::size_t unit_end = std::min(text.find(' ', end + 1), text.size());
  return text.substr(0, is_unit(text.substr(end + 1, unit_end - end - 1)) ? unit_end : end);
}

}  // namespace

std::string wrapped(std::string_view text, int width, int indent) {
  std::string result;
  int column = indent;
  bool line_empty = true;
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::string_view word = next_word(text);
    const int length = columns_of(word);
    if (!line_empty && column + 1 + length > width) {
      result += '\n';
      result += spaces(indent);
      column = indent;
      line_empty = true;
    }
    if (!line_empty) result += ' ';
    column += length + (line_empty ? 0 : 1);
    result += word;
    line_empty = false;
    text.remove_prefix(word.size());
  }
  return result;
}

std::string bar(double share, int width) {
  if (!(share > 0.0)) return {};
  const double marks = std::round(std::min(share, 1.0) * width);
  return std::string(static_cast<std::size_t>(std::max(marks, 1.0)), '#');
}

std::vector<std::string> percent_partition(const std::vector<double>& shares) {
  constexpr std::int64_t kWhole = 1000;
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<std::int64_t> tenths(shares.size());
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool whole = std::abs(sum - 1.0) < 1e-6;
  for (std::size_t i = 0; i < shares.size(); ++i)
    tenths[i] = static_cast<std::int64_t>(whole ? std::floor(shares[i] * kWhole) : std::round(shares[i] * kWhole));
  if (whole) {
    const auto remainder = [&](std::size_t i) { return shares[i] * kWhole - static_cast<double>(tenths[i]); };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return remainder(a) > remainder(b); });
    std::int64_t missing = kWhole - std::accumulate(tenths.begin(), tenths.end(), std::int64_t{0});
    for (std::size_t i = 0; missing > 0 && i < order.size(); ++i, --missing) ++tenths[order[i]];
  }
  std::vector<std::string> texts;
  for (const std::int64_t t : tenths) texts.push_back(fmt::format("{}.{} %", t / 10, t % 10));
  return texts;
}

std::string table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  const std::vector<int> widths = widths_of(columns, rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding = spaces(widths[i] - columns_of(row[i]));
      line += (columns[i].right ? padding + row[i] : row[i] + padding) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string folded_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
                         int width, std::size_t keys) {
  const std::vector<int> widths = widths_of(columns, rows);
  const auto taken = [&](std::size_t i) { return 2 + widths[i]; };
  std::string text;
  for (std::size_t next = keys; next < columns.size();) {
    std::vector<std::size_t> kept(keys);
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    int line = std::accumulate(kept.begin(), kept.end(), 0, [&](int sum, std::size_t i) { return sum + taken(i); });
    do {
      line += taken(next);
      kept.push_back(next++);
    } while (next < columns.size() && line + taken(next) <= width);
    std::vector<Column> some;
    for (const std::size_t i : kept) some.push_back(columns[i]);
    text += (text.empty() ? "" : "\n") + table(some, rows_of(rows, kept));
  }
  return text;
}

std::string pasted_options(std::string_view options, int width) {
  constexpr std::string_view kNext = " --";
  std::string text = "  ";
  std::size_t column = text.size();
  while (!options.empty()) {
    const std::string_view one = options.substr(0, options.find(kNext, 1));
    options.remove_prefix(std::min(options.size(), one.size() + 1));
    const bool first = text.size() == 2;
    if (!first && column + one.size() + 3 > static_cast<std::size_t>(width)) {
      text += " \\\n  ";
      column = 2;
    } else if (!first) {
      text += " ";
      ++column;
    }
    text += one;
    column += one.size();
  }
  return text;
}

std::string labelled_table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows,
                           const std::vector<std::string>& labels) {
  std::istringstream lines(table(columns, rows));
  std::string text;
  std::size_t row = 0;
  for (std::string line; std::getline(lines, line); ++row) {
    if (row > 0 && row <= labels.size()) text += fmt::format("  {}\n", labels[row - 1]);
    text += fmt::format("{}{}\n", line.empty() ? "" : "    ", line);
  }
  return text;
}

}  // namespace headrace::reports
