#include "models/calibration/contamination.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "models/calibration/host_clock.hpp"

namespace headrace::models::calibration {
namespace {

/// Of this process and of the processes that it started and that have ended.
double own_processor_s() {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  double sum_s = 0.0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(whose, &usage);
    sum_s += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum_s;
}

void read_processor(const HostPlaces& places, HostCounters& counters) {
  const std::optional<std::string> text = file_start(places.proc + "/stat", 4096);
  if (!text) return;
  const double tick_s = 1.0 / static_cast<double>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
  std::istringstream lines(*text);
  double cores = 0.0;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.empty() || fields[0].rfind("cpu", 0) != 0) break;
    if (fields[0] != "cpu") {
      cores += 1.0;
      continue;
    }
    if (fields.size() < 5) return;
    const auto ticks = [&fields](std::size_t i) { return std::strtod(fields[i].c_str(), nullptr); };
    counters.busy_s = tick_s * (ticks(1) + ticks(2) + ticks(3));
    if (fields.size() > 8) counters.steal_s = tick_s * ticks(8);
  }
  counters.cores = std::max(cores, 1.0);
}

void read_device(const HostPlaces& places, const std::string& device, HostCounters& counters) {
  if (device.empty()) return;
  const std::optional<std::string> text = file_line(places.sys + "/dev/block/" + device + "/stat");
  if (!text) return;
  const std::vector<std::string> fields = fields_of(*text);
  if (fields.size() < 7) return;
  constexpr double kSector = 512.0;
  counters.device_bytes = kSector * (std::strtod(fields[2].c_str(), nullptr) + std::strtod(fields[6].c_str(), nullptr));
}

/// "some avg10=1.23 ..." of a pressure file.
std::optional<double> pressure(const HostPlaces& places, const char* what) {
  const std::optional<std::string> text = file_line(places.proc + "/pressure/" + what);
  if (!text) return std::nullopt;
  const std::size_t place = text->find("some avg10=");
  if (place == std::string::npos) return std::nullopt;
  return std::strtod(text->c_str() + place + 11, nullptr);
}

}  // namespace

HostCounters read_counters(const HostPlaces& places, const std::string& device) {
  HostCounters counters;
  read_processor(places, counters);
  read_device(places, device, counters);
  counters.own_s = own_processor_s();
  counters.time_ns = clock_ns();
  return counters;
}

Contamination contamination_between(const HostCounters& before, const HostCounters& after, double own_bytes,
                                    const HostPlaces& places) {
  Contamination result;
  const double elapsed = std::max(1e-9, seconds_between(before.time_ns, after.time_ns));
  if (before.busy_s && after.busy_s) {
    const double others = *after.busy_s - *before.busy_s - (after.own_s - before.own_s);
    result.other_cpu_cores = std::max(0.0, others / elapsed);
  }
  if (before.steal_s && after.steal_s)
    result.steal_fraction = std::max(0.0, (*after.steal_s - *before.steal_s) / (elapsed * after.cores));
  if (before.device_bytes && after.device_bytes && own_bytes > 0.0)
    result.foreign_bytes_fraction = std::max(0.0, *after.device_bytes - *before.device_bytes - own_bytes) / own_bytes;
  result.cpu_pressure_percent = pressure(places, "cpu");
  result.io_pressure_percent = pressure(places, "io");
  return result;
}

bool is_clean(const Contamination& contamination, const CleanLimits& limits) {
  return contamination.other_cpu_cores.value_or(0.0) < limits.other_cpu_cores &&
         contamination.steal_fraction.value_or(0.0) < limits.steal_fraction &&
         contamination.foreign_bytes_fraction.value_or(0.0) < limits.foreign_bytes_fraction;
}

}  // namespace headrace::models::calibration
