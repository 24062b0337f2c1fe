#include "scenarios/document/atomic_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/golden.hpp"
#include "tests/scenarios/test_files.hpp"

namespace headrace::scenarios {
using headrace::testing::file_text;

TEST_CASE("a file is replaced as a whole and nothing is left beside it") {
  const TestFiles files;
  const std::string path = files.write("out.json", "old");
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  REQUIRE(write_atomically(path, "new text"));
  CHECK(file_text(path) == "new text");
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  REQUIRE(write_atomically(files.path("fresh.json"), std::string(200000, 'x')));
  CHECK(file_text(files.path("fresh.json")).size() == 200000);
  const auto entries = std::filesystem::directory_iterator(files.path(""));
  CHECK(std::distance(std::filesystem::begin(entries), std::filesystem::end(entries)) == 2);
}

TEST_CASE("a link stays a link, and the file that it names changes") {
  const TestFiles files;
  const std::string target = files.write("target.json", "old");
  std::filesystem::create_symlink(target, files.path("link.json"));
  std::filesystem::create_symlink("link.json", files.path("second.json"));
  std::filesystem::create_symlink("fresh.json", files.path("dangling.json"));
  for (const char* link : {"link.json", "second.json"}) {
    REQUIRE(check_writable(files.path(link)));
    REQUIRE(write_atomically(files.path(link), link));
    CHECK(std::filesystem::is_symlink(files.path(link)));
    CHECK(file_text(target) == link);
  }
  REQUIRE(write_atomically(files.path("dangling.json"), "new"));
  CHECK(std::filesystem::is_symlink(files.path("dangling.json")));
  CHECK(file_text(files.path("fresh.json")) == "new");
  std::filesystem::create_directory(files.path("folder"));
  std::filesystem::create_directory_symlink("folder", files.path("linked"));
  REQUIRE(write_atomically(files.path("linked/in.json"), "new"));
  CHECK(file_text(files.path("folder/in.json")) == "new");
  std::filesystem::create_symlink("circle.json", files.path("circle.json"));
  const auto circle = write_atomically(files.path("circle.json"), "x");
  REQUIRE(!circle);
  CHECK(circle.error().message.find("symbolic links") != std::string::npos);
  std::filesystem::create_symlink("/dev/null", files.path("null"));
  CHECK(check_writable(files.path("null")));
  CHECK(write_atomically(files.path("null"), "x"));
}

TEST_CASE("a link of another user in a folder that several users may write is not followed") {
  using std::filesystem::perms;
  const TestFiles files;
  const std::string target = files.write("target.json", "old");
  const std::string shared = files.path("shared");
  std::filesystem::create_directory(shared);
  std::filesystem::permissions(shared, perms::all | perms::sticky_bit);
  std::filesystem::create_symlink(target, shared + "/own.json");
  REQUIRE(write_atomically(shared + "/own.json", "new"));
  CHECK(file_text(target) == "new");
  if (::geteuid() != 0) return;  // only root can give a link away
  constexpr uid_t kNobody = 65534;
  std::filesystem::create_symlink(target, shared + "/theirs.json");
  REQUIRE(::lchown((shared + "/theirs.json").c_str(), kNobody, kNobody) == 0);
  std::filesystem::create_directory_symlink(files.path(""), shared + "/folder");
  REQUIRE(::lchown((shared + "/folder").c_str(), kNobody, kNobody) == 0);
  for (const perms others : {perms::others_write | perms::sticky_bit, perms::others_write, perms::group_write}) {
    std::filesystem::permissions(shared, perms::owner_all | others);
    for (const char* name : {"/theirs.json", "/folder/target.json"}) {
      const auto refused = write_atomically(shared + name, "attack");
      REQUIRE(!refused);
      CHECK(refused.error().code == "E0304");
      CHECK(refused.error().message.find("is a link of another user in a folder that several users may write") !=
            std::string::npos);
      CHECK(!check_writable(shared + name));
    }
  }
  CHECK(file_text(target) == "new");
  std::filesystem::permissions(shared, perms::owner_all | perms::group_read | perms::others_read);
  CHECK(write_atomically(shared + "/theirs.json", "only the owner of the folder can have put it there"));
}

TEST_CASE("an unwritable place is a clear error") {
  const TestFiles files;
  const auto missing = write_atomically(files.path("no/such/folder.json"), "x");
  REQUIRE(!missing);
  CHECK(missing.error().code == "E0304");
  CHECK(files.strip(missing.error().message) == "cannot write 'no/such/folder.json': No such file or directory");
  CHECK(missing.error().help == "name a file in a folder that exists and may be written");
  const auto folder = write_atomically(files.path(""), "x");
  REQUIRE(!folder);
  CHECK(folder.error().code == "E0304");
  CHECK(folder.error().message.ends_with("it is a folder"));
  std::filesystem::create_directory(files.path("closed"));
  std::filesystem::permissions(files.path("closed"), std::filesystem::perms::owner_read);
  // Root may write everywhere but in /proc.
  const std::string closed = ::geteuid() == 0 ? "/proc/out.json" : files.path("closed/out.json");
  CHECK(!check_writable(closed));
  CHECK(!write_atomically(closed, "x"));
}

}  // namespace headrace::scenarios
