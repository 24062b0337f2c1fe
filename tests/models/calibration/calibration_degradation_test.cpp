// What a calibration says of a machine that tells nothing about itself.
#include <filesystem>
#include <string>

#include "models/calibration/calibrate.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {

TEST_CASE("what the kernel does not tell is named, and windows count as clean by what is known") {
  CalibrationRequest request;
  request.path = std::filesystem::temp_directory_path().string();
  request.only = {"write"};
  request.file_bytes = 1 << 20;
  request.window_s = 0.01;
  request.places = {"/nowhere/proc", "/nowhere/sys", "/nowhere/cgroup"};
  const Calibration record = calibrate(request, {}, nullptr);
  std::string reason;
  for (const Downgrade& d : record.downgrades)
    if (d.field == "contamination" && d.value == "partial" && reason.empty()) reason = d.reason;
  CHECK(reason.find("/proc/stat") != std::string::npos);
  CHECK(reason.find("/proc/pressure/io") != std::string::npos);
  for (const Cell& cell : record.cells)
    for (const Window& window : cell.windows) {
      CHECK(window.clean);
      CHECK_FALSE(window.contamination.other_cpu_cores);
    }
}

}  // namespace headrace::models::calibration
