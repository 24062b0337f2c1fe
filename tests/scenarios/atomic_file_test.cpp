#include "scenarios/atomic_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
namespace {

std::string text_of(const std::string& path) {
  std::stringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("a file is replaced as a whole and nothing is left beside it") {
  const TestFiles files;
  const std::string path = files.write("out.json", "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  REQUIRE(write_atomically(path, "new text"));
  CHECK(text_of(path) == "new text");
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  REQUIRE(write_atomically(files.path("fresh.json"), std::string(200000, 'x')));
  CHECK(text_of(files.path("fresh.json")).size() == 200000);
  const auto entries = std::filesystem::directory_iterator(files.path(""));
  CHECK(std::distance(std::filesystem::begin(entries), std::filesystem::end(entries)) == 2);
}

TEST_CASE("a link stays a link") {
  const TestFiles files;
  const std::string target = files.write("target.json", "old");
  std::filesystem::create_symlink(target, files.path("link.json"));
  REQUIRE(write_atomically(files.path("link.json"), "new"));
  CHECK(std::filesystem::is_symlink(files.path("link.json")));
  CHECK(text_of(target) == "new");
}

TEST_CASE("an unwritable place is a clear error") {
  const TestFiles files;
  const auto missing = write_atomically(files.path("no/such/folder.json"), "x");
  REQUIRE(!missing);
  CHECK(missing.error().code == "E0304");
  CHECK(files.strip(missing.error().message) == "cannot write 'no/such/folder.json': No such file or directory");
  const auto folder = write_atomically(files.path(""), "x");
  REQUIRE(!folder);
  CHECK(folder.error().code == "E0304");
}

}  // namespace headrace::scenarios
