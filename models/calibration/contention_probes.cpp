#include "models/calibration/contention_probes.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "models/calibration/cpu_probes.hpp"

namespace headrace::models::calibration {
namespace {

constexpr std::uint32_t kReadBytes = 128 * 1024;
constexpr std::uint32_t kDepth = 8;
constexpr std::size_t kCopied = std::size_t{16} << 20;

/// Work that runs beside a window until the object goes away.
class Beside {
 public:
  Beside(const Work& work, unsigned threads) {
    for (unsigned i = 0; i < threads; ++i)
      threads_.emplace_back([this, work, i](const std::stop_token& stop) {
        try {
          while (!stop.stop_requested()) work(i);
        } catch (const IoFailure&) {
          // The window beside it reads the same file and meets the same failure, and tells it.
        } catch (...) {
          const std::lock_guard lock(mutex_);
          if (!failure_) failure_ = std::current_exception();
        }
      });
  }
  ~Beside() { threads_.clear(); }  // before what they write to
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  /// Ends the work; throws what ended it before.
  void end() {
    threads_.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

IoTask read_task(const DataFile& file) {
  IoTask task;
  task.file = file.best();
  task.file_bytes = file.bytes;
  task.block_bytes = kReadBytes;
  task.depth = kDepth;
  return task;
}

ArmWindow read_window(IoEngine& engine, const IoTask& task, const WindowLengths& lengths, std::uint64_t seed,
                      const std::stop_token& stop) {
  const BlockBuffers buffers(task.depth, task.block_bytes, BufferLayout::contiguous);
  IoTask now = task;
  now.seed = seed;
  const IoWindow io = engine.closed_loop(now, buffers, lengths, stop);
  ArmWindow window;
  window.length_s = io.tally.length_s();
  window.rate_per_s = io.tally.rate_per_s() * kReadBytes;
  return window;  // no device bytes: what runs beside it reads too
}

/// Reads in a thread of its own, through blocking calls, so that it needs no ring of the engine.
Work reading_work(const IoTask& task) {
  auto buffers = std::make_shared<BlockBuffers>(kDepth, kReadBytes, BufferLayout::contiguous);
  auto count = std::make_shared<std::atomic<std::uint64_t>>(1);
  return [task, buffers, count](unsigned thread) {
    IoTask now = task;
    now.seed = 77 + (*count)++;
    const std::uint64_t offset = Offsets(now).next();
    const ssize_t n = ::pread(task.file, buffers->block(thread), kReadBytes, static_cast<off_t>(offset));
    return static_cast<double>(std::max<ssize_t>(n, 0));
  };
}

}  // namespace

std::vector<Arm> contention_arms(IoEngine& engine, const DataFile& file, unsigned cores, const GpuCopy& gpu_copy,
                                 const std::stop_token& stop) {
  std::vector<Arm> arms;
  const IoTask task = read_task(file);
  const auto named = [&arms](const std::string& detail) {
    Arm arm;
    arm.cell.probe = "contention";
    arm.cell.detail = detail;
    arm.cell.unit = "B/s";
    arm.cell.block_bytes = kReadBytes;
    arm.cell.depth = kDepth;
    arms.push_back(std::move(arm));
    return arms.size() - 1;
  };
  arms[named("read")].run = [&engine, task, stop](const WindowLengths& l, std::uint64_t seed) {
    return read_window(engine, task, l, seed, stop);
  };
  const auto add_read = [&](const std::string& other, const Work& work, unsigned threads) {
    arms[named("read beside " + other)].run = [&engine, task, stop, work, threads](const WindowLengths& l,
                                                                                   std::uint64_t seed) {
      Beside beside(work, threads);
      const ArmWindow window = read_window(engine, task, l, seed, stop);
      beside.end();
      return window;
    };
  };
  add_read("copy", copy_work(kCopied, 1), 1);
  add_read("all cores", checksum_work(), cores);
  add_read("read", reading_work(task), kDepth);
  const Work copy = copy_work(kCopied, 1);
  arms[named("copy")].run = [copy, stop](const WindowLengths& l, std::uint64_t) { return rate_of(copy, 1, l, stop); };
  arms[named("copy beside read")].run = [copy, task, stop](const WindowLengths& l, std::uint64_t) {
    const Beside beside(reading_work(task), kDepth);
    return rate_of(copy, 1, l, stop);
  };
  if (!gpu_copy) return arms;
  constexpr double kContentionPieceS = 0.1;  // buffers are made for each piece, in a few milliseconds
  add_read(
      "h2d", [gpu_copy](unsigned) { return gpu_copy(kContentionPieceS).rate_per_s * kContentionPieceS; }, 1);
  arms[named("h2d")].run = [gpu_copy](const WindowLengths& l, std::uint64_t) { return gpu_copy(l.window_s); };
  arms[named("h2d beside read")].run = [gpu_copy, task](const WindowLengths& l, std::uint64_t) {
    const Beside beside(reading_work(task), kDepth);
    return gpu_copy(l.window_s);
  };
  return arms;
}

std::vector<Fit> fit_contention(const std::vector<Cell>& cells) {
  std::vector<Fit> fits;
  for (const Cell& both : cells) {
    const std::size_t place = both.detail.find(" beside ");
    if (both.probe != "contention" || place == std::string::npos) continue;
    const std::string own = both.detail.substr(0, place);
    for (const Cell& alone : cells) {
      if (alone.probe != "contention" || alone.detail != own) continue;
      Fit fit;
      fit.parameter = "contention: " + both.detail;
      fit.family = "slowdown";
      fit.count = both.estimate.windows + alone.estimate.windows;
      const Estimate& a = alone.estimate;
      const Estimate& b = both.estimate;
      if (a.verdict == Verdict::undetermined || b.verdict == Verdict::undetermined || !(b.low > 0.0)) {
        fit.family = "none";
        fit.decision = "undetermined: too few clean windows";
        fits.push_back(fit);
        continue;
      }
      const double ratio = a.value / b.value;
      const double down = std::hypot(std::log(a.value / a.low), std::log(b.high / b.value));
      const double up = std::hypot(std::log(a.high / a.value), std::log(b.value / b.low));
      constexpr double kUselessWidth = 1.4;  // an interval over a factor of 4
      if (down + up > kUselessWidth) {
        fit.family = "none";
        fit.decision = "undetermined: the windows scatter too much";
        fits.push_back(fit);
        continue;
      }
      fit.numbers.push_back({"g", ratio - 1.0, ratio * std::exp(-down) - 1.0, ratio * std::exp(up) - 1.0});
      fit.chosen = true;
      fit.decision = "rate = rate alone / (1 + g u), measured at u = 1; not valid beyond it";
      fits.push_back(fit);
    }
  }
  return fits;
}

}  // namespace headrace::models::calibration
