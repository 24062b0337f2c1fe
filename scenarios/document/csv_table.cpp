#include "scenarios/document/csv_table.hpp"

#include <fmt/format.h>

#include <set>

#include "scenarios/document/file_kind.hpp"

namespace headrace::scenarios {
namespace {

/// Walks one text cell by cell.
class Reader {
 public:
  Reader(const Sources& sources, std::uint32_t source, Diagnostics& diagnostics)
      : sources_(sources), source_(source), diagnostics_(diagnostics), text_(sources[source].text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  /// Cells of the next line that is not empty; nullopt at the end or after a complaint.
  std::optional<std::vector<CsvCell>> next_row() {
    while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
    if (at_ >= text_.size()) return std::nullopt;
    std::vector<CsvCell> row;
    for (;;) {
      auto cell = next_cell();
      if (!cell) return std::nullopt;
      row.push_back(std::move(*cell));
      if (at_ >= text_.size() || text_[at_] != ',') break;
      ++at_;
    }
    return row;
  }

  void complain(const char* code, std::string message, const Place& place, std::string help) {
    diagnostics_.add({code, std::move(message), "", excerpt_at(sources_, place), std::move(help), "", {}});
  }

 private:
  bool at_cell_end() const {
    return at_ >= text_.size() || text_[at_] == ',' || text_[at_] == '\n' || text_[at_] == '\r';
  }

  std::optional<CsvCell> next_cell() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '"') return quoted_cell();
    while (!at_cell_end()) {
      if (text_[at_] == '"') {
        complain("E0110", "a quote inside a cell that does not start with one", {source_, at_, at_ + 1},
                 "put the whole cell in quotes and double the quotes inside");
        return std::nullopt;
      }
      ++at_;
    }
    return CsvCell{std::string(trimmed(text_.substr(begin, at_ - begin))), {source_, begin, at_}};
  }

  std::optional<CsvCell> quoted_cell() {
    const std::size_t begin = at_++;
    std::string value;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c != '"') {
        value += c;
      } else if (at_ < text_.size() && text_[at_] == '"') {
        value += '"';
        ++at_;
      } else if (at_cell_end()) {
        return CsvCell{std::string(trimmed(value)), {source_, begin, at_}};
      } else {
        complain("E0110", "text after the closing quote of a cell", {source_, at_, at_ + 1},
                 "double the quotes inside a quoted cell");
        return std::nullopt;
      }
    }
    complain("E0110", "a quoted cell has no closing quote", {source_, begin, begin + 1}, "close the quote");
    return std::nullopt;
  }

  const Sources& sources_;
  std::uint32_t source_;
  Diagnostics& diagnostics_;
  std::string_view text_;
  std::size_t at_ = 0;
};

void check_header(const CsvTable& table, Reader& reader) {
  std::set<std::string> seen;
  for (const CsvCell& cell : table.header)
    if (!cell.text.empty() && !seen.insert(cell.text).second)
      reader.complain("E0108", fmt::format("duplicate column '{}'", cell.text), cell.place, "remove one of them");
}

}  // namespace

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i].text == name) return i;
  return std::nullopt;
}

std::optional<CsvTable> parse_csv(const Sources& sources, std::uint32_t source, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  if (auto other = complaint_about_text(sources[source].name, sources[source].text, "a table of values")) {
    diagnostics.add(std::move(*other));
    return std::nullopt;
  }
  Reader reader(sources, source, diagnostics);
  CsvTable table;
  auto header = reader.next_row();
  if (!header) {
    if (diagnostics.size() == before)
      reader.complain("E0103", "the table is empty", {source, 0, 0}, "the first line names the columns");
    return std::nullopt;
  }
  table.header = std::move(*header);
  check_header(table, reader);
  while (auto row = reader.next_row()) {
    if (row->size() != table.header.size())
      reader.complain("E0110", fmt::format("the row has {} cells, the header has {}", row->size(), table.header.size()),
                      {source, row->front().place.begin, row->back().place.end},
                      "every row has as many cells as the header; quote cells that hold commas");
    else
      table.rows.push_back(std::move(*row));
  }
  if (diagnostics.size() != before) return std::nullopt;
  return table;
}

}  // namespace headrace::scenarios
