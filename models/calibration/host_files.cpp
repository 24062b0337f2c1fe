#include "models/calibration/host_files.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <locale>
#include <sstream>
#include <thread>

namespace headrace::models::calibration {
namespace {

std::optional<double> number_of(const std::string& text) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  double value = 0.0;
  if (!(in >> value)) return std::nullopt;
  return value;
}

/// The group of this process below the root of version 2: "" or "/a/b".
std::string own_group(const HostPlaces& places) {
  const std::optional<std::string> text = file_start(places.proc + "/self/cgroup");
  if (!text) return "";
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("0::", 0) == 0) return line.substr(3) == "/" ? "" : line.substr(3);
  return "";
}

/// Folders of the process's group and of those around it, innermost first.
std::vector<std::string> groups(const HostPlaces& places) {
  std::vector<std::string> all;
  for (std::string group = own_group(places); !group.empty(); group = group.substr(0, group.rfind('/')))
    all.push_back(places.cgroup + group);
  all.push_back(places.cgroup);
  return all;
}

}  // namespace

std::optional<std::string> file_start(const std::string& path, std::size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text(bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  if (file.bad()) return std::nullopt;
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<std::string> file_line(const std::string& path) {
  std::optional<std::string> text = file_start(path, 4096);
  if (!text) return std::nullopt;
  while (!text->empty() && (text->back() == '\n' || text->back() == ' ' || text->back() == '\0')) text->pop_back();
  return text;
}

std::vector<std::string> fields_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> fields;
  for (std::string field; stream >> field;) fields.push_back(field);
  return fields;
}

std::optional<double> cpu_quota_cores(const HostPlaces& places) {
  std::optional<double> least;
  for (const std::string& group : groups(places)) {
    const std::optional<std::string> text = file_line(group + "/cpu.max");
    if (!text) continue;
    const std::vector<std::string> fields = fields_of(*text);
    if (fields.size() != 2) continue;
    const std::optional<double> quota = number_of(fields[0]);
    const std::optional<double> period = number_of(fields[1]);
    if (!quota || !period || !(*period > 0.0)) continue;
    least = std::min(least.value_or(1e9), *quota / *period);
  }
  return least;
}

std::optional<std::string> io_limit(const HostPlaces& places, const std::string& device) {
  for (const std::string& group : groups(places)) {
    const std::optional<std::string> text = file_start(group + "/io.max");
    if (!text) continue;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
      if (line.rfind(device + " ", 0) == 0) return line.substr(device.size() + 1);
  }
  return std::nullopt;
}

unsigned usable_cores(const HostPlaces& places) {
  unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) cores = static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  const std::optional<double> quota = cpu_quota_cores(places);
  if (quota && *quota < cores) cores = std::max(1U, static_cast<unsigned>(*quota));
  return cores;
}

}  // namespace headrace::models::calibration
