// Runs the program with system calls that are refused, or answered by this process instead of the kernel.
#pragma once

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace headrace::testing {

/// A call that the filter caught.
struct CaughtCall {
  int listener;
  seccomp_notif request;

  /// Memory of the caller.
  template <class Value>
  bool read_memory(std::uint64_t address, Value* to, std::size_t bytes) const {
    iovec here{to, bytes};
    iovec there{};
    std::memcpy(&there.iov_base, &address, sizeof(address));
    there.iov_len = bytes;
    return ::process_vm_readv(static_cast<pid_t>(request.pid), &here, 1, &there, 1, 0) > 0;
  }
  std::string read_text(std::uint64_t address) const {
    char text[512] = "";
    return read_memory(address, text, sizeof(text) - 1) ? std::string(text) : std::string();
  }
  void refuse(int error) const { answer(-error, 0); }
  void let_through() const { answer(0, SECCOMP_USER_NOTIF_FLAG_CONTINUE); }
  /// The caller gets this descriptor.
  void answer_with_file(int file) const {
    seccomp_notif_addfd added{};
    added.id = request.id;
    added.flags = SECCOMP_ADDFD_FLAG_SEND;
    added.srcfd = static_cast<std::uint32_t>(file);
    added.newfd_flags = O_CLOEXEC;
    ::ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &added);
  }

 private:
  void answer(int error, std::uint32_t flags) const {
    seccomp_notif_resp response{};
    response.id = request.id;
    response.error = error;
    response.flags = flags;
    ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
};

/// Which calls a filter looks at: those of this number whose argument has all of these bits.
struct CallRule {
  int number;
  unsigned argument = 0;
  std::uint32_t bits = 0;  ///< 0: all of them
  std::uint32_t action = SECCOMP_RET_ALLOW;
};

/// Installs the filter for this process and what it starts; -1 where that is not allowed, else 0 or the listener.
inline int install_filter(const CallRule& rule) {
  const auto low_word = static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * rule.argument);
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(rule.number), 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low_word),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule.bits),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule.bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, rule.action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog filter{7, program};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  const unsigned flags = rule.action == SECCOMP_RET_USER_NOTIF ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter));
}

/// The program under a filter; what it prints goes to the file `out`. Returns its status; 99: no filters here.
/// `on_call` answers calls of rules with SECCOMP_RET_USER_NOTIF; `forbidden` is a second call, which fails with EPERM.
inline int run_filtered(const std::vector<std::string>& arguments, const std::string& out, const CallRule& rule,
                        const std::function<void(const CaughtCall&)>& on_call = {}, int forbidden = -1) {
  int talk[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0) return 99;
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(file, 1);
    ::dup2(file, 2);
    const CallRule refusal{forbidden, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(EPERM)};
    if (forbidden >= 0 && install_filter(refusal) < 0) ::_exit(99);
    const int listener = install_filter(rule);
    char taken = 0;
    // The listener closes with exec: it must have been taken before.
    if (listener < 0 || ::write(talk[1], &listener, sizeof(listener)) != sizeof(listener) ||
        ::read(talk[1], &taken, 1) != 1)
      ::_exit(99);
    std::string program = HEADRACE_PROGRAM;
    std::vector<std::string> copies = arguments;
    std::vector<char*> words{program.data()};
    for (std::string& word : copies) words.push_back(word.data());
    words.push_back(nullptr);
    ::execv(program.c_str(), words.data());
    ::_exit(98);
  }
  ::close(talk[1]);
  int number = -1;
  int listener = -1;
  const bool filtered = ::read(talk[0], &number, sizeof(number)) == sizeof(number);
  if (filtered && on_call) {
    const auto process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    listener = static_cast<int>(::syscall(SYS_pidfd_getfd, process, number, 0));
    ::close(process);
  }
  if (filtered && (!on_call || listener >= 0)) static_cast<void>(!::write(talk[0], "y", 1));
  ::close(talk[0]);
  int status = 0;
  while (::waitpid(child, &status, on_call && listener >= 0 ? WNOHANG : 0) == 0) {
    pollfd waiting{listener, POLLIN, 0};
    if (::poll(&waiting, 1, 50) <= 0 || (waiting.revents & POLLIN) == 0) continue;
    CaughtCall call{listener, {}};
    if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call.request) == 0) on_call(call);
  }
  if (listener >= 0) ::close(listener);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace headrace::testing
