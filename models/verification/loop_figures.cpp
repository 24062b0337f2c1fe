#include "models/verification/loop_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_engine.hpp"
#include "models/calibration/latency_histogram.hpp"
#include "models/calibration/parameters.hpp"
#include "models/verification/loop_reader.hpp"

namespace headrace::models::verification {
namespace {

using calibration::clock_ns;
using calibration::seconds_between;
using calibration::Throughput;

constexpr std::uint32_t kDepths[] = {1, 2, 4, 8};

double thread_time_s() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Adds the time since its making to a sum.
class Timed {
 public:
  explicit Timed(WorkTime& to) : to_(to), begin_(clock_ns()), processor_(thread_time_s()) {}
  ~Timed() {
    to_.wall_s += seconds_between(begin_, clock_ns());
    to_.processor_s += thread_time_s() - processor_;
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  WorkTime& to_;
  std::uint64_t begin_;
  double processor_;
};

/// What one of the threads does and counts.
class FreeThread {
 public:
  FreeThread(FreeWork what, std::uint32_t batch, const LoopData& data, std::uint64_t seed)
      : what_(what),
        batch_(what == FreeWork::batches ? batch : 8),
        data_(data),
        reader_(data),
        offsets_(places(data, seed)),
        buffers_(batch_, data.block_bytes(), calibration::BufferLayout::contiguous) {}

  void once() {
    if (what_ != FreeWork::decode) {
      const Timed timed(run_.read);
      std::uint64_t before = clock_ns();
      for (std::uint32_t i = 0; i < batch_; ++i) {
        reader_.read(offsets_.next(), buffers_.block(i));
        const std::uint64_t now = clock_ns();
        run_.latency.add(now - before);
        before = now;
      }
    }
    if (what_ != FreeWork::read) {
      const Timed timed(run_.decode);
      for (std::uint32_t i = 0; i < batch_; ++i)
        data_.decode(what_ == FreeWork::decode ? data_.frame(i) : buffers_.block(i), decoded_);
    }
    run_.blocks += batch_;
  }

  FreeRun run(double seconds, const std::stop_token& stop, const std::atomic<bool>& over) {
    once();
    run_ = FreeRun{};
    const std::uint64_t begin = clock_ns();
    const auto length_ns = static_cast<std::uint64_t>(1e9 * seconds);
    do {
      once();
    } while (clock_ns() - begin < length_ns && !over && !stop.stop_requested());
    run_.seconds = seconds_between(begin, clock_ns());
    return run_;
  }

 private:
  static calibration::IoTask places(const LoopData& data, std::uint64_t seed) {
    calibration::IoTask task;
    task.block_bytes = 1;  // numbers of blocks instead of places
    task.file_bytes = data.blocks();
    task.seed = seed;
    return task;
  }

  FreeWork what_;
  std::uint32_t batch_;
  const LoopData& data_;
  LoopReader reader_;
  calibration::Offsets offsets_;
  calibration::BlockBuffers buffers_;
  std::vector<std::byte> decoded_;
  FreeRun run_;
};

/// What a consumer and workers that never wait for each other come to on the same machine.
struct SideBySide {
  double overrun_s = 0.0;  ///< of a step, mean
  FreeRun workers;
};

/// Passes steps for a time beside `workers` that never wait for a place in the queue.
SideBySide side_by_side(std::uint32_t workers, const LoopPoint& point, const LoopData& data, LoopConsumer& consumer,
                        double seconds, std::uint64_t seed, const std::stop_token& stop) {
  SideBySide result;
  std::exception_ptr failure;
  std::stop_source end;
  {
    std::optional<std::jthread> beside;
    if (workers > 0)
      beside.emplace([&] {
        try {
          result.workers = free_run(FreeWork::batches, workers, point.batch, data, 3600.0, seed, end.get_token());
        } catch (...) {
          failure = std::current_exception();
        }
      });
    double sum_s = 0.0;
    std::uint64_t steps = 0;
    try {
      const BeforeWorkers before(point.consumer);
      const std::uint64_t begin = clock_ns();
      while (!stop.stop_requested() && (steps < 5 || seconds_between(begin, clock_ns()) < seconds)) {
        const std::uint64_t from = clock_ns();
        consumer.pass(from, point.step_s);
        sum_s += seconds_between(from, clock_ns()) - point.step_s;
        ++steps;
      }
    } catch (...) {
      end.request_stop();
      throw;
    }
    end.request_stop();
    result.overrun_s = steps == 0 ? 0.0 : sum_s / static_cast<double>(steps);
  }
  if (failure) std::rethrow_exception(failure);
  return result;
}

double log_mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += std::log(std::max(value, 1e-12));
  return values.empty() ? 0.0 : std::exp(sum / static_cast<double>(values.size()));
}

template <class Get>
double mean_of_all(const std::vector<LoopFigures>& all, const Get& get) {
  std::vector<double> values;
  for (const LoopFigures& figures : all) values.push_back(get(figures));
  return log_mean(values);
}

}  // namespace

FreeRun free_run(FreeWork what, std::uint32_t threads, std::uint32_t batch, const LoopData& data, double seconds,
                 std::uint64_t seed, const std::stop_token& stop) {
  std::vector<FreeRun> parts(threads);
  std::atomic<bool> over{false};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](std::uint32_t i) {
    try {
      FreeThread thread(what, batch, data, seed + 0x51ed2701U * (std::uint64_t{i} + 1));
      parts[i] = thread.run(seconds, stop, over);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
      over = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::uint32_t i = 1; i < threads; ++i) others.emplace_back(work, i);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
  FreeRun all;
  double rate_per_s = 0.0;
  for (const FreeRun& part : parts) {
    all.blocks += part.blocks;
    all.read.wall_s += part.read.wall_s;
    all.read.processor_s += part.read.processor_s;
    all.decode.wall_s += part.decode.wall_s;
    all.decode.processor_s += part.decode.processor_s;
    all.latency.merge(part.latency);
    rate_per_s += part.rate_per_s();
  }
  all.seconds = rate_per_s > 0.0 ? static_cast<double>(all.blocks) / rate_per_s : 0.0;
  return all;
}

ReadLaw read_law(const std::vector<Throughput>& rates) {
  ReadLaw best;
  if (rates.empty() || !(rates.front().rate_per_s > 0.0)) return best;
  const double alone_s = 1.0 / rates.front().rate_per_s;
  double least = INFINITY;
  constexpr int kSteps = 200;
  for (int i = 1; i <= kSteps; ++i) {
    const double queue_s = alone_s * i / kSteps;
    double squares = 0.0;
    for (const Throughput& point : rates) {
      const double expected = calibration::throughput_of("mva", {alone_s - queue_s, queue_s}, point.concurrency);
      const double error = std::log(std::max(point.rate_per_s, 1e-9) / expected);
      squares += error * error;
    }
    if (squares < least) {
      least = squares;
      best = {alone_s - queue_s, queue_s};
    }
  }
  return best;
}

double decode_contention(const LoopFigures& figures) {
  if (figures.cores < 2 || !(figures.decode_s > 0.0) || !(figures.decode_all_s > 0.0)) return 0.0;
  return std::clamp(std::log(figures.decode_all_s / figures.decode_s) / std::log(static_cast<double>(figures.cores)),
                    0.0, 1.0);
}

LoopFigures measure_figures(const LoopPoint& point, const LoopData& data, LoopConsumer& consumer, unsigned cores,
                            const FigureLengths& lengths, std::uint64_t seed, const std::stop_token& stop) {
  LoopFigures figures;
  figures.block_bytes = data.block_bytes();
  figures.cores = cores;
  for (const std::uint32_t depth : kDepths) {
    const FreeRun run = free_run(FreeWork::read, depth, 1, data, lengths.cell_s, seed++, stop);
    figures.read_rates.push_back({static_cast<double>(depth), run.rate_per_s()});
  }
  const auto per_block = [](double seconds, const FreeRun& run) {
    return run.blocks == 0 ? 0.0 : seconds / static_cast<double>(run.blocks);
  };
  const FreeRun one = free_run(FreeWork::batches, 1, point.batch, data, 2.0 * lengths.cell_s, seed++, stop);
  figures.read_s = per_block(one.read.wall_s, one);
  figures.read_cpu_s = per_block(one.read.processor_s, one);
  figures.decode_s = per_block(one.decode.processor_s, one);
  for (const double p : calibration::kTableProbabilities)
    figures.read_quantiles.push_back({p, one.latency.quantile_s(p)});
  // By processor time: what other processes take from the cores is no slowdown of the cores.
  const FreeRun all = free_run(FreeWork::batches, 2 * cores, point.batch, data, lengths.cell_s, seed++, stop);
  figures.decode_all_s = per_block(all.decode.processor_s, all);
  figures.overrun_s = side_by_side(0, point, data, consumer, lengths.cell_s, seed++, stop).overrun_s;
  const SideBySide busy = side_by_side(point.workers, point, data, consumer, 4.0 * lengths.cell_s, seed, stop);
  figures.busy_overrun_s = point.consumer == Consumer::spins ? figures.overrun_s : busy.overrun_s;
  figures.workers_batch_s = point.batch * per_block(busy.workers.seconds, busy.workers);
  return figures;
}

LoopFigures average(const std::vector<LoopFigures>& all) {
  LoopFigures mean = all.back();
  for (std::size_t i = 0; i < mean.read_rates.size(); ++i)
    mean.read_rates[i].rate_per_s = mean_of_all(all, [i](const LoopFigures& f) { return f.read_rates[i].rate_per_s; });
  for (std::size_t i = 0; i < mean.read_quantiles.size(); ++i)
    mean.read_quantiles[i].value = mean_of_all(all, [i](const LoopFigures& f) { return f.read_quantiles[i].value; });
  mean.read_cpu_s = mean_of_all(all, [](const LoopFigures& f) { return f.read_cpu_s; });
  mean.decode_s = mean_of_all(all, [](const LoopFigures& f) { return f.decode_s; });
  mean.decode_all_s = mean_of_all(all, [](const LoopFigures& f) { return f.decode_all_s; });
  mean.read_s = mean_of_all(all, [](const LoopFigures& f) { return f.read_s; });
  mean.overrun_s = mean_of_all(all, [](const LoopFigures& f) { return std::max(f.overrun_s, 0.0); });
  mean.busy_overrun_s = mean_of_all(all, [](const LoopFigures& f) { return std::max(f.busy_overrun_s, 0.0); });
  return mean;
}

std::vector<std::string> take_from_site(const calibration::Calibration& site, LoopFigures& figures) {
  std::vector<std::string> missing;
  std::vector<Throughput> rates;
  const calibration::Cell* alone = nullptr;
  for (const calibration::Cell& cell : site.cells) {
    if (cell.probe != "random_read" || cell.block_bytes != static_cast<double>(figures.block_bytes)) continue;
    if (cell.estimate.verdict == calibration::Verdict::undetermined) continue;
    const bool known = std::any_of(rates.begin(), rates.end(), [&cell](const Throughput& t) {
      return t.concurrency == static_cast<double>(cell.depth);
    });
    if (known && cell.buffers != "contiguous") continue;  // the loop's own buffers lie in one piece
    std::erase_if(rates, [&cell](const Throughput& t) { return t.concurrency == static_cast<double>(cell.depth); });
    rates.push_back({static_cast<double>(cell.depth), cell.estimate.value});
    if (cell.depth == 1) alone = &cell;
  }
  std::sort(rates.begin(), rates.end(),
            [](const Throughput& a, const Throughput& b) { return a.concurrency < b.concurrency; });
  if (rates.size() >= 2 && alone != nullptr && alone->latency) {
    figures.read_rates = rates;
    figures.read_s = 1.0 / rates.front().rate_per_s;
    figures.read_quantiles.clear();
    const auto histogram = calibration::LatencyHistogram::from(*alone->latency);
    for (const double p : calibration::kTableProbabilities)
      figures.read_quantiles.push_back({p, histogram.quantile_s(p)});
  } else {
    missing.push_back(fmt::format("reads of {} KiB", figures.block_bytes / 1024));
  }
  missing.emplace_back("processor time of a read");
  missing.emplace_back("time to decode a block");
  missing.emplace_back("overrun of a step");
  return missing;
}

}  // namespace headrace::models::verification
