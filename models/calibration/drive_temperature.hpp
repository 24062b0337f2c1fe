// Temperatures of the drives behind a device, as their drivers tell everybody (hwmon: nvme, and drivetemp for SATA). A
// drive that is too hot slows itself down, and its figures would be those of its heat.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/calibration/host_files.hpp"

namespace headrace::models::calibration {

struct DriveTemperature {
  std::string drive;  ///< "nvme0n1"
  double celsius = 0.0;
  std::optional<double> warning_celsius;  ///< from which on the drive counts as too warm; its critical one otherwise
  bool alarm = false;                     ///< the drive itself says that it is too warm

  bool is_hot() const { return alarm || (warning_celsius && celsius >= *warning_celsius); }
};

/// Of the drives behind "major:minor": the disk of a partition, the members of an array or a mapped device. Drives that
/// do not tell are left out.
std::vector<DriveTemperature> drive_temperatures(const HostPlaces& places, const std::string& device);

/// Each with its warning: "nvme0n1 38.9 C of 81.9 C, nvme1n1 ..."; "unknown" for none.
std::string temperature_text(const std::vector<DriveTemperature>& drives);

}  // namespace headrace::models::calibration
