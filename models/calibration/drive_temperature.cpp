#include "models/calibration/drive_temperature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace headrace::models::calibration {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLevels = 8;  // of arrays on mapped devices on arrays

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_numbered(const fs::path& path, const std::string& prefix) {
  const std::string name = path.filename().string();
  return name.size() > prefix.size() && name.rfind(prefix, 0) == 0 &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

/// Folders of the drives that a block device ends at.
void add_drives(const fs::path& device, int levels, std::vector<fs::path>& drives) {
  std::error_code error;
  fs::path real = fs::canonical(device, error);
  if (error || levels == 0) return;
  if (fs::exists(real / "partition", error)) real = real.parent_path();
  const std::vector<fs::path> members = entries_of(real / "slaves");
  for (const fs::path& member : members) add_drives(member, levels - 1, drives);
  if (members.empty() && std::find(drives.begin(), drives.end(), real) == drives.end()) drives.push_back(real);
}

/// Folders with sensors of a drive. That of nvme hangs at the controller or, by the kernel's version, at its PCI
/// device; with several paths the device is a subsystem, whose controllers are beside the drive.
std::vector<fs::path> sensors_of(const fs::path& drive) {
  const fs::path device = drive / "device";
  std::vector<fs::path> holders{device, device / "device"};
  for (const fs::path& entry : entries_of(device))
    if (is_numbered(entry, "nvme")) holders.push_back(entry);
  std::vector<fs::path> sensors;
  for (const fs::path& holder : holders)
    for (const fs::path& folder : {holder, holder / "hwmon"})
      for (const fs::path& entry : entries_of(folder))
        if (is_numbered(entry, "hwmon")) sensors.push_back(entry);
  return sensors;
}

/// A file with thousandths of a degree.
std::optional<double> celsius_in(const fs::path& file) {
  const std::optional<std::string> text = file_line(file.string());
  if (!text || text->empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  return *end == '\0' ? std::optional(value / 1000.0) : std::nullopt;
}

/// A limit; drives without one tell 0 or more than any drive bears.
std::optional<double> limit_in(const fs::path& file) {
  constexpr double kNoDriveBearsC = 200.0;
  const std::optional<double> value = celsius_in(file);
  return value && *value > 0.0 && *value < kNoDriveBearsC ? value : std::nullopt;
}

std::optional<DriveTemperature> hottest_of(const fs::path& drive) {
  std::optional<DriveTemperature> hottest;
  for (const fs::path& sensor : sensors_of(drive)) {
    const std::optional<double> now = celsius_in(sensor / "temp1_input");
    if (!now || (hottest && hottest->celsius >= *now)) continue;
    hottest = DriveTemperature{drive.filename().string(), *now, limit_in(sensor / "temp1_max"),
                               file_line((sensor / "temp1_alarm").string()).value_or("0") == "1"};
    if (!hottest->warning_celsius) hottest->warning_celsius = limit_in(sensor / "temp1_crit");
  }
  return hottest;
}

}  // namespace

std::vector<DriveTemperature> drive_temperatures(const HostPlaces& places, const std::string& device) {
  std::vector<DriveTemperature> temperatures;
  if (device.empty()) return temperatures;
  std::vector<fs::path> drives;
  add_drives(fs::path(places.sys) / "dev" / "block" / device, kMostLevels, drives);
  for (const fs::path& drive : drives)
    if (auto temperature = hottest_of(drive)) temperatures.push_back(std::move(*temperature));
  return temperatures;
}

std::string temperature_text(const std::vector<DriveTemperature>& drives) {
  std::string text;
  for (const DriveTemperature& drive : drives) {
    text += fmt::format("{}{} {:.1f} C", text.empty() ? "" : ", ", drive.drive, drive.celsius);
    text += drive.warning_celsius ? fmt::format(" of {:.1f} C", *drive.warning_celsius) : " of unknown";
    if (drive.alarm) text += ", alarm";
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace headrace::models::calibration
