#include "models/calibration/calibrate.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <system_error>

#include "models/calibration/arms.hpp"
#include "models/calibration/concurrency_fit.hpp"
#include "models/calibration/contamination.hpp"
#include "models/calibration/contention_probes.hpp"
#include "models/calibration/cpu_probes.hpp"
#include "models/calibration/dependence_fit.hpp"
#include "models/calibration/drive_temperature.hpp"
#include "models/calibration/engine_choice.hpp"
#include "models/calibration/gpu_probes.hpp"
#include "models/calibration/gpu_state.hpp"
#include "models/calibration/host_clock.hpp"
#include "models/calibration/latency_fit.hpp"
#include "models/calibration/memory_probes.hpp"
#include "models/calibration/metadata_probes.hpp"
#include "models/calibration/noise_fit.hpp"
#include "models/calibration/parameters.hpp"
#include "models/calibration/preflight.hpp"
#include "models/calibration/scratch.hpp"
#include "models/calibration/sizes.hpp"
#include "models/calibration/storage_probes.hpp"
#include "models/calibration/worker_probes.hpp"

namespace headrace::models::calibration {
namespace {

constexpr std::uint64_t kLeastFile = 64 * kMi;

/// How long each group of probes may take, s.
struct GroupTimes {
  const char* name;
  const char* what;
  double quick_s;
  double normal_s;
  double full_s;
};

constexpr GroupTimes kGroups[] = {
    {"write", "writes the data file, 1 MiB at depth 8", 6, 20, 120},
    {"random_read", "random reads over block size, depth and buffers", 30, 140, 880},
    {"noise", "one random read over and over: how much its rate differs by itself", 0, 12, 60},
    {"sequential_read", "reads in sequence: direct, cold and cached", 7, 36, 120},
    {"open_loop", "latency against load, reads of 4 KiB that arrive at random", 0, 40, 120},
    {"metadata", "open, stat, read, close, list", 6, 40, 120},
    {"memory", "first touch, mapped files", 4, 15, 60},
    {"cpu", "copies, checksums, decoding", 8, 30, 120},
    {"workers", "decoding by 1, 2, 4 ... workers, up to twice the cores", 5, 20, 90},
    {"contention", "pairs of activities at the same time", 7, 30, 180},
    {"gpu", "copies to and from the GPU, launches, memory, matrix products, cuFile", 10, 60, 180},
};

double time_of(const GroupTimes& group, const std::string& budget) {
  return budget == "quick" ? group.quick_s : budget == "normal" ? group.normal_s : group.full_s;
}

std::uint64_t wanted_file_bytes(const CalibrationRequest& request) {
  if (request.file_bytes) return std::max(kMi, static_cast<std::uint64_t>(*request.file_bytes) / kMi * kMi);
  return (request.budget == "quick" ? 2048 : request.budget == "normal" ? 8192 : 32768) * kMi;
}

/// Whether a group reads or writes the drive.
bool uses_storage(std::string_view group) { return group != "cpu" && group != "workers" && group != "gpu"; }

bool is_wanted(const CalibrationRequest& request, const GroupTimes& group) {
  if (std::string_view(group.name) == "gpu" && !request.gpu) return false;
  if (request.only.empty()) return time_of(group, request.budget) > 0.0;
  return std::find(request.only.begin(), request.only.end(), group.name) != request.only.end();
}

/// One run.
class Run {
 public:
  Run(const CalibrationRequest& request, const std::stop_token& stop,
      const std::function<void(const CalibrationProgress&)>& tell)
      : request_(request), stop_(stop), tell_(tell), scratch_(request.path), begin_ns_(clock_ns()) {
    for (const PlannedProbe& probe : plan_probes(request)) planned_s_ += probe.planned_s;
  }

  Calibration run();

 private:
  void look_around();
  void tell_what_is_hidden();
  void take_engine();
  bool is_too_hot();
  bool is_throttled();
  void note_temperature(const char* when);
  bool has_group(std::string_view name) const;
  void open_data_file();
  void open_direct(const std::string& name);
  void check_written();
  void check_direct_is_direct();
  void check_cache_control();
  void run_group(const GroupTimes& group);
  std::vector<Arm> arms_of(const std::string& group);
  std::vector<Arm> reachable(std::vector<Arm> arms);
  std::vector<Arm> metadata_group(unsigned cores);
  std::vector<Arm> gpu_group();
  GpuCopy gpu_copy() const;
  double peak_of_small_reads() const;
  void fit_reads(const std::vector<MeasuredArm>& arms);
  bool is_cache_suspect(const Cell& cell) const;
  void write_data(const RoundRule& rule);
  void downgrade(const char* field, std::string value, std::string reason) {
    record_.downgrades.push_back({field, std::move(value), std::move(reason)});
  }
  RoundRule rule_of(const GroupTimes& group) const;
  RoundContext context();
  double used_s() const { return seconds_between(begin_ns_, clock_ns()); }

  const CalibrationRequest& request_;
  std::stop_token stop_;
  const std::function<void(const CalibrationProgress&)>& tell_;
  Scratch scratch_;
  Calibration record_;
  Target target_;
  std::unique_ptr<IoEngine> engine_;
  DataFile file_;
  OpenFile writable_;
  std::uint64_t begin_ns_;
  std::uint64_t heat_asked_ns_ = 0;
  bool too_hot_ = false;
  std::unique_ptr<GpuMonitor> gpu_monitor_;  ///< of the GPU that is measured
  std::uint64_t throttle_asked_ns_ = 0;
  bool throttled_ = false;
  double planned_s_ = 0.0;
  std::string phase_;
};

void Run::look_around() {
  record_.tool_version = request_.tool_version;
  record_.date = request_.date;
  record_.seed = request_.seed;
  record_.path = request_.path;
  record_.budget.name = request_.budget;
  record_.budget.planned_s = planned_s_;
  record_.host = host_facts(request_.places);
  if (const auto quota = cpu_quota_cores(request_.places))
    downgrade("cpu_quota", fmt::format("{:g}", *quota), "the cgroup's cpu.max limits the cores that can be measured");
  if (::geteuid() != 0)
    downgrade("metadata_cold", "skipped", "dropping the cached names of files needs root; it is not faked");
  else if (request_.budget != "full")
    downgrade("metadata_cold", "skipped",
              "dropping the cached names of files disturbs the whole machine: --budget full");
  for (const std::string& codec : missing_codecs())
    downgrade("codec", codec, "the program was built without the library");
  tell_what_is_hidden();
}

void Run::note_temperature(const char* when) {
  const auto drives = drive_temperatures(request_.places, target_.device);
  record_.host.push_back({when, temperature_text(drives)});
}

bool Run::has_group(std::string_view name) const {
  return std::any_of(std::begin(kGroups), std::end(kGroups),
                     [&](const GroupTimes& group) { return name == group.name && is_wanted(request_, group); });
}

/// Whether the GPU slows itself down; asked at most once a second.
bool Run::is_throttled() {
  if (throttled_ || seconds_between(throttle_asked_ns_, clock_ns()) < 1.0) return throttled_;
  throttle_asked_ns_ = clock_ns();
  const GpuState state = gpu_monitor_->now();
  throttled_ = state.is_throttled();
  if (throttled_)
    downgrade("gpu_throttled", gpu_state_text(state),
              "the GPU reduced its clocks, so its probes stopped; let it cool down and measure again");
  return throttled_;
}

/// What the kernel does not tell about others.
void Run::tell_what_is_hidden() {
  const HostCounters now = read_counters(request_.places, "");
  const Contamination known = contamination_between(now, now, 0.0, request_.places);
  std::string hidden;
  const auto look = [&hidden](const std::optional<double>& figure, const char* what) {
    if (!figure) hidden.append(hidden.empty() ? "" : ", ").append(what);
  };
  look(known.other_cpu_cores, "processor time of others (/proc/stat)");
  look(known.steal_fraction, "stolen time (/proc/stat)");
  look(known.cpu_pressure_percent, "pressure on processors (/proc/pressure/cpu)");
  look(known.io_pressure_percent, "pressure on devices (/proc/pressure/io)");
  if (!hidden.empty())
    downgrade("contamination", "partial",
              "the kernel does not report: " + hidden + "; the other facts decide whether a window is clean");
}

void Run::take_engine() {
  const bool deep = request_.budget == "full" || has_group("open_loop");
  EngineChoice choice = choose_engine(request_.engine, deep ? kMostIoThreads : 64);
  engine_ = std::move(choice.engine);
  for (Downgrade& d : choice.downgrades) record_.downgrades.push_back(std::move(d));
  record_.engine = engine_->name();
  record_.engine_flags = engine_->flags();
}

/// Whether the drive may go on. A drive is asked at most once a second, since it answers with a command of its own.
bool Run::is_too_hot() {
  if (too_hot_ || seconds_between(heat_asked_ns_, clock_ns()) < 1.0) return too_hot_;
  heat_asked_ns_ = clock_ns();
  for (const DriveTemperature& drive : drive_temperatures(request_.places, target_.device)) {
    if (!drive.is_hot() || too_hot_) continue;
    too_hot_ = true;
    downgrade(
        "drive_temperature", temperature_text({drive}),
        fmt::format("{} is at or above its warning: probes of storage stopped; let it cool down and measure again",
                    drive.drive));
  }
  return too_hot_;
}

void Run::open_direct(const std::string& name) {
  const int descriptor = ::open(name.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC);
  if (descriptor < 0) {
    downgrade("direct", "buffered",
              fmt::format("opening past the page cache: {}; reads drop the file's pages before", std::strerror(errno)));
    return;
  }
  file_.direct = OpenFile(descriptor);
}

void Run::open_data_file() {
  const std::string name = scratch_.path("data");
  writable_ = OpenFile(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!writable_.is_open())
    throw CalibrationError(fmt::format("cannot write in '{}': {}", scratch_.path(), std::strerror(errno)),
                           "give a folder that you may write to");
  target_ = look_at_target(writable_.get(), request_.places);
  for (HostFact& fact : target_facts(target_, request_.places)) record_.host.push_back(std::move(fact));
  note_temperature("drive_temperature_start");
  if (target_.in_memory)
    downgrade("device", "memory", "the folder is in memory (tmpfs): no device is measured");
  else if (target_.device.empty())
    downgrade("contamination", "partial",
              "the kernel counts no bytes for this file system: those of others are unknown");
  else if (drive_temperatures(request_.places, target_.device).empty())
    downgrade("contamination", "partial",
              "the drive does not report its temperature (hwmon): heat may have slowed it down");
  if (const auto limit = io_limit(request_.places, target_.device); limit && !target_.device.empty())
    downgrade("io_limit", *limit, "the cgroup's io.max limits the device; it is measured within it");
  file_.bytes = planned_file_bytes(request_);
  if (file_.bytes > 0 && file_.bytes < wanted_file_bytes(request_))
    downgrade("file_size", fmt::format("{} MiB", file_.bytes / kMi),
              "at most a quarter of the free space; such a small file may fit into caches of device and host");
  if (file_.bytes == 0)
    throw CalibrationError(fmt::format("'{}' has not enough free space for the data file", request_.path),
                           "a quarter of the free space must be at least 64 MiB");
  if (target_.direct_refused)
    downgrade("direct", "buffered",
              "the file system says that it has no direct I/O; reads drop the file's pages before");
  else
    open_direct(name);
  file_.buffered = OpenFile(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
}

RoundRule Run::rule_of(const GroupTimes& group) const {
  RoundRule rule;
  rule.budget_s = std::max(time_of(group, request_.budget), request_.only.empty() ? 0.0 : 4.0);
  if (request_.window_s) {
    rule.lengths.window_s = *request_.window_s;
    rule.lengths.warm_up_s = 0.2 * *request_.window_s;
    rule.budget_s *= std::min(1.0, *request_.window_s / 0.5);
  }
  rule.estimate.accept_noisy = request_.accept_noisy;
  if (std::string_view(group.name) == "noise") {  // steady or not, the whole time is looked at
    const double window_s = rule.lengths.warm_up_s + kNoiseWindowFactor * rule.lengths.window_s;
    rule.least_rounds = rule.most_rounds =
        std::max<std::uint64_t>(3, static_cast<std::uint64_t>(rule.budget_s / window_s));
  }
  return rule;
}

RoundContext Run::context() {
  RoundContext context;
  context.places = request_.places;
  context.device = target_.device;
  context.seed = request_.seed;
  context.begin_ns = begin_ns_;
  // A machine under load takes longer; the shortest budget keeps its word all the same.
  constexpr double kMostOverPlan = 1.15;
  constexpr double kShortestDeadlineS = 60.0;
  const double deadline_s = std::max(kMostOverPlan * planned_s_ + 1.0, kShortestDeadlineS);
  context.deadline_ns = begin_ns_ + static_cast<std::uint64_t>(1e9 * deadline_s);
  context.stop = stop_;
  context.check = [this] { scratch_.check_is_there(); };
  if (uses_storage(phase_)) context.enough = [this] { return is_too_hot(); };
  if (gpu_monitor_ && phase_ == "gpu") context.enough = [this] { return is_throttled(); };
  context.tell = [this](double) {
    if (!tell_) return;
    const double fraction = std::min(0.99, used_s() / std::max(planned_s_, 1.0));
    tell_({phase_, fraction, std::max(0.0, planned_s_ - used_s())});
  };
  return context;
}

void Run::write_data(const RoundRule& rule) {
  const int file = file_.direct.is_open() ? file_.direct.get() : writable_.get();
  const std::uint64_t wanted = file_.bytes;
  RoundRule writing = rule;
  writing.lengths.window_s = std::min(rule.lengths.window_s, 0.12);
  record_.cells.push_back(write_file(*engine_, file, file_.bytes, writing, context()).cell);
  if (stop_.stop_requested()) return;
  if (file_.bytes < wanted && !too_hot_)
    downgrade("file_size", fmt::format("{} MiB", file_.bytes / kMi), "the device writes too slowly for a larger file");
  ::fdatasync(writable_.get());
  check_written();
  if (file_.direct.is_open()) check_direct_is_direct();
  if (!file_.direct.is_open()) check_cache_control();
}

/// Without direct I/O pages are dropped before each window. Do they go?
void Run::check_cache_control() {
  drop_pages(file_.buffered.get());
  const double stays = resident_share(file_.buffered.get(), 0, file_.bytes);
  if (stays >= 0.0 && stays < 0.01)
    downgrade("cache_control", "fadvise", "POSIX_FADV_DONTNEED drops the file's pages; under 1 % of them stay");
  else
    downgrade("cache_control", "none",
              stays < 0.0 ? std::string("the kernel does not report which pages of the file are in memory")
                          : fmt::format("{:.0f} % of the file's pages stay in memory: reads may never see a device",
                                        100.0 * stays));
}

void Run::check_written() {
  const double unwritten = unwritten_share(writable_.get(), file_.bytes);
  if (unwritten > 0.001)
    throw CalibrationError(fmt::format("{:.1f} % of the data file were never written", 100.0 * unwritten),
                           "reading holes measures nothing; this file system is not understood");
  record_.host.push_back({"extents", unwritten < 0.0 ? "unknown" : "written"});
}

/// A file system may accept O_DIRECT and read through its cache all the same.
void Run::check_direct_is_direct() {
  drop_pages(file_.buffered.get());
  const std::uint64_t bytes = std::min<std::uint64_t>(file_.bytes, 16 * kMi);
  const BlockBuffers buffer(1, static_cast<std::uint32_t>(kMi), BufferLayout::scattered);
  for (std::uint64_t at = 0; at + kMi <= bytes; at += kMi)
    if (::pread(file_.direct.get(), buffer.block(0), kMi, static_cast<off_t>(at)) < 0) return;
  if (resident_share(file_.buffered.get(), 0, bytes) < 0.01) return;
  file_.direct = OpenFile();
  if (!target_.in_memory)
    downgrade("direct", "page cache", "the file system accepts O_DIRECT but reads through the page cache");
  else
    downgrade("direct", "memory", "tmpfs accepts O_DIRECT, but its files are the page cache");
}

std::vector<Arm> Run::arms_of(const std::string& group) {
  const std::string& budget = request_.budget;
  if (group == "random_read")
    return random_read_arms(*engine_, file_,
                            budget == "quick"    ? quick_random_cells()
                            : budget == "normal" ? normal_random_cells()
                                                 : full_random_cells(),
                            stop_);
  if (group == "noise") return noise_arms(*engine_, file_, stop_);
  if (group == "open_loop") return open_loop_arms(*engine_, file_, peak_of_small_reads(), stop_);
  if (group == "gpu") return gpu_group();
  const unsigned cores = usable_cores(request_.places);
  if (group == "sequential_read") return sequential_arms(*engine_, file_, budget != "quick", cores, stop_);
  if (group == "metadata") return metadata_group(cores);
  if (group == "memory") return memory_arms(file_, stop_);
  if (group == "cpu") return cpu_arms(cores, stop_);
  if (group == "workers") return worker_arms(cores, stop_);
  return contention_arms(*engine_, file_, cores, gpu_copy(), stop_);
}

/// The highest rate of 4 KiB reads that was seen; measured cells or, where none were asked for, a guess.
double Run::peak_of_small_reads() const {
  double peak = 0.0;
  for (const Cell& cell : record_.cells)
    if (cell.probe == "random_read" && cell.block_bytes == 4096.0)
      for (const Window& window : cell.windows) peak = std::max(peak, window.rate_per_s);
  return peak > 0.0 ? peak : 10000.0;
}

/// Copies to the GPU that was asked for; none where there is none, which the group of the GPU tells.
GpuCopy Run::gpu_copy() const {
  if (!request_.gpu) return {};
  try {
    const auto device = std::make_shared<const GpuDevice>(request_.gpu_library, *request_.gpu);
    return [device](double seconds) { return copy_to_gpu(*device, seconds); };
  } catch (const NoGpu&) {
    return {};
  }
}

/// The arms of the GPU, or none with the reason in the record.
std::vector<Arm> Run::gpu_group() {
  try {
    const auto device = std::make_shared<GpuDevice>(request_.gpu_library, *request_.gpu);
    gpu_monitor_ = std::make_unique<GpuMonitor>(device->info().bus);
    record_.host.push_back({"gpu_clocks_start", gpu_state_text(gpu_monitor_->now())});
    for (HostFact& fact : gpu_facts(*device, *request_.gpu)) record_.host.push_back(std::move(fact));
    return gpu_arms(device, request_.budget, {scratch_.path("data"), too_hot_ ? 0 : file_.bytes}, record_.downgrades);
  } catch (const NoGpu& missing) {
    downgrade("gpu", missing.what,
              missing.reason + (request_.gpu_model ? "; figures of GPUs come from the catalogue"
                                                   : "; --gpu-model NAME puts figures of the catalogue in its place"));
    return {};
  }
}

std::vector<Arm> Run::metadata_group(unsigned cores) {
  const bool quick = request_.budget == "quick";
  // Dropping the kernel's names disturbs everybody on the machine: only in the longest budget, and only as root.
  const bool cold_names = ::geteuid() == 0 && request_.budget == "full";
  const MetadataFolder folder =
      make_files(scratch_.path("files"), quick ? 1000 : 20000, quick ? 0 : 1000, quick ? 32 : 256);
  return metadata_arms(folder, cores, cold_names, stop_);
}

/// Laws for what was measured: latencies of single reads, throughput over depth, stretches of stalls.
void Run::fit_reads(const std::vector<MeasuredArm>& arms) {
  std::map<std::pair<double, std::string>, std::vector<Throughput>> curves;
  for (const MeasuredArm& arm : arms) {
    const Cell& cell = arm.cell;
    if (cell.estimate.verdict == Verdict::undetermined) continue;
    const std::string name = fmt::format("random_read {:g} KiB {}", cell.block_bytes / 1024.0, cell.buffers);
    auto& curve = curves[{cell.block_bytes, name}];
    const bool all = cell.estimate.clean_windows < 3;
    for (const Window& window : cell.windows)
      if (window.clean || all) curve.push_back({static_cast<double>(cell.depth), window.rate_per_s});
    if (cell.block_bytes != 4096.0 || cell.buffers != "scattered") continue;
    const std::string what = fmt::format("{} depth {}", name, cell.depth);
    for (Fit& fit : fit_latency(arm.odd, arm.even, cell.lag1.value_or(0.0), what + ": latency"))
      record_.fits.push_back(std::move(fit));
    const auto pieces = static_cast<std::size_t>(cell.windows.front().length_s / 0.05 + 1e-6);
    record_.fits.push_back(fit_dependence(cell.series_per_s, pieces, cell.lag1, what + ": dependence"));
  }
  for (const auto& [key, points] : curves)
    for (Fit& fit : fit_throughput(points, key.second + ": rate over depth")) record_.fits.push_back(std::move(fit));
}

/// Without the arms whose depth the engine cannot keep: through the page cache some do one operation after the other.
std::vector<Arm> Run::reachable(std::vector<Arm> arms) {
  if (file_.direct.is_open() || engine_->keeps_depth_in_page_cache()) return arms;
  const auto left_out = std::erase_if(arms, [](const Arm& arm) {
    const std::string& probe = arm.cell.probe;
    return arm.cell.depth > 1 &&
           (probe == "random_read" || probe == "open_loop" || probe == "contention" || probe == "noise");
  });
  if (left_out > 0)
    downgrade("engine_depth", "1",
              fmt::format("{} through the page cache does one read after the other: {} {} cells are left out",
                          engine_->name(), left_out, phase_));
  return arms;
}

void Run::run_group(const GroupTimes& group) {
  phase_ = group.name;
  const RoundRule rule = rule_of(group);
  if (uses_storage(phase_) && is_too_hot()) return;
  if (phase_ == "write") return write_data(rule);
  std::vector<Arm> wanted = reachable(arms_of(phase_));  // before the context: it may find a GPU to watch
  std::vector<MeasuredArm> arms = run_rounds(std::move(wanted), rule, context());
  const std::size_t all = arms.size();
  std::erase_if(arms, [](const MeasuredArm& arm) { return arm.cell.windows.empty(); });
  if (arms.size() < all && !stop_.stop_requested() && !(too_hot_ && uses_storage(phase_)) && !throttled_)
    downgrade("budget", fmt::format("{} of {} {} cells", arms.size(), all, phase_),
              "the machine was too busy to measure all of them in time");
  if (phase_ == "random_read") fit_reads(arms);
  if (phase_ == "noise")
    for (const MeasuredArm& arm : arms)
      record_.fits.push_back(fit_noise(arm.cell.series_per_s, "random_read 4 KiB depth 8: noise over window length"));
  for (MeasuredArm& arm : arms) {
    if (is_cache_suspect(arm.cell)) arm.cell.flags.emplace_back("cache_suspect");
    record_.cells.push_back(std::move(arm.cell));
  }
  if (phase_ == "gpu")
    for (Fit& fit : fit_copies(record_.cells)) record_.fits.push_back(std::move(fit));
  if (phase_ == "gpu" && gpu_monitor_) record_.host.push_back({"gpu_clocks_end", gpu_state_text(gpu_monitor_->now())});
  if (phase_ == "workers")
    if (std::optional<Fit> fit = fit_workers(record_.cells, usable_cores(request_.places)))
      record_.fits.push_back(std::move(*fit));
  if (phase_ == "contention")
    for (Fit& fit : fit_contention(record_.cells)) record_.fits.push_back(std::move(fit));
}

/// Reads through the page cache of a file that memory could hold twice over, and any of one that had to be small.
bool Run::is_cache_suspect(const Cell& cell) const {
  const bool reads = cell.probe == "random_read" || cell.probe == "open_loop" ||
                     (cell.probe == "sequential_read" && cell.detail != "cached");
  if (reads && file_.bytes < wanted_file_bytes(request_)) return true;
  const bool device = (cell.probe == "random_read" && !cell.direct) || cell.detail == "cold";
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return device && static_cast<double>(file_.bytes) < 2.0 * memory;
}

Calibration Run::run() {
  look_around();
  take_engine();
  open_data_file();
  // The file is always written, since most probes read it; who did not ask for it gets no figure.
  for (const GroupTimes& group : kGroups)
    if ((is_wanted(request_, group) || std::string(group.name) == "write") && !stop_.stop_requested()) run_group(group);
  note_temperature("drive_temperature_end");
  record_.interrupted = stop_.stop_requested();
  const ParameterNames names{request_.store, request_.pool, target_.remote};
  add_parameters(record_, names);
  if (request_.gpu_model && !gpu_monitor_) {
    downgrade("gpu", "catalogue",
              fmt::format("no GPU was measured: figures of {} from the catalogue, +-{:.0f} %",
                          request_.gpu_model->model, 100.0 * kCatalogueSpread));
    add_catalogue_gpu(record_, *request_.gpu_model, names);
  }
  record_.budget.used_s = used_s();
  return std::move(record_);
}

/// What the kernel said, with what to do about it.
[[noreturn]] void tell_failure(const IoFailure& failure, const std::string& path) {
  const char* fix = failure.error() == ENOSPC || failure.error() == EDQUOT
                        ? "the disk is full: give another folder, or a smaller --size"
                    : failure.error() == ENOENT || failure.error() == ESTALE || failure.error() == EIO
                        ? "the folder or its device vanished, or it is broken"
                        : "the kernel rejected an operation of a probe";
  throw CalibrationError(fmt::format("'{}': {}", path, failure.what()), fix);
}

}  // namespace

std::uint64_t planned_file_bytes(const CalibrationRequest& request) {
  const std::uint64_t wanted = wanted_file_bytes(request);
  const std::uint64_t bytes = std::min(wanted, free_bytes(request.path) / 4) / kMi * kMi;
  return bytes < std::min(kLeastFile, wanted) ? 0 : bytes;
}

std::vector<PlannedProbe> plan_probes(const CalibrationRequest& request) {
  std::vector<PlannedProbe> plan;
  const double factor = request.window_s ? std::min(1.0, *request.window_s / 0.5) : 1.0;
  for (const GroupTimes& group : kGroups) {
    const bool wanted = is_wanted(request, group);
    if (!wanted && std::string(group.name) != "write") continue;
    const double least = request.only.empty() ? 0.0 : 4.0;
    plan.push_back({group.name, group.what, factor * std::max(least, time_of(group, request.budget))});
  }
  return plan;
}

Calibration calibrate(const CalibrationRequest& request, const std::stop_token& stop,
                      const std::function<void(const CalibrationProgress&)>& tell) {
  try {
    return Run(request, stop, tell).run();
  } catch (const IoFailure& failure) {
    tell_failure(failure, request.path);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    throw CalibrationError(fmt::format("the system starts no more threads: {}", error.what()),
                           "raise the limit of processes: ulimit -u, or pids.max of the control group");
  } catch (const std::bad_alloc&) {
    throw CalibrationError("there is not enough memory for the buffers of the probes", "free about 512 MB");
  }
}

}  // namespace headrace::models::calibration
