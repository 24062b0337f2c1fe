// Runs the program as a user would: through a shell, with separate streams.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/golden.hpp"

namespace headrace::testing {

struct Run {
  int status = -1;
  std::string out;
  std::string err;
};

/// A folder of its own that goes away with the object.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "headrace-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::string path_;
};

/// `arguments` are shell words; `before` may set variables of the environment.
inline Run run(const std::string& arguments, const std::string& before = "",
               const std::string& program = HEADRACE_PROGRAM) {
  const Folder folder;
  const std::string command = before + " '" + program + "' " + arguments + " >'" + folder.path("out") + "' 2>'" +
                              folder.path("err") + "' </dev/null";
  const int raw = std::system(command.c_str());
  Run result;
  result.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  result.out = file_text(folder.path("out"));
  result.err = file_text(folder.path("err"));
  return result;
}

/// Path of a scenario that init makes of `answers`.
inline std::string made_by_init(const Folder& folder, const std::string& answers) {
  const std::string file = folder.path("made.json");
  const Run made = run("init " + answers + " -o '" + file + "'");
  INFO(made.err);
  REQUIRE(made.status == 0);
  return file;
}

/// The downgrades of a calibration, as "field=value".
inline std::string downgrades_of(const nlohmann::json& file) {
  std::string text;
  for (const nlohmann::json& d : file["calibration"]["downgrades"]) {
    text += d["field"].get<std::string>() + "=" + d["value"].get<std::string>() + ";";
    CHECK(d["reason"].get<std::string>().size() > 5);
  }
  return text;
}

/// Lines of a text as one, with a blank at each break.
inline std::string unbroken(const std::string& text) {
  std::string line;
  for (const char c : text)
    if (c != '\n')
      line += c;
    else if (!line.empty())
      line += ' ';
  for (std::size_t at = line.find("  "); at != std::string::npos; at = line.find("  ")) line.erase(at, 1);
  return line;
}

/// What an answer of init says first: its verdict, before how long the GPUs wait.
inline std::string first_sentence(const std::string& answer) {
  const std::string line = unbroken(answer);
  return line.substr(0, line.find("GPUs wait for data"));
}

}  // namespace headrace::testing
