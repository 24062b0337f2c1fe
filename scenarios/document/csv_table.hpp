// A comma-separated table with a header, read strictly (RFC 4180): quoted cells, doubled quotes, line breaks in quotes,
// LF or CRLF. Every cell knows its place, so that a complaint shows the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

struct CsvCell {
  std::string text;  ///< unquoted, blanks at both ends removed
  Place place;
};

struct CsvTable {
  std::vector<CsvCell> header;
  std::vector<std::vector<CsvCell>> rows;  ///< each as long as the header

  /// The index of a column by its exact name.
  std::optional<std::size_t> column(std::string_view name) const;
};

/// Adds E0103 no header, E0108 a column twice, E0110 broken quoting or a row of another length; then returns nullopt.
/// Empty lines are skipped.
std::optional<CsvTable> parse_csv(const Sources& sources, std::uint32_t source, Diagnostics& diagnostics);

}  // namespace headrace::scenarios
