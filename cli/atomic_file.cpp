#include "cli/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

namespace headrace::cli {
namespace {

std::string last_reason() { return std::strerror(errno); }

/// A new empty file in the folder of `path`; its name comes back in `name`. Returns -1 and sets errno on failure.
int open_beside(const std::string& path, std::string& name) {
  std::string pattern = path + ".XXXXXX";
  std::vector<char> buffer(pattern.begin(), pattern.end());
  buffer.push_back('\0');
  const int file = ::mkstemp(buffer.data());
  name = buffer.data();
  return file;
}

bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool is_special(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string write_in_place(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return last_reason();
  const bool written = write_all(file, text);
  const std::string reason = written ? "" : last_reason();
  ::close(file);
  return reason;
}

/// A new file has the permissions that the user's umask leaves; one that is replaced keeps its own.
mode_t permissions_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace

std::string write_atomically(const std::string& path, const std::string& text) {
  if (is_special(path)) return write_in_place(path, text);
  if (std::filesystem::is_directory(path)) return "it is a folder";
  std::string beside;
  const int file = open_beside(path, beside);
  if (file < 0) return last_reason();
  std::string reason;
  if (!write_all(file, text) || ::fchmod(file, permissions_of(path)) != 0 || ::fsync(file) != 0) reason = last_reason();
  if (::close(file) != 0 && reason.empty()) reason = last_reason();
  if (reason.empty() && ::rename(beside.c_str(), path.c_str()) != 0) reason = last_reason();
  if (!reason.empty()) ::unlink(beside.c_str());
  return reason;
}

std::string reason_against_writing(const std::string& path) {
  if (path.empty() || is_special(path)) return {};
  if (std::filesystem::is_directory(path)) return "it is a folder";
  std::string beside;
  const int file = open_beside(path, beside);
  if (file < 0) return last_reason();
  ::close(file);
  ::unlink(beside.c_str());
  return {};
}

}  // namespace headrace::cli
