// The program next to a benchmark, called as people call it.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace headrace::benchmarks {

class Program {
 public:
  struct Call {
    double wall_s = 0.0;
    double processor_s = 0.0;  ///< of all threads
    bool answered = false;     ///< an answer that a limit is missed (exit status 1) is one
  };

  explicit Program(const char* benchmark)
      : path_((std::filesystem::path(benchmark).parent_path() / "headrace").string()) {}

  Call operator()(const std::string& arguments) const {
    using Clock = std::chrono::steady_clock;
    const double before_s = seconds_of_children();
    const Clock::time_point begin = Clock::now();
    const int status = std::system(("exec '" + path_ + "' " + arguments + " > /dev/null 2>&1").c_str());
    Call call;
    call.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
    call.processor_s = seconds_of_children() - before_s;
    call.answered = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
    if (!call.answered) std::fprintf(stderr, "%s: wait status %d\n", arguments.c_str(), status);
    return call;
  }

 private:
  static double seconds_of_children() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
  }

  std::string path_;
};

}  // namespace headrace::benchmarks
