// Tables of errors that stand in docs/models/ and are made by tests: the page is compared cell by cell, numbers within
// a tolerance, since they carry simulation noise. HEADRACE_WRITE_GOLDEN=1 writes the table anew.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "tests/golden.hpp"

namespace headrace::testing {

class ErrorTable {
 public:
  using Row = std::vector<std::string>;

  explicit ErrorTable(Row head) : rows_{std::move(head)} {}
  void add(Row row) { rows_.push_back(std::move(row)); }

  /// Empty when the table on the page, between "<!-- table: NAME -->" and "<!-- end -->", says the same; otherwise the
  /// first difference.
  std::string difference(const std::string& page, const std::string& name, double tolerance) const {
    const std::string path = std::string(HEADRACE_SOURCE_DIR) + "/" + page;
    std::string text = file_text(path);
    const std::string begin = "<!-- table: " + name + " -->\n";
    const std::size_t from = text.find(begin);
    const std::size_t to = text.find("<!-- end -->", from);
    if (from == std::string::npos || to == std::string::npos) return "the page has no place for the table";
    const std::size_t first = from + begin.size();
    if (std::getenv("HEADRACE_WRITE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << text.replace(first, to - first, print());
      return {};
    }
    return compare(cells_of(text.substr(first, to - first)), tolerance);
  }

 private:
  std::string print() const {
    std::string text;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (const std::string& cell : rows_[r]) text += "| " + cell + " ";
      text += "|\n";
      if (r > 0) continue;
      for (std::size_t c = 0; c < rows_[0].size(); ++c) text += "|---";
      text += "|\n";
    }
    return text;
  }

  static std::vector<Row> cells_of(const std::string& text) {
    std::vector<Row> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("|---", 0) == 0) continue;
      Row row;
      for (std::size_t at = line.find("| "); at != std::string::npos && at + 2 < line.size();) {
        const std::size_t end = line.find(" |", at + 1);
        row.push_back(line.substr(at + 2, end - at - 2));
        at = line.find("| ", end);
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  std::string compare(const std::vector<Row>& page, double tolerance) const {
    if (page.size() != rows_.size()) return "the table has another number of rows";
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (page[r].size() != rows_[r].size()) return "row " + std::to_string(r) + " has another number of cells";
      for (std::size_t c = 0; c < rows_[r].size(); ++c) {
        char* end_here = nullptr;
        char* end_page = nullptr;
        const double here = std::strtod(rows_[r][c].c_str(), &end_here);
        const double there = std::strtod(page[r][c].c_str(), &end_page);
        const bool numbers = end_here != rows_[r][c].c_str() && end_page != page[r][c].c_str();
        const bool near = numbers && here - there <= tolerance && there - here <= tolerance;
        if (!near && rows_[r][c] != page[r][c])
          return "row '" + rows_[r][0] + "': the page says " + page[r][c] + ", the test finds " + rows_[r][c];
      }
    }
    return {};
  }

  std::vector<Row> rows_;
};

/// "%.2f" and the like.
inline std::string number_text(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace headrace::testing
