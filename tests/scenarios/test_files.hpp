// A folder of files for one test, removed with it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace headrace::scenarios {

class TestFiles {
 public:
  TestFiles() {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("headrace_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(folder_);
  }
  ~TestFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TestFiles(const TestFiles&) = delete;
  TestFiles& operator=(const TestFiles&) = delete;

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Text with the folder's path taken out, so that goldens hold no machine path.
  std::string strip(std::string text) const {
    const std::string prefix = folder_.string() + "/";
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) text.erase(at, prefix.size());
    return text;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace headrace::scenarios
