// One call in a process of its own: it may take its time, run out of memory or break, and the server lives on.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace headrace::cli::assistant {

class CallProcess {
 public:
  /// Runs the words of a command line. The process reads no file outside of `folders`, writes none, has an empty
  /// standard input, and ends with the server.
  CallProcess(const std::vector<std::string>& words, const std::vector<std::string>& folders);
  /// Kills what still runs.
  ~CallProcess();
  CallProcess(const CallProcess&) = delete;
  CallProcess& operator=(const CallProcess&) = delete;

  /// Descriptors to poll; negative: at its end.
  int output() const { return out_; }
  int errors() const { return err_; }
  /// Takes what stands in the pipes, without waiting.
  void read();
  /// Both pipes are at their end.
  bool has_ended() const { return out_ < 0 && err_ < 0; }
  /// Waits for it and gives its exit status, 128 + n when signal n ended it.
  int status();
  void kill();

  double elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }
  const std::string& output_text() const { return output_text_; }
  const std::string& error_text() const { return error_text_; }

 private:
  int out_ = -1;
  int err_ = -1;
  pid_t child_ = -1;  ///< -1: waited for
  std::string output_text_;
  std::string error_text_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace headrace::cli::assistant
