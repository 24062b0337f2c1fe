#include "scenarios/document/shell_quoted.hpp"

#include "tests/catch.hpp"

namespace headrace::scenarios {
namespace {

TEST_CASE("a word reaches the shell as it is") {
  CHECK(shell_quoted("/data/a-b_c.json") == "/data/a-b_c.json");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("two words") == "'two words'");
  CHECK(shell_quoted("$HOME;`x`\"") == "'$HOME;`x`\"'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
}

}  // namespace
}  // namespace headrace::scenarios
