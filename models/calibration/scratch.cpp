#include "models/calibration/scratch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace headrace::models::calibration {
namespace {

constexpr std::uint32_t kExtents = 512;

/// One call of FIEMAP: extents from `start` on.
bool extents_from(int file, std::uint64_t start, std::uint64_t bytes, std::vector<fiemap_extent>& extents) {
  std::vector<std::uint64_t> memory((sizeof(fiemap) + kExtents * sizeof(fiemap_extent)) / 8 + 1, 0);
  auto* map = static_cast<fiemap*>(static_cast<void*>(memory.data()));
  map->fm_start = start;
  map->fm_length = bytes - start;
  map->fm_flags = FIEMAP_FLAG_SYNC;
  map->fm_extent_count = kExtents;
  if (::ioctl(file, FS_IOC_FIEMAP, map) != 0) return false;
  extents.assign(map->fm_extents, map->fm_extents + map->fm_mapped_extents);
  return true;
}

}  // namespace

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void check_folder(const std::string& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0)
    throw CalibrationError(fmt::format("cannot measure '{}': {}", folder, std::strerror(errno)),
                           "give a folder that exists: --path DIR");
  if (!S_ISDIR(info.st_mode))
    throw CalibrationError(fmt::format("'{}' is not a folder", folder),
                           "files and raw devices are never touched: give a folder on the file system to measure");
}

Scratch::Scratch(const std::string& folder) {
  check_folder(folder);
  std::string pattern = folder + "/headrace-calibrate-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr)
    throw CalibrationError(fmt::format("cannot make a folder in '{}': {}", folder, std::strerror(errno)),
                           "give a folder that you may write to");
  path_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Scratch::check_is_there() const {
  struct stat info {};
  if (::stat(path_.c_str(), &info) != 0)
    throw CalibrationError(fmt::format("'{}' is gone: {}", path_, std::strerror(errno)),
                           "the folder or its mount disappeared during the measurement; the results are lost");
}

std::uint64_t free_bytes(const std::string& folder) {
  struct statvfs info {};
  if (::statvfs(folder.c_str(), &info) != 0) return 0;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

double unwritten_share(int file, std::uint64_t bytes) {
  std::uint64_t written = 0;
  std::vector<fiemap_extent> extents;
  for (std::uint64_t start = 0; start < bytes;) {
    if (!extents_from(file, start, bytes, extents)) return -1.0;
    if (extents.empty()) break;
    for (const fiemap_extent& extent : extents) {
      const std::uint64_t begin = std::max<std::uint64_t>(extent.fe_logical, start);
      const std::uint64_t end = std::min<std::uint64_t>(extent.fe_logical + extent.fe_length, bytes);
      if ((extent.fe_flags & FIEMAP_EXTENT_UNWRITTEN) == 0 && end > begin) written += end - begin;
      start = std::max(end, start + 1);
    }
    if ((extents.back().fe_flags & FIEMAP_EXTENT_LAST) != 0) break;
  }
  return 1.0 - static_cast<double>(written) / static_cast<double>(std::max<std::uint64_t>(bytes, 1));
}

double resident_share(int file, std::uint64_t offset, std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  void* map = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, static_cast<off_t>(offset));
  if (map == MAP_FAILED) return -1.0;
  std::vector<unsigned char> pages((bytes + page - 1) / page, 0);
  const int result = ::mincore(map, bytes, pages.data());
  ::munmap(map, bytes);
  if (result != 0) return -1.0;
  const auto resident = std::count_if(pages.begin(), pages.end(), [](unsigned char p) { return (p & 1U) != 0; });
  return static_cast<double>(resident) / static_cast<double>(pages.size());
}

void drop_pages(int file) {
  ::fdatasync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace headrace::models::calibration
