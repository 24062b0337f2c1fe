#include "reports/text_layout.hpp"

#include <cstdlib>
#include <sstream>

#include "tests/catch.hpp"

using namespace headrace::reports;

TEST_CASE("wrapped lines keep to their width") {
  CHECK(wrapped("one two three", 9, 0) == "one two\nthree");
  CHECK(wrapped("one two three", 9, 2) == "one two\n  three");
  CHECK(wrapped("  unbreakable  ", 4, 0) == "unbreakable");
  CHECK(wrapped("", 10, 2).empty());
  CHECK(wrapped("then wait 0.0 % of it", 14, 0) == "then wait\n0.0 % of it");
  CHECK(wrapped("reads 24 GB/s, not 5 more", 10, 0) == "reads\n24 GB/s,\nnot 5 more");
  CHECK(wrapped("costs $5.36 M", 11, 0) == "costs\n$5.36 M");
}

TEST_CASE("bars show every share over zero") {
  CHECK(bar(0.0, 10).empty());
  CHECK(bar(0.001, 10) == "#");
  CHECK(bar(0.5, 10) == "#####");
  CHECK(bar(2.0, 3) == "###");
}

TEST_CASE("percentages of a partition sum to exactly 100") {
  CHECK(percent_partition({1.0 / 3, 1.0 / 3, 1.0 / 3}) == std::vector<std::string>{"33.4 %", "33.3 %", "33.3 %"});
  CHECK(percent_partition({0.9458, 0.015, 0.005, 0.0342}) ==
        std::vector<std::string>{"94.6 %", "1.5 %", "0.5 %", "3.4 %"});
  CHECK(percent_partition({1.0}) == std::vector<std::string>{"100.0 %"});
}

TEST_CASE("a broken partition is not hidden by rounding") {
  CHECK(percent_partition({0.5, 0.4}) == std::vector<std::string>{"50.0 %", "40.0 %"});
}

TEST_CASE("tables align and leave no trailing blanks") {
  CHECK(table({{}, {true}, {}}, {{"a", "1", "x"}, {"bcd", "22", ""}}) == "  a     1  x\n  bcd  22\n");
}
