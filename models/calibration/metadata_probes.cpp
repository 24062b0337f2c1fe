#include "models/calibration/metadata_probes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_engine.hpp"
#include "models/calibration/io_memory.hpp"
#include "models/calibration/scratch.hpp"
#include "models/calibration/timed_work.hpp"

namespace headrace::models::calibration {
namespace {

constexpr std::size_t kSmallFileBytes = 4096;
constexpr std::size_t kMiddle = 65536;
constexpr std::size_t kLarge = 524288;

[[noreturn]] void fail(const char* what, const std::string& name) {
  const int error = errno;
  throw IoFailure(error, fmt::format("{} '{}': {}", what, name, std::strerror(error)));
}

std::string name_of(const MetadataFolder& folder, const char* kind, std::uint64_t number) {
  return fmt::format("{}/{}{:06}", folder.path, kind, number);
}

OpenFile opened(const std::string& name, int flags) {
  OpenFile file(::open(name.c_str(), flags | O_CLOEXEC, 0600));
  if (!file.is_open()) fail("opening", name);
  return file;
}

void write_new(const std::string& name, const std::byte* data, std::size_t bytes) {
  const OpenFile file = opened(name, O_WRONLY | O_CREAT);
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t n = ::write(file.get(), data + done, bytes - done);
    if (n < 0) fail("writing", name);
    done += static_cast<std::size_t>(n);
  }
}

/// open, stat, read all, close.
void read_whole(const std::string& name, std::byte* buffer, std::size_t bytes) {
  const OpenFile file = opened(name, O_RDONLY);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail("stat of", name);
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t n = ::read(file.get(), buffer + done, bytes - done);
    if (n < 0) fail("reading", name);
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
}

constexpr int kFilesAtOnce = 16;

Work open_work(std::shared_ptr<const MetadataFolder> folder) {
  auto next = std::make_shared<std::atomic<std::uint64_t>>(0);
  return [folder = std::move(folder), next](unsigned) {
    for (int i = 0; i < kFilesAtOnce; ++i) {
      const std::string name = name_of(*folder, "s", (*next)++ % folder->small_files);
      const OpenFile file = opened(name, O_RDONLY);
      struct stat info {};
      if (::fstat(file.get(), &info) != 0) fail("stat of", name);
    }
    return static_cast<double>(kFilesAtOnce);
  };
}

Work read_work(std::shared_ptr<const MetadataFolder> folder, const char* kind, std::size_t bytes, unsigned count) {
  auto next = std::make_shared<std::atomic<std::uint64_t>>(0);
  return [folder = std::move(folder), next, kind, bytes, count](unsigned) {
    thread_local std::vector<std::byte> buffer;
    buffer.resize(bytes);
    const int files = bytes > kMiddle ? 1 : kFilesAtOnce;
    for (int i = 0; i < files; ++i) read_whole(name_of(*folder, kind, (*next)++ % count), buffer.data(), bytes);
    return static_cast<double>(files);
  };
}

void drop_all(const MetadataFolder& folder, const char* kind, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const OpenFile file = opened(name_of(folder, kind, i), O_RDONLY);
    // Dirty pages cannot be dropped. Only this file's are written, not everybody's.
    ::sync_file_range(file.get(), 0, 0,
                      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  }
}

/// All small files once, with their pages dropped before (and the kernel's names with `names`).
Arm cold_read_arm(std::shared_ptr<const MetadataFolder> folder, bool names, const std::stop_token& stop) {
  Arm arm;
  arm.cell.probe = "metadata";
  arm.cell.detail = names ? "open+stat+read+close, all cold" : "open+stat+read+close, cold data";
  arm.cell.block_bytes = kSmallFileBytes;
  arm.on_device = false;  // read-ahead and journals move bytes of their own
  arm.run = [folder = std::move(folder), names, stop](const WindowLengths& lengths, std::uint64_t) {
    drop_all(*folder, "s", folder->small_files);
    if (names) std::ofstream("/proc/sys/vm/drop_caches") << "2\n";
    std::vector<std::byte> buffer(kSmallFileBytes);
    const std::uint64_t begin = clock_ns();
    const auto end = begin + static_cast<std::uint64_t>(lengths.window_s * 1e9);
    unsigned read = 0;
    std::uint64_t now = begin;
    for (; read < folder->small_files && now < end && !stop.stop_requested(); ++read) {
      // A stride that visits each file once and not in the order of their making.
      const std::uint64_t number = std::uint64_t{read} * 7919U % folder->small_files;
      read_whole(name_of(*folder, "s", number), buffer.data(), kSmallFileBytes);
      now = clock_ns();
    }
    ArmWindow window;
    window.length_s = seconds_between(begin, now);
    window.rate_per_s = static_cast<double>(read) / std::max(window.length_s, 1e-9);
    return window;
  };
  return arm;
}

Work create_work(std::shared_ptr<const MetadataFolder> folder) {
  auto next = std::make_shared<std::atomic<std::uint64_t>>(0);
  return [folder = std::move(folder), next](unsigned) {
    std::byte block[kSmallFileBytes];
    fill_random(block, sizeof(block), 3);
    for (int i = 0; i < kFilesAtOnce; ++i) {
      const std::string name = name_of(*folder, "new", (*next)++);
      stamp(block, sizeof(block), static_cast<std::uint64_t>(i));
      write_new(name, block, sizeof(block));
      if (::unlink(name.c_str()) != 0) fail("removing", name);
    }
    return static_cast<double>(kFilesAtOnce);
  };
}

Work list_work(std::shared_ptr<const MetadataFolder> folder) {
  return [folder = std::move(folder)](unsigned) {
    DIR* entries = ::opendir(folder->path.c_str());
    if (entries == nullptr) fail("listing", folder->path);
    double count = 0.0;
    // Each caller has a stream of its own.
    while (::readdir(entries) != nullptr) count += 1.0;  // NOLINT(concurrency-mt-unsafe)
    ::closedir(entries);
    return count;
  };
}

}  // namespace

MetadataFolder make_files(const std::string& folder, unsigned small_files, unsigned middle_files,
                          unsigned large_files) {
  if (::mkdir(folder.c_str(), 0700) != 0) fail("making", folder);
  MetadataFolder made{folder, small_files, middle_files, large_files};
  std::vector<std::byte> data(kLarge);
  fill_random(data.data(), data.size(), 11);
  const auto make = [&](const char* kind, unsigned count, std::size_t bytes) {
    for (unsigned i = 0; i < count; ++i) {
      stamp(data.data(), bytes, i);
      write_new(name_of(made, kind, i), data.data(), bytes);
    }
  };
  make("s", small_files, kSmallFileBytes);
  make("m", middle_files, kMiddle);
  make("l", large_files, kLarge);
  return made;
}

std::vector<Arm> metadata_arms(const MetadataFolder& folder, unsigned cores, bool cold_names,
                               const std::stop_token& stop) {
  const auto shared = std::make_shared<const MetadataFolder>(folder);
  std::vector<Arm> arms;
  const auto add = [&](const char* detail, const char* unit, unsigned threads, Work work, std::size_t bytes) {
    arms.push_back(work_arm("metadata", detail, unit, threads, std::move(work), stop));
    arms.back().cell.block_bytes = static_cast<double>(bytes);
    arms.back().window_factor = 0.6;
  };
  for (unsigned threads = 1; threads <= cores && threads <= 8; threads *= 2) {
    add("open+stat+close", "1/s", threads, open_work(shared), 0);
    add("open+stat+read+close", "1/s", threads, read_work(shared, "s", kSmallFileBytes, folder.small_files),
        kSmallFileBytes);
  }
  if (folder.middle_files > 0)
    add("open+stat+read+close", "1/s", 1, read_work(shared, "m", kMiddle, folder.middle_files), kMiddle);
  if (folder.large_files > 0)
    add("open+stat+read+close", "1/s", 1, read_work(shared, "l", kLarge, folder.large_files), kLarge);
  add("create+write+close+unlink", "1/s", 1, create_work(shared), kSmallFileBytes);
  add("list", "1/s", 1, list_work(shared), 0);
  arms.push_back(cold_read_arm(shared, false, stop));
  if (cold_names) arms.push_back(cold_read_arm(shared, true, stop));
  return arms;
}

}  // namespace headrace::models::calibration
