#include "scenarios/document/csv_table.hpp"

#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

struct ParsedTable {
  std::optional<CsvTable> table;
  std::vector<Diagnostic> complaints;
};

ParsedTable parsed(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  const std::uint32_t source = sources.add({SourceKind::file, "t.csv", text, 0});
  auto table = parse_csv(sources, source, diagnostics);
  return {std::move(table), diagnostics.sorted()};
}

void refused(const std::string& text, const std::string& code, int line, int column) {
  const ParsedTable result = parsed(text);
  INFO(text);
  CHECK_FALSE(result.table.has_value());
  REQUIRE(!result.complaints.empty());
  CHECK(result.complaints.front().code == code);
  CHECK(result.complaints.front().where.line == line);
  CHECK(result.complaints.front().where.column == column);
}

}  // namespace

TEST_CASE("tables: quotes, doubled quotes, commas and line breaks inside, CRLF, a byte order mark, empty lines") {
  const auto table = parsed("\xEF\xBB\xBFname,note,n\r\n\r\n\"a, b\",\"say \"\"no\"\"\r\nagain\", 7 \r\nc,,\r\n").table;
  REQUIRE(table.has_value());
  REQUIRE(table->rows.size() == 2);
  CHECK(table->column("note") == 1U);
  CHECK_FALSE(table->column("Note").has_value());
  CHECK(table->rows[0][0].text == "a, b");
  CHECK(table->rows[0][1].text == "say \"no\"\r\nagain");
  CHECK(table->rows[0][2].text == "7");
  CHECK(table->rows[1][1].text.empty());
  CHECK(table->rows[1][2].text.empty());
  CHECK(parsed("a,b").table->rows.empty());
}

TEST_CASE("tables that are none are refused with the place") {
  refused("", "E0103", 1, 1);
  refused("\n\n", "E0103", 1, 1);
  refused("a,b\n1,2\n3\n", "E0110", 3, 1);
  refused("a,b\n1,2,3\n", "E0110", 2, 1);
  refused("a,b\n1,\"2\n", "E0110", 2, 3);
  refused("a,b\n1,\"2\"x\n", "E0110", 2, 6);
  refused("a,b\n1,2\"x\n", "E0110", 2, 4);
  refused("a,b,a\n1,2,3\n", "E0108", 1, 5);
}

}  // namespace headrace::scenarios
