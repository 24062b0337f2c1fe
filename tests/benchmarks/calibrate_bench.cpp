// How long `headrace calibrate --budget quick` takes and how much memory, in a folder of this machine (TMPDIR): 90 s
// and 512 MB are what it may.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "models/calibration/calibrate.hpp"

namespace {

using headrace::models::calibration::Calibration;
using headrace::models::calibration::CalibrationRequest;

void print_line(const char* name, double value, const char* unit, double bar) {
  std::printf(
      "{\"name\": \"%s\", \"value\": %.4g, \"unit\": \"%s\", \"ratio\": %.3g, \"against\": \"the limit\", "
      "\"bar\": 1, \"ok\": %s}\n",
      name, value, unit, value / bar, value <= bar ? "true" : "false");
  std::fflush(stdout);
}

}  // namespace

int main() {
  CalibrationRequest request;
  request.path = std::filesystem::temp_directory_path().string();
  const auto begin = std::chrono::steady_clock::now();
  const Calibration record = headrace::models::calibration::calibrate(request, {}, nullptr);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  print_line("calibrate, quick budget", seconds, "s", 90.0);
  print_line("calibrate, quick budget, memory", 1024.0 * static_cast<double>(usage.ru_maxrss) / 1e6, "MB", 512.0);
  return record.cells.empty() ? 1 : 0;
}
