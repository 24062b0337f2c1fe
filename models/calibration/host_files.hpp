// What the kernel tells about the machine in files. The places can be moved, so that tests show a machine of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headrace::models::calibration {

struct HostPlaces {
  std::string proc = "/proc";
  std::string sys = "/sys";
  std::string cgroup = "/sys/fs/cgroup";  ///< of the calling process (version 2)
};

/// The first `bytes` of a file; nullopt when it cannot be read.
std::optional<std::string> file_start(const std::string& path, std::size_t bytes = 65536);
/// The same without white space at its end.
std::optional<std::string> file_line(const std::string& path);
/// Its fields, split at blanks and line ends.
std::vector<std::string> fields_of(const std::string& text);

/// Processor quota of a cgroup in cores ("50000 100000" in cpu.max is 0.5); nullopt without one. Looks at
/// `places.cgroup` and at every group around it that /proc/self/cgroup names.
std::optional<double> cpu_quota_cores(const HostPlaces& places);

/// Lines of io.max that name the device "major:minor".
std::optional<std::string> io_limit(const HostPlaces& places, const std::string& device);

/// Cores that this process may use: of its affinity, and not more than its quota, rounded down but at least 1.
unsigned usable_cores(const HostPlaces& places);

}  // namespace headrace::models::calibration
