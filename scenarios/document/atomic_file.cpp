#include "scenarios/document/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>

namespace headrace::scenarios {
namespace {

namespace fs = std::filesystem;

/// What stands in the way, and what to do about it where that is not the usual.
struct Obstacle {
  std::string reason;
  std::string help = "name a file in a folder that exists and may be written";
};

Obstacle obstacle_of(int error) {
  if (error == ENOSPC || error == EDQUOT)
    return {std::strerror(error), "free disk space, or name a file on another disk"};
  if (error == EIO) return {std::strerror(error), "the disk or its file system fails: name a file on another disk"};
  return {std::strerror(error)};
}

tl::unexpected<Diagnostic> failed(const std::string& path, const Obstacle& obstacle) {
  Diagnostic d;
  d.code = "E0304";
  d.message = fmt::format("cannot write '{}': {}", path, obstacle.reason);
  d.where.file = path;
  d.help = obstacle.help;
  return tl::unexpected(std::move(d));
}

bool is_special(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// Whether nobody but this user and root can have put the link where it is.
bool may_follow(const fs::path& link) {
  struct stat status {};
  struct stat folder {};
  if (::lstat(link.c_str(), &status) != 0 || ::stat(folder_of(link).c_str(), &folder) != 0) return false;
  const bool others_may_write = (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  return !others_may_write || status.st_uid == ::geteuid() || status.st_uid == 0;
}

/// The file that `path` names, without links on the way to it. Links to files that are not regular stay.
tl::expected<fs::path, Obstacle> without_links(const fs::path& path) {
  constexpr int kMostLinks = 40;
  std::deque<fs::path> left(path.begin(), path.end());
  fs::path done;
  for (int links = 0; !left.empty();) {
    const fs::path next = done / left.front();
    left.pop_front();
    std::error_code failure;
    if (!fs::is_symlink(next, failure)) {
      done = next;
      continue;
    }
    if (!may_follow(next))
      return tl::unexpected(Obstacle{
          fmt::format("'{}' is a link of another user in a folder that several users may write", next.string()),
          "name the file itself, or a link in a folder that only you may write"});
    if (is_special(next)) {
      done = next;
      continue;
    }
    const fs::path target = fs::read_symlink(next, failure);
    if (failure || ++links > kMostLinks) return tl::unexpected(obstacle_of(failure ? failure.value() : ELOOP));
    left.insert(left.begin(), target.begin(), target.end());
  }
  return done;
}

/// 0 or errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int close_after(int file, int error) { return ::close(file) != 0 && error == 0 ? errno : error; }

int write_in_place(const fs::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return file < 0 ? errno : close_after(file, write_all(file, text));
}

/// A new file has the permissions that the user's umask leaves; one that is replaced keeps its own.
mode_t permissions_of(const fs::path& path) {
  struct stat old {};
  if (::stat(path.c_str(), &old) == 0) return old.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

/// A new empty file in the folder of `target`; -1 and errno on failure.
int open_beside(const fs::path& target, std::string& name) {
  name = (folder_of(target) / fmt::format(".{}.XXXXXX", target.filename().string())).string();
  return ::mkstemp(name.data());
}

int replace(const fs::path& target, std::string_view text) {
  std::string temporary;
  const int file = open_beside(target, temporary);
  if (file < 0) return errno;
  int error = write_all(file, text);
  if (error == 0 && (::fchmod(file, permissions_of(target)) != 0 || ::fsync(file) != 0)) error = errno;
  error = close_after(file, error);
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return error;
  }
  const int directory = ::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) {
    ::fsync(directory);  // the rename itself; the text is already safe
    ::close(directory);
  }
  return 0;
}

/// `with` writes to the file that `path` names, once nothing speaks against it, and returns 0 or errno.
template <class Write>
tl::expected<void, Diagnostic> write_to(const std::string& path, const Write& with) {
  const auto target = without_links(path);
  if (!target) return failed(path, target.error());
  std::error_code ignored;
  if (fs::is_directory(*target, ignored)) return failed(path, {"it is a folder"});
  const int error = with(*target);
  if (error != 0) return failed(path, obstacle_of(error));
  return {};
}

}  // namespace

tl::expected<void, Diagnostic> write_atomically(const std::string& path, std::string_view text) {
  return write_to(path, [text](const fs::path& target) {
    return is_special(target) ? write_in_place(target, text) : replace(target, text);
  });
}

tl::expected<void, Diagnostic> check_writable(const std::string& path) {
  return write_to(path, [](const fs::path& target) {
    if (is_special(target)) return 0;
    std::string temporary;
    const int file = open_beside(target, temporary);
    if (file < 0) return errno;
    ::unlink(temporary.c_str());
    return close_after(file, 0);
  });
}

}  // namespace headrace::scenarios
