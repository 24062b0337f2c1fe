#include "models/calibration/preflight.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "models/calibration/host_clock.hpp"

#ifndef STATX_DIOALIGN
#define STATX_DIOALIGN 0x00002000U
#endif

namespace headrace::models::calibration {
namespace {

struct KnownFileSystem {
  unsigned long magic;
  const char* name;
  bool remote;
};

// linux/magic.h and the sources of the file systems that are not in it.
constexpr KnownFileSystem kFileSystems[] = {
    {0xef53, "ext4", false},        {0x58465342, "xfs", false},      {0x9123683e, "btrfs", false},
    {0x2fc12fc1, "zfs", false},     {0xf2f52010, "f2fs", false},     {0x01021994, "tmpfs", false},
    {0x794c7630, "overlay", false}, {0x6969, "nfs", true},           {0xff534d42, "cifs", true},
    {0xfe534d42, "smb2", true},     {0x0bd00bd0, "lustre", true},    {0x00c36400, "ceph", true},
    {0x65735546, "fuse", true},     {0x47504653, "gpfs", true},      {0x19830326, "beegfs", true},
    {0x01021997, "9p", true},       {0xca451a4e, "bcachefs", false},
};
constexpr unsigned long kTmpfs = 0x01021994;

/// struct statx of kernels with direct-I/O alignment, whatever the C library knows.
struct AlignmentWords {
  std::uint32_t memory;
  std::uint32_t offset;
};
constexpr std::size_t kAlignmentPlace = 0x98;  // stx_dio_mem_align in linux/stat.h

void read_alignment(int file, Target& target) {
  struct statx info {};
  if (::statx(file, "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) != 0) return;
  if ((info.stx_mask & STATX_DIOALIGN) == 0) return;
  static_assert(sizeof(info) >= kAlignmentPlace + sizeof(AlignmentWords));
  AlignmentWords words{};
  std::copy_n(static_cast<const char*>(static_cast<const void*>(&info)) + kAlignmentPlace, sizeof(words),
              static_cast<char*>(static_cast<void*>(&words)));
  target.memory_align = words.memory;
  target.offset_align = words.offset;
  target.direct_refused = words.offset == 0;
}

std::string queue_folder(const Target& target, const HostPlaces& places) {
  const std::string base = places.sys + "/dev/block/" + target.device;
  std::error_code error;
  if (std::filesystem::exists(base + "/queue", error)) return base + "/queue";
  return base + "/../queue";  // a partition has that of its disk
}

void add(std::vector<HostFact>& facts, const char* key, const std::optional<std::string>& value) {
  facts.push_back({key, value.value_or("unknown")});
}

/// The value of "key : value" in /proc/cpuinfo or "key: value" in /proc/meminfo.
std::optional<std::string> value_of(const std::string& path, const std::string& key) {
  const std::optional<std::string> text = file_start(path);
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return std::nullopt;
}

std::size_t count_of_folders(const std::string& folder, const std::string& prefix) {
  std::size_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool numbered = name.size() > prefix.size() && name.rfind(prefix, 0) == 0 &&
                          name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    count += numbered ? 1 : 0;
  }
  return count;
}

}  // namespace

Target look_at_target(int file, const HostPlaces& places) {
  Target target;
  struct statfs fs {};
  if (::fstatfs(file, &fs) == 0) {
    const auto magic = static_cast<unsigned long>(fs.f_type) & 0xffffffffUL;
    target.file_system = fmt::format("{:#x}", magic);
    target.in_memory = magic == kTmpfs;
    for (const KnownFileSystem& known : kFileSystems)
      if (known.magic == magic) {
        target.file_system = known.name;
        target.remote = known.remote;
      }
  }
  struct stat info {};
  if (::fstat(file, &info) == 0 && major(info.st_dev) != 0)
    target.device = fmt::format("{}:{}", major(info.st_dev), minor(info.st_dev));
  read_alignment(file, target);
  if (!target.device.empty())
    target.rotational = file_line(queue_folder(target, places) + "/rotational").value_or("0") == "1";
  return target;
}

std::vector<HostFact> host_facts(const HostPlaces& places) {
  std::vector<HostFact> facts;
  utsname name{};
  ::uname(&name);
  add(facts, "cpu", value_of(places.proc + "/cpuinfo", "model name"));
  add(facts, "kernel", std::string(name.release));
  add(facts, "memory", value_of(places.proc + "/meminfo", "MemTotal"));
  const std::string flags = value_of(places.proc + "/cpuinfo", "flags").value_or("");
  add(facts, "virtual_machine", std::string(flags.find(" hypervisor") != std::string::npos ? "yes" : "no"));
  add(facts, "numa_nodes", fmt::format("{}", count_of_folders(places.sys + "/devices/system/node", "node")));
  add(facts, "cores_usable", fmt::format("{}", usable_cores(places)));
  const std::optional<double> quota = cpu_quota_cores(places);
  add(facts, "cpu_quota_cores", quota ? fmt::format("{:g}", *quota) : "none");
  add(facts, "cpu_governor", file_line(places.sys + "/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  add(facts, "huge_pages", file_line(places.sys + "/kernel/mm/transparent_hugepage/enabled"));
  const std::optional<std::string> pressure = file_line(places.proc + "/pressure/cpu");
  add(facts, "pressure_cpu", pressure ? std::optional(pressure->substr(0, pressure->find('\n'))) : std::nullopt);
  add(facts, "clock_cost_ns", fmt::format("{:.0f}", 1e9 * clock_cost_s()));
  return facts;
}

std::vector<HostFact> target_facts(const Target& target, const HostPlaces& places) {
  std::vector<HostFact> facts;
  add(facts, "file_system", target.file_system);
  add(facts, "device", target.device.empty() ? "none" : target.device);
  add(facts, "direct_memory_align", fmt::format("{}", target.memory_align));
  add(facts, "direct_offset_align", fmt::format("{}", target.offset_align));
  if (target.device.empty()) return facts;
  const std::string queue = queue_folder(target, places);
  for (const char* key : {"scheduler", "nr_requests", "max_segments", "max_sectors_kb", "read_ahead_kb", "io_poll",
                          "rotational", "write_cache"})
    add(facts, key, file_line(queue + "/" + key));
  add(facts, "io_limit", io_limit(places, target.device).value_or("none"));
  return facts;
}

double clock_cost_s() {
  constexpr int kReadings = 20000;
  const std::uint64_t begin = clock_ns();
  std::uint64_t end = begin;
  for (int i = 0; i < kReadings; ++i) end = clock_ns();
  return seconds_between(begin, end) / kReadings;
}

}  // namespace headrace::models::calibration
