#include "models/calibration/gpu_probes.hpp"
#include "models/calibration/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>

namespace headrace::models::calibration {
namespace {

constexpr const char* kMemoryNames[] = {"pinned", "pageable", "registered"};

GpuArm copy(int direction, int memory, unsigned long long bytes, int streams, bool opposite, bool busy) {
  GpuArm arm;
  arm.arm.kind = HEADRACE_GPU_COPY;
  arm.arm.direction = direction;
  arm.arm.memory = memory;
  arm.arm.bytes = bytes;
  arm.arm.streams = streams;
  arm.arm.opposite = opposite ? 1 : 0;
  arm.arm.busy = busy ? 1 : 0;
  const bool up = direction == HEADRACE_GPU_TO_DEVICE;
  arm.detail = fmt::format("{} {}{}{}", up ? "h2d" : "d2h", kMemoryNames[memory],
                           opposite ? (up ? " beside d2h" : " beside h2d") : "", busy ? " beside a kernel" : "");
  return arm;
}

GpuArm other(int kind, const char* detail, unsigned long long bytes, const char* unit) {
  GpuArm arm;
  arm.arm.kind = kind;
  arm.arm.bytes = bytes;
  arm.arm.streams = 1;
  arm.detail = detail;
  arm.unit = unit;
  return arm;
}

GpuArm direct_read(const GpuFile& file, unsigned long long bytes, int threads, bool registered) {
  GpuArm arm = other(HEADRACE_GPU_DIRECT, "gds", bytes, "B/s");
  arm.arm.streams = threads;
  arm.arm.memory = registered ? HEADRACE_GPU_REGISTERED : HEADRACE_GPU_PAGEABLE;
  arm.arm.file = file.name.c_str();
  arm.arm.file_bytes = file.bytes;
  if (!registered) arm.detail += " unregistered";
  return arm;
}

void add_direct_reads(const std::string& budget, const GpuFile& file, std::vector<GpuArm>& arms) {
  std::vector<unsigned long long> sizes = {64 * kKi, kMi};
  if (budget != "quick") sizes = {64 * kKi, kMi, 4 * kMi, 16 * kMi};
  for (const auto bytes : sizes) {
    if (bytes > file.bytes) continue;
    for (const int threads : {1, 4, 16})
      if (threads < 16 || budget != "quick") arms.push_back(direct_read(file, bytes, threads, true));
    arms.push_back(direct_read(file, bytes, 1, false));
  }
}

/// What reads by cuFile are called by the way that they took.
std::string path_name(const std::string& detail, int path) {
  const std::string rest = detail.substr(3);  // behind "gds"
  if (path == HEADRACE_GPU_PATH_COMPAT) return "gds compat" + rest;
  return path == HEADRACE_GPU_PATH_UNVERIFIED ? "gds unverified" + rest : detail;
}

/// How reads by cuFile went, or why there are none.
void tell_about_direct_reads(int path, const std::string& reason, std::vector<Downgrade>& downgrades) {
  if (!reason.empty())
    downgrades.push_back({"gds", "no_cufile", reason + "; reads and copies are measured separately"});
  if (path == HEADRACE_GPU_PATH_COMPAT)
    downgrades.push_back(
        {"gds", "compat",
         "cuFile was asked, and the counters of nvidia-fs saw no read: the bytes went through memory of "
         "the host"});
  if (path == HEADRACE_GPU_PATH_UNVERIFIED)
    downgrades.push_back({"gds", "unverified",
                          "nvidia-fs is not loaded or does not count (rw_stats_enabled): cuFile may have gone through "
                          "memory of the host"});
}

/// A line through (bytes, seconds), weighted so that relative errors count.
struct CopyLine {
  double fixed_s = 0.0;
  double per_byte_s = 0.0;
  double fixed_error_s = 0.0;
  double per_byte_error_s = 0.0;
  double rms = 0.0;
};

CopyLine line_through(const std::vector<std::pair<double, double>>& points) {
  double s = 0.0;
  double sx = 0.0;
  double sy = 0.0;
  double sxx = 0.0;
  double sxy = 0.0;
  for (const auto& [x, y] : points) {
    const double w = 1.0 / (y * y);
    s += w;
    sx += w * x;
    sy += w * y;
    sxx += w * x * x;
    sxy += w * x * y;
  }
  const double d = s * sxx - sx * sx;
  CopyLine line;
  if (!(d > 0.0)) return line;
  line.per_byte_s = (s * sxy - sx * sy) / d;
  line.fixed_s = (sxx * sy - sx * sxy) / d;
  double squares = 0.0;
  for (const auto& [x, y] : points) {
    const double error = (y - line.fixed_s - line.per_byte_s * x) / y;
    squares += error * error;
  }
  const double variance = squares / static_cast<double>(points.size() - 2);
  line.rms = std::sqrt(squares / static_cast<double>(points.size()));
  line.fixed_error_s = std::sqrt(variance * sxx / d);
  line.per_byte_error_s = std::sqrt(variance * s / d);
  return line;
}

Fit copy_fit(const std::string& detail, const std::vector<std::pair<double, double>>& points) {
  Fit fit;
  fit.parameter = "gpu " + detail + ": time over size";
  fit.count = points.size();
  fit.family = "none";
  if (points.size() < 4) {
    fit.decision = "undetermined: too few sizes";
    return fit;
  }
  const CopyLine line = line_through(points);
  const double t = boost::math::quantile(boost::math::students_t(static_cast<double>(points.size()) - 2.0), 0.975);
  fit.rms_log_error = line.rms;
  const double rate = 1.0 / line.per_byte_s;
  const double low = 1.0 / (line.per_byte_s + t * line.per_byte_error_s);
  const double high_time = line.per_byte_s - t * line.per_byte_error_s;
  if (!(line.per_byte_s > 0.0) || !(high_time > 0.0)) {
    fit.decision = "undetermined: the times do not rise with the size";
    return fit;
  }
  fit.family = "linear";
  fit.numbers.push_back(
      {"fixed_s", line.fixed_s, line.fixed_s - t * line.fixed_error_s, line.fixed_s + t * line.fixed_error_s});
  fit.numbers.push_back({"bytes_per_s", rate, low, 1.0 / high_time});
  fit.chosen = true;
  fit.decision = "t = fixed + bytes / rate";
  return fit;
}

}  // namespace

std::vector<GpuArm> gpu_arm_list(const std::string& budget, const GpuFile& file) {
  std::vector<GpuArm> arms;
  std::vector<unsigned long long> sizes = {4 * kKi, 64 * kKi, 1 * kMi, 16 * kMi, 64 * kMi};
  if (budget != "quick")
    sizes = {4 * kKi, 16 * kKi, 64 * kKi, 256 * kKi, 1 * kMi, 4 * kMi, 16 * kMi, 64 * kMi, 256 * kMi};
  constexpr int kUp = HEADRACE_GPU_TO_DEVICE;
  constexpr int kDown = HEADRACE_GPU_TO_HOST;
  for (const auto bytes : sizes)
    for (const int memory : {HEADRACE_GPU_PINNED, HEADRACE_GPU_PAGEABLE, HEADRACE_GPU_REGISTERED}) {
      arms.push_back(copy(kUp, memory, bytes, 1, false, false));
      if (memory == HEADRACE_GPU_PINNED || budget != "quick")
        arms.push_back(copy(kDown, memory, bytes, 1, false, false));
    }
  for (const int streams : {2, 4}) arms.push_back(copy(kUp, HEADRACE_GPU_PINNED, kMi, streams, false, false));
  arms.push_back(copy(kUp, HEADRACE_GPU_PINNED, 16 * kMi, 1, true, false));
  arms.push_back(copy(kDown, HEADRACE_GPU_PINNED, 16 * kMi, 1, true, false));
  arms.push_back(copy(kUp, HEADRACE_GPU_PINNED, 16 * kMi, 1, false, true));
  arms.push_back(other(HEADRACE_GPU_LAUNCH, "launch", 0, "1/s"));
  arms.push_back(other(HEADRACE_GPU_HBM, "hbm copy", 512 * kMi, "B/s"));
  for (const unsigned long long side : {2048ULL, 4096ULL, 8192ULL})
    arms.push_back(other(HEADRACE_GPU_GEMM, "gemm bf16", side, "FLOP/s"));
  arms.push_back(other(HEADRACE_GPU_RESIZE, "resize", 64 * kMi, "B/s"));
  arms.push_back(other(HEADRACE_GPU_ALL_REDUCE, "all-reduce", 64 * kMi, "B/s"));
  add_direct_reads(budget, file, arms);
  return arms;
}

namespace {

ArmWindow window_of(const GpuDevice& device, const headrace_gpu_arm& arm, double seconds) {
  const GpuWindow window = device.measure(arm, seconds);
  ArmWindow result;
  result.length_s = window.seconds;
  result.rate_per_s = window.seconds > 0.0 ? window.amount / window.seconds : 0.0;
  return result;
}

}  // namespace

ArmWindow copy_to_gpu(const GpuDevice& device, double seconds) {
  return window_of(device, copy(HEADRACE_GPU_TO_DEVICE, HEADRACE_GPU_PINNED, 16 * kMi, 1, false, false).arm, seconds);
}

std::vector<Arm> gpu_arms(const std::shared_ptr<GpuDevice>& device, const std::string& budget, const GpuFile& file,
                          std::vector<Downgrade>& downgrades) {
  std::vector<Arm> arms;
  std::map<std::string, std::string> skipped;                  // by detail
  const auto lasting = std::make_shared<const GpuFile>(file);  // the arms point into it
  int path = HEADRACE_GPU_PATH_NONE;
  for (const GpuArm& entry : gpu_arm_list(budget, *lasting)) {
    if (skipped.count(entry.detail) != 0) continue;
    const GpuWindow tried = device->measure(entry.arm, 0.0);
    if (!tried.skipped.empty()) {
      skipped[entry.detail] = tried.skipped;
      continue;
    }
    path = std::max(path, tried.path);
    Arm arm;
    arm.cell.probe = "gpu";
    arm.cell.detail = entry.arm.kind == HEADRACE_GPU_DIRECT ? path_name(entry.detail, tried.path) : entry.detail;
    arm.cell.unit = entry.unit;
    arm.cell.block_bytes = static_cast<double>(entry.arm.bytes);
    arm.cell.depth = static_cast<std::uint64_t>(std::max(1, entry.arm.streams));
    arm.run = [device, lasting, wanted = entry.arm](const WindowLengths& lengths, std::uint64_t) {
      return window_of(*device, wanted, lengths.window_s);
    };
    arm.window_factor = 0.2;
    arms.push_back(std::move(arm));
  }
  std::string no_cufile;
  for (const auto& [detail, reason] : skipped) {
    if (detail.rfind("gds", 0) == 0)
      no_cufile = reason;
    else
      downgrades.push_back({"gpu_probe", detail, reason});
  }
  tell_about_direct_reads(path, no_cufile, downgrades);
  return arms;
}

std::vector<HostFact> gpu_facts(const GpuDevice& device, int gpu) {
  const headrace_gpu_info& info = device.info();
  return {{"gpu", fmt::format("{}: {}", gpu, info.name)},
          {"gpus", std::to_string(device.count())},
          {"gpu_memory", fmt::format("{:.1f} GiB", info.memory_bytes / 1073741824.0)},
          {"gpu_processors", std::to_string(info.processors)},
          {"cuda", fmt::format("driver {}, runtime {}", info.driver, info.runtime)}};
}

std::vector<Fit> fit_copies(const std::vector<Cell>& cells) {
  std::map<std::string, std::vector<std::pair<double, double>>> by_kind;
  for (const Cell& cell : cells) {
    const bool copies = cell.detail.rfind("h2d", 0) == 0 || cell.detail.rfind("d2h", 0) == 0;
    if (cell.probe != "gpu" || !copies || cell.detail.find("beside") != std::string::npos) continue;
    if (cell.depth != 1 || cell.estimate.verdict == Verdict::undetermined || !(cell.estimate.value > 0.0)) continue;
    by_kind[cell.detail].emplace_back(cell.block_bytes, cell.block_bytes / cell.estimate.value);
  }
  std::vector<Fit> fits;
  for (const auto& [detail, points] : by_kind) fits.push_back(copy_fit(detail, points));
  return fits;
}

}  // namespace headrace::models::calibration
