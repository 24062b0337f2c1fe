#include "cli/assistant/call_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "cli/program.hpp"
#include "scenarios/document/readable_files.hpp"

namespace headrace::cli::assistant {
namespace {

[[noreturn]] void run_call(const std::vector<std::string>& words, const std::vector<std::string>& folders,
                           const std::array<int, 2>& out, const std::array<int, 2>& err, pid_t server) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != server) ::_exit(kInternalError);  // it ended meanwhile
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out[1], STDOUT_FILENO);
  ::dup2(err[1], STDERR_FILENO);
  for (const int end : {nothing, out[0], out[1], err[0], err[1]}) ::close(end);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_FSIZE, &none);
  ::setrlimit(RLIMIT_CORE, &none);
  // A name of a shipped scenario may not mean a file that lies where the server was started.
  if (::chdir("/") != 0) ::_exit(kInternalError);
  scenarios::read_only_below(folders);
  Console console(std::cout, std::cerr, false, false);
  const int status = run_program(words, console);
  std::cout.flush();
  std::cerr.flush();
  ::_exit(status);
}

/// Appends what is there; closes the pipe at its end.
void take(int& end, std::string& text) {
  std::array<char, 65536> part{};
  while (end >= 0) {
    const ssize_t count = ::read(end, part.data(), part.size());
    if (count > 0) {
      text.append(part.data(), static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    ::close(end);
    end = -1;
  }
}

}  // namespace

CallProcess::CallProcess(const std::vector<std::string>& words, const std::vector<std::string>& folders) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0)
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  if (::pipe2(err.data(), O_CLOEXEC) != 0) {
    ::close(out[0]);
    ::close(out[1]);
    throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  std::cout.flush();
  const pid_t server = ::getpid();
  child_ = ::fork();
  if (child_ == 0) run_call(words, folders, out, err, server);
  ::close(out[1]);
  ::close(err[1]);
  out_ = out[0];
  err_ = err[0];
  if (child_ < 0) {
    ::close(out_);
    ::close(err_);
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
  }
  ::setpgid(child_, child_);
  for (const int end : {out_, err_}) ::fcntl(end, F_SETFL, O_NONBLOCK);
}

CallProcess::~CallProcess() {
  kill();
  status();
  for (const int end : {out_, err_})
    if (end >= 0) ::close(end);
}

void CallProcess::read() {
  take(out_, output_text_);
  take(err_, error_text_);
}

int CallProcess::status() {
  if (child_ < 0) return kInternalError;
  int raw = 0;
  while (::waitpid(child_, &raw, 0) < 0 && errno == EINTR) continue;
  child_ = -1;
  return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

void CallProcess::kill() {
  if (child_ > 0) ::kill(-child_, SIGKILL);
}

}  // namespace headrace::cli::assistant
