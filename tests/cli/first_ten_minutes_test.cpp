// docs/first-ten-minutes.md is run as it stands: every command of its blocks, in one folder, in order, and its output
// must be the text of the page.
#include <sys/wait.h>

#include <cstdio>
#include <sstream>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run.hpp"

using headrace::testing::file_text;
using headrace::testing::Folder;

namespace {

constexpr const char* kPage = "docs/first-ten-minutes.md";

/// Without warnings about the age of prices, which depend on the day.
std::string without_old_prices(const std::string& output) {
  std::istringstream lines(output);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("warning: the price ")) text += line + "\n";
  return text;
}

/// Both streams of a shell command in `folder`, with the program in the path; a status other than 0 as a last line.
std::string shell(const std::string& command, const Folder& folder) {
  const std::string script = folder.write(
      "command.sh", "cd '" + folder.path("") + "' || exit 9\nheadrace() { '" HEADRACE_PROGRAM "' \"$@\"; }\n{\n" +
                        command + "\n} 2>&1 </dev/null\n");
  std::string output;
  FILE* pipe = ::popen(("sh '" + script + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  const int raw = ::pclose(pipe);
  if (const int status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128; status != 0)
    output += "[exit status " + std::to_string(status) + "]\n";
  return output;
}

/// The page with the outputs of today. A command starts with "$ " and goes on over lines that start with "> ".
std::string run_page(const std::string& page, const Folder& folder, std::size_t& commands) {
  std::ostringstream result;
  std::istringstream lines(page);
  bool in_block = false;
  std::string command;
  const auto finish = [&] {
    if (command.empty()) return;
    result << without_old_prices(shell(command, folder));
    command.clear();
    ++commands;
  };
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```");
    const bool begins = in_block && line.starts_with("$ ");
    const bool goes_on = in_block && !command.empty() && line.starts_with("> ");
    if (!goes_on) finish();
    if (begins) command = line.substr(2);
    if (goes_on) command += "\n" + line.substr(2);
    if (!in_block || fence || begins || goes_on) result << line << '\n';
    if (fence) in_block = line == "```console";
  }
  return result.str();
}

}  // namespace

TEST_CASE("the first ten minutes run as their page says", "[cli][golden][long_4]") {
  const Folder folder;
  std::size_t commands = 0;
  const std::string page = file_text(std::string(HEADRACE_SOURCE_DIR) + "/" + kPage);
  const std::string today = run_page(page, folder, commands);
  CHECK(commands >= 10);
  CHECK(headrace::testing::matches_golden(today, kPage));
  if (today == page) return;
  std::istringstream then_lines(page);
  std::istringstream now_lines(today);
  std::string then;
  std::string now;
  while (std::getline(then_lines, then) && std::getline(now_lines, now) && then == now) continue;
  FAIL_CHECK("first difference:\n  page:  " << then << "\n  today: " << now);
}
