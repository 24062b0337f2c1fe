// Rows of a table of measurements in tests/validation/data: cells without quotes, the header left out.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/golden.hpp"

namespace headrace::testing {

inline std::vector<std::vector<std::string>> csv_rows(const std::string& name) {
  std::istringstream file(file_text(std::string(HEADRACE_SOURCE_DIR) + "/tests/validation/data/" + name));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

}  // namespace headrace::testing
