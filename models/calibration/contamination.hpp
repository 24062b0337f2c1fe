// What else the machine did while a window was measured: processor time of others, time that the hypervisor took, bytes
// of others on the device, pressure. A window counts only when all that can be known is small.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/calibration/host_files.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

struct CleanLimits {
  double other_cpu_cores = 0.15;
  double steal_fraction = 0.01;
  double foreign_bytes_fraction = 0.02;
};

/// Counters of the machine and of this process at one instant.
struct HostCounters {
  std::uint64_t time_ns = 0;
  std::optional<double> busy_s;  ///< user, nice and system time of all cores
  std::optional<double> steal_s;
  double cores = 1.0;
  double own_s = 0.0;  ///< processor time of this process and of its children that ended
  std::optional<double> device_bytes;
};

/// `device` is "major:minor", empty for probes without one.
HostCounters read_counters(const HostPlaces& places, const std::string& device);

/// What happened between two readings in which the probe itself moved `own_bytes`. Device bytes are looked at only
/// where the probe moved some.
Contamination contamination_between(const HostCounters& before, const HostCounters& after, double own_bytes,
                                    const HostPlaces& places);

/// Unknown figures do not disturb.
bool is_clean(const Contamination& contamination, const CleanLimits& limits = {});

}  // namespace headrace::models::calibration
