#include "cli/run_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace headrace::cli {
namespace {

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close(0); }
  void close_write() { close(1); }

 private:
  void close(std::size_t end) {
    if (ends_.at(end) >= 0) ::close(ends_.at(end));
    ends_.at(end) = -1;
  }

  std::array<int, 2> ends_ = {-1, -1};
};

/// Reads both pipes until both are at their end, whichever speaks first. Asked to stop, it kills the child's group.
void read_both(Pipe& out, Pipe& err, pid_t child, const std::stop_token& stop, CommandResult& result) {
  constexpr int kLookForStopMs = 50;
  std::array<char, 4096> part{};
  while (out.read_end() >= 0 || err.read_end() >= 0) {
    if (stop.stop_requested()) {
      ::kill(-child, SIGKILL);
      return;
    }
    std::array<pollfd, 2> waited = {{{out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}}};
    if (::poll(waited.data(), waited.size(), stop.stop_possible() ? kLookForStopMs : -1) < 0 && errno != EINTR) return;
    for (std::size_t i = 0; i < waited.size(); ++i) {
      if (waited.at(i).fd < 0 || waited.at(i).revents == 0) continue;
      const ssize_t count = ::read(waited.at(i).fd, part.data(), part.size());
      if (count > 0)
        (i == 0 ? result.output : result.errors).append(part.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        (i == 0 ? out : err).close_read();
    }
  }
}

/// The child stands in a process group of its own: Ctrl-C is for the program that waits.
int start(const std::vector<std::string>& words, const Pipe& out, const Pipe& err, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: of POSIX
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.write_end(), STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int failure = ::posix_spawnp(&child, arguments.front(), &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return failure;
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& words, const std::stop_token& stop) {
  CommandResult result;
  Pipe out;
  Pipe err;
  pid_t child = 0;
  const int failure = start(words, out, err, child);
  if (failure != 0) {
    result.status = 127;
    result.errors = words.front() + ": " + std::strerror(failure);
    return result;
  }
  out.close_write();
  err.close_write();
  read_both(out, err, child, stop, result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace headrace::cli
