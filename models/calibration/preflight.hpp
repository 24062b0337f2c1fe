// What can be known about machine and path before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "models/calibration/host_files.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

/// Where the probes read and write.
struct Target {
  std::string file_system;  ///< "ext4", "xfs", "nfs", "tmpfs", ... or the magic number
  bool in_memory = false;   ///< tmpfs: there is no device
  bool remote = false;      ///< over a network: other clients share it
  bool rotational = false;
  std::string device;              ///< "254:0"; empty: none that the kernel counts for
  std::uint32_t memory_align = 0;  ///< of direct I/O; 0: not told
  std::uint32_t offset_align = 0;
  bool direct_refused = false;  ///< statx says that direct I/O is not supported
};

/// Looks at a file of the target.
Target look_at_target(int file, const HostPlaces& places);

/// Facts about the machine, then about the target.
std::vector<HostFact> host_facts(const HostPlaces& places);
std::vector<HostFact> target_facts(const Target& target, const HostPlaces& places);

/// Seconds that one reading of the clock takes.
double clock_cost_s();

}  // namespace headrace::models::calibration
