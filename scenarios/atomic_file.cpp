#include "scenarios/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace headrace::scenarios {
namespace {

tl::unexpected<Diagnostic> failed(const std::string& path, int error) {
  Diagnostic d;
  d.code = "E0304";
  d.message = fmt::format("cannot write '{}': {}", path, std::strerror(error));
  d.where.file = path;
  d.help = "check that the folder exists and may be written";
  return tl::unexpected(std::move(d));
}

/// 0 or errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

}  // namespace

tl::expected<void, Diagnostic> write_atomically(const std::string& path, std::string_view text) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return failed(path, EISDIR);
  // A link is followed, so that the file it names changes and the link stays.
  const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : fs::path(path);
  std::string temporary = (target.parent_path() / fmt::format(".{}.XXXXXX", target.filename().string())).string();
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return failed(path, errno);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file, exists ? (old.st_mode & 07777U) : (0666U & ~mask));
  int error = write_all(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return failed(path, error);
  }
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : std::string(".");
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);  // the rename itself; the text is already safe
    ::close(directory);
  }
  return {};
}

}  // namespace headrace::scenarios
