// Loaded before libc (LD_PRELOAD): lets calls below the program fail, be cut short or be the last ones.
//
//   HEADRACE_FAULT=GROUP:N:EFFECT      the N-th call of the group; N+: that one and all that follow
//     GROUP   write   bytes into regular files
//             change  whatever changes a regular file or a folder: writes, lengths, syncs, renames, removals, new files
//             sync    fsync and fdatasync
//             read    bytes of regular files
//     EFFECT  ENOSPC, EIO, EINTR: the call fails so; short: half of the bytes; kill: half of the bytes, then SIGKILL
//   HEADRACE_FAULT_COUNT=FILE          at the end: how many calls of each group there were
#undef _FORTIFY_SOURCE  // whose wrappers have the names below
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Group { kWrite, kChange, kSync, kRead, kGroups };
constexpr std::array<const char*, kGroups> kNames = {"write", "change", "sync", "read"};

enum class Effect { none, error, shorten, kill };

struct Fault {
  Group group = kGroups;
  long at = 0;
  bool from_there = false;
  Effect effect = Effect::none;
  int error = 0;
};

Fault told_fault() {
  Fault fault;
  const char* told = std::getenv("HEADRACE_FAULT");
  if (told == nullptr) return fault;
  char group[16] = "", at[24] = "", effect[16] = "";
  if (std::sscanf(told, "%15[a-z]:%23[0-9+]:%15[A-Za-z]", group, at, effect) != 3) std::abort();
  for (int i = 0; i < kGroups; ++i)
    if (std::strcmp(group, kNames[static_cast<std::size_t>(i)]) == 0) fault.group = static_cast<Group>(i);
  fault.at = std::strtol(at, nullptr, 10);
  fault.from_there = std::strchr(at, '+') != nullptr;
  fault.effect = Effect::error;
  if (std::strcmp(effect, "ENOSPC") == 0)
    fault.error = ENOSPC;
  else if (std::strcmp(effect, "EIO") == 0)
    fault.error = EIO;
  else if (std::strcmp(effect, "EINTR") == 0)
    fault.error = EINTR;
  else if (std::strcmp(effect, "short") == 0)
    fault.effect = Effect::shorten;
  else if (std::strcmp(effect, "kill") == 0)
    fault.effect = Effect::kill;
  else
    std::abort();
  return fault;
}

const Fault& fault() {
  static const Fault told = told_fault();
  return told;
}

std::array<std::atomic<long>, kGroups> calls{};

/// What happens to this call of a group.
Effect effect_of(Group group) {
  const long number = ++calls[static_cast<std::size_t>(group)];
  const Fault& told = fault();
  if (told.group != group || (told.from_there ? number < told.at : number != told.at)) return Effect::none;
  return told.effect;
}

/// A write is a change, too; the first of both groups that has something to say decides.
Effect effect_of_write() {
  const Effect as_write = effect_of(kWrite);
  const Effect as_change = effect_of(kChange);
  return as_write != Effect::none ? as_write : as_change;
}

bool is_regular(int file) {
  struct stat status {};
  return file > 2 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

long failed() {
  errno = fault().error;
  return -1;
}

/// `act(n)` does the call with at most n bytes.
template <class Act>
ssize_t faulty(Effect effect, std::size_t size, const Act& act) {
  switch (effect) {
    case Effect::none:
      return act(size);
    case Effect::error:
      return failed();
    case Effect::shorten:
      return act(size > 1 ? size / 2 : size);
    case Effect::kill:
      act(size / 2);
      die();
  }
  return act(size);
}

template <class Act>
int faulty_change(Effect effect, const Act& act) {
  if (effect == Effect::kill) die();
  if (effect == Effect::error) return static_cast<int>(failed());
  return act();
}

struct AtEnd {
  ~AtEnd() {
    const char* name = std::getenv("HEADRACE_FAULT_COUNT");
    if (name == nullptr) return;
    char text[160];
    const int length =
        std::snprintf(text, sizeof(text), "{\"write\": %ld, \"change\": %ld, \"sync\": %ld, \"read\": %ld}\n",
                      calls[kWrite].load(), calls[kChange].load(), calls[kSync].load(), calls[kRead].load());
    const long file = ::syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::syscall(SYS_write, file, text, static_cast<std::size_t>(length));
    ::syscall(SYS_close, file);
  }
} at_end;

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
  const Effect effect = is_regular(file) ? effect_of_write() : Effect::none;
  return faulty(effect, size, [&](std::size_t n) { return ::syscall(SYS_write, file, bytes, n); });
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  const Effect effect = is_regular(file) ? effect_of_write() : Effect::none;
  return faulty(effect, size, [&](std::size_t n) { return ::syscall(SYS_pwrite64, file, bytes, n, at); });
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) { return pwrite(file, bytes, size, at); }

ssize_t writev(int file, const struct iovec* parts, int count) {
  const Effect effect = is_regular(file) ? effect_of_write() : Effect::none;
  if (effect == Effect::none || count == 0) return ::syscall(SYS_writev, file, parts, count);
  return faulty(effect, parts[0].iov_len,
                [&](std::size_t n) { return ::syscall(SYS_write, file, parts[0].iov_base, n); });
}

ssize_t read(int file, void* bytes, size_t size) {
  const Effect effect = is_regular(file) ? effect_of(kRead) : Effect::none;
  return faulty(effect, size, [&](std::size_t n) { return ::syscall(SYS_read, file, bytes, n); });
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  const Effect effect = is_regular(file) ? effect_of(kRead) : Effect::none;
  return faulty(effect, size, [&](std::size_t n) { return ::syscall(SYS_pread64, file, bytes, n, at); });
}

ssize_t pread64(int file, void* bytes, size_t size, off64_t at) { return pread(file, bytes, size, at); }

int ftruncate(int file, off_t size) {
  return faulty_change(effect_of(kChange), [&] { return static_cast<int>(::syscall(SYS_ftruncate, file, size)); });
}

int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

int fsync(int file) {
  const Effect as_sync = effect_of(kSync);
  return faulty_change(as_sync != Effect::none ? as_sync : effect_of(kChange),
                       [&] { return static_cast<int>(::syscall(SYS_fsync, file)); });
}

int fdatasync(int file) {
  const Effect as_sync = effect_of(kSync);
  return faulty_change(as_sync != Effect::none ? as_sync : effect_of(kChange),
                       [&] { return static_cast<int>(::syscall(SYS_fdatasync, file)); });
}

int rename(const char* from, const char* to) noexcept {
  return faulty_change(effect_of(kChange), [&] { return static_cast<int>(::syscall(SYS_rename, from, to)); });
}

int unlink(const char* name) noexcept {
  return faulty_change(effect_of(kChange), [&] { return static_cast<int>(::syscall(SYS_unlink, name)); });
}

int open(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  const auto act = [&] { return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, name, flags, mode)); };
  return (flags & O_CREAT) != 0 ? faulty_change(effect_of(kChange), act) : act();
}

int open64(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open(name, flags, mode);
}

}  // extern "C"
