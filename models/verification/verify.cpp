#include "models/verification/verify.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <new>

#include "models/calibration/contamination.hpp"
#include "models/calibration/host_clock.hpp"
#include "models/calibration/io_engine.hpp"
#include "models/calibration/preflight.hpp"
#include "models/verification/loop_reader.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models::verification {
namespace {

using calibration::CalibrationError;
using calibration::clock_ns;
using calibration::seconds_between;

constexpr std::uint64_t kMi = std::uint64_t{1} << 20;
constexpr double kWarmUpS = 0.2;
constexpr double kFiguresPerWindow = 1.7;  ///< time of one measurement of figures, about
constexpr double kLongestFiguresS = 1.4;
constexpr sim::Purpose kSeedsOfRuns{3012};

struct PointState {
  LoopPoint point;
  std::vector<Round> rounds;
};

/// One verification.
class Verify {
 public:
  Verify(const VerifyRequest& request, const std::stop_token& stop,
         const std::function<void(const calibration::CalibrationProgress&)>& tell)
      : request_(request), stop_(stop), tell_(tell), scratch_(request.path), begin_ns_(clock_ns()) {
    cores_ = calibration::usable_cores(request.places);
    for (LoopPoint& point : loop_grid(request.grid, cores_)) states_.push_back({point, {}});
    out_.planned_s = planned_verify_s(request, states_.size());
  }

  Verification run();

 private:
  void find_gpu();
  void tell_places();
  void make_data();
  void run_round(std::uint64_t round);
  void measure(PointState& state, std::uint64_t round);
  Round once(PointState& state);
  LoopFigures figures_of(const LoopPoint& point, LoopConsumer& consumer);
  std::uint64_t next_seed() { return sim::uniform_bits({request_.seed, 0, kSeedsOfRuns, 0}, runs_++); }
  void report(const std::string& phase) const;

  const VerifyRequest& request_;
  std::stop_token stop_;
  const std::function<void(const calibration::CalibrationProgress&)>& tell_;
  calibration::Scratch scratch_;
  std::uint64_t begin_ns_;
  unsigned cores_ = 1;
  std::vector<PointState> states_;
  std::unique_ptr<calibration::GpuDevice> gpu_;
  std::map<std::uint32_t, std::unique_ptr<LoopData>> data_;
  std::map<std::uint32_t, std::vector<LoopFigures>> recent_;  ///< by block size, the last few
  std::uint64_t runs_ = 0;
  Verification out_;
};

void Verify::report(const std::string& phase) const {
  if (!tell_) return;
  const double used_s = seconds_between(begin_ns_, clock_ns());
  tell_({phase, std::min(0.99, used_s / std::max(out_.planned_s, 1.0)), std::max(0.0, out_.planned_s - used_s)});
}

/// The GPU that computes in place of consumers that sleep, or the reason why there is none.
void Verify::find_gpu() {
  if (!request_.gpu) return;
  try {
    gpu_ = std::make_unique<calibration::GpuDevice>(request_.gpu_library, *request_.gpu);
    out_.gpu = gpu_->info().name;
    for (PointState& state : states_)
      if (state.point.consumer == Consumer::sleeps) state.point.consumer = Consumer::gpu;
  } catch (const calibration::NoGpu& missing) {
    out_.downgrades.push_back({"gpu", missing.what, missing.reason + "; the consumer sleeps instead"});
  }
}

/// What workers read through and what goes before them.
void Verify::tell_places() {
  std::string reason;
  out_.reader = reader_name(reason);
  if (out_.reader != "io_uring") out_.downgrades.push_back({"engine", out_.reader, reason});
  if (!gpu_ && !can_go_before_workers())
    out_.downgrades.push_back({"consumer_priority", "ordinary",
                               "a sleeping consumer stands for a GPU and must not wait for a core; without a real-time "
                               "priority it wakes late next to busy workers"});
}

void Verify::make_data() {
  report("writing blocks");
  std::uint64_t sizes = 0;
  std::uint32_t last = 0;
  for (const PointState& state : states_) {
    if (state.point.block_bytes != last && data_.count(state.point.block_bytes) == 0) {
      data_[state.point.block_bytes] = nullptr;
      ++sizes;
    }
    last = state.point.block_bytes;
  }
  const std::uint64_t room = calibration::free_bytes(request_.path) / 4 / sizes;
  const std::uint64_t bytes = std::min(request_.file_bytes, room) / kMi * kMi;
  if (bytes < 16 * kMi)
    throw CalibrationError(fmt::format("'{}' has not enough free space for the files of the loop", request_.path),
                           "a quarter of the free space must be at least 16 MiB for each block size");
  if (bytes < request_.file_bytes)
    out_.downgrades.push_back({"file_size", fmt::format("{} MiB", bytes / kMi), "at most a quarter of the free space"});
  for (auto& [block, data] : data_) {
    if (stop_.stop_requested()) return;
    data = std::make_unique<LoopData>(scratch_.path(fmt::format("blocks-{}", block)), block, bytes);
    out_.direct = data->is_direct();
  }
  if (!out_.direct)
    out_.downgrades.push_back(
        {"direct", "buffered", "the file system has no direct I/O: blocks come from the page cache"});
}

/// Figures measured now, averaged with those just before for the same block size.
LoopFigures Verify::figures_of(const LoopPoint& point, LoopConsumer& consumer) {
  const LoopData& data = *data_.at(point.block_bytes);
  LoopFigures now =
      measure_figures(point, data, consumer, cores_, {std::min(0.1, request_.window_s / 8.0)}, next_seed(), stop_);
  if (request_.site) {
    for (const std::string& missing : take_from_site(*request_.site, now)) {
      const bool told = std::any_of(out_.downgrades.begin(), out_.downgrades.end(),
                                    [&](const calibration::Downgrade& d) { return d.value == missing; });
      if (!told)
        out_.downgrades.push_back({"site", missing, "the site file does not have it: measured before each run"});
    }
    return now;
  }
  std::vector<LoopFigures>& recent = recent_[point.block_bytes];
  recent.push_back(now);
  constexpr std::size_t kKept = 3;
  if (recent.size() > kKept) recent.erase(recent.begin());
  LoopFigures mean = average(recent);
  mean.overrun_s = now.overrun_s;  // of this point's step
  mean.busy_overrun_s = now.busy_overrun_s;
  mean.workers_batch_s = now.workers_batch_s;
  return mean;
}

Round Verify::once(PointState& state) {
  Round round;
  const LoopData& data = *data_.at(state.point.block_bytes);
  const std::uint64_t batch_bytes = std::uint64_t{state.point.batch} * data.raw_bytes();
  const auto consumer = make_consumer(state.point.consumer, gpu_.get(), batch_bytes);
  const auto before = calibration::read_counters(request_.places, "");
  if (state.point.step_s == 0.0) {
    LoopPoint guess = state.point;
    guess.step_s = 2e-3;
    const LoopFigures first = figures_of(guess, *consumer);
    state.point.step_s = least_step_s(state.point, first) / state.point.load;
  }
  const LoopFigures figures = figures_of(state.point, *consumer);
  if (stop_.stop_requested()) return round;
  round.predicted = predict_loop(state.point, figures, kPredictedSteps, next_seed());
  const LoopLengths lengths{std::min(kWarmUpS, request_.window_s / 4.0), request_.window_s};
  round.first = run_loop(state.point, data, *consumer, lengths, next_seed(), stop_);
  round.second = run_loop(state.point, data, *consumer, lengths, next_seed(), stop_);
  const auto after = calibration::read_counters(request_.places, "");
  round.contamination = calibration::contamination_between(before, after, 0.0, request_.places);
  round.clean = is_undisturbed(round.contamination);
  round.step_s = state.point.step_s;
  return round;
}

void Verify::measure(PointState& state, std::uint64_t number) {
  Round best;
  for (std::uint32_t attempt = 0; attempt <= kMostRepeats && !stop_.stop_requested(); ++attempt) {
    scratch_.check_is_there();
    report(fmt::format("round {} of {}", number + 1, request_.rounds));
    Round round = once(state);
    if (stop_.stop_requested() || round.first.steps == 0 || round.second.steps == 0) return;
    const auto others = [](const Round& r) { return r.contamination.other_cpu_cores.value_or(0.0); };
    if (attempt == 0 || others(round) < others(best)) best = std::move(round);
    if (best.clean) break;
    // What disturbed the figures would make steps too long for the load that is asked for, in all rounds to come.
    if (state.rounds.empty()) state.point.step_s = 0.0;
    // A busy machine must not take for ever: half as long again as planned, then with what there is.
    if (attempt < kMostRepeats && seconds_between(begin_ns_, clock_ns()) > 1.5 * out_.planned_s) break;
    if (attempt < kMostRepeats) ++out_.repeated_rounds;
  }
  state.point.step_s = best.step_s;
  state.rounds.push_back(std::move(best));
}

void Verify::run_round(std::uint64_t round) {
  for (const std::size_t i : order_of_points(states_.size(), request_.seed, round)) {
    if (stop_.stop_requested()) return;
    measure(states_[i], round);
  }
}

Verification Verify::run() {
  out_.cores = cores_;
  out_.decoding = decoding_name();
  out_.figures = request_.site ? "site" : "measured just before each run";
  find_gpu();
  tell_places();
  make_data();
  for (std::uint64_t round = 0; round < request_.rounds && !stop_.stop_requested(); ++round) run_round(round);
  for (const PointState& state : states_)
    if (!state.rounds.empty()) out_.points.push_back(result_of(state.point, state.rounds));
  summarize(out_);
  out_.interrupted = stop_.stop_requested();
  out_.used_s = seconds_between(begin_ns_, clock_ns());
  return std::move(out_);
}

LoopPoint grid_point(std::uint32_t workers, std::uint32_t outstanding, bool in_order, std::uint32_t block_kib,
                     double load, Consumer consumer) {
  LoopPoint point;
  point.workers = workers;
  point.outstanding = outstanding;
  point.in_order = in_order;
  point.block_bytes = block_kib * 1024;
  point.batch = std::max(1U, 1024 / block_kib);
  point.load = load;
  point.consumer = consumer;
  return point;
}

std::vector<LoopPoint> full_grid() {
  std::vector<LoopPoint> grid;
  for (const std::uint32_t workers : {1U, 2U, 4U, 8U})
    for (const double load : {0.6, 0.85, 1.0, 1.25})
      for (const bool in_order : {true, false})
        grid.push_back(grid_point(workers, in_order ? 2 * workers : workers + 1, in_order, in_order ? 128 : 512, load,
                                  Consumer::sleeps));
  return grid;
}

}  // namespace

std::vector<LoopPoint> loop_grid(const std::string& grid, unsigned cores) {
  constexpr Consumer sleeps = Consumer::sleeps;
  std::vector<LoopPoint> points;
  if (grid == "full") {
    points = full_grid();
  } else {
    points = {grid_point(1, 2, true, 128, 0.6, sleeps),   grid_point(1, 1, true, 128, 0.9, sleeps),
              grid_point(1, 4, true, 128, 1.25, sleeps),  grid_point(2, 4, true, 128, 0.7, sleeps),
              grid_point(2, 4, true, 128, 0.95, sleeps),  grid_point(2, 4, false, 128, 2.0, sleeps),
              grid_point(4, 8, true, 128, 0.8, sleeps),   grid_point(4, 5, false, 128, 1.6, sleeps),
              grid_point(2, 2, true, 512, 1.8, sleeps),   grid_point(4, 8, true, 512, 0.6, sleeps),
              grid_point(8, 16, false, 512, 2.5, sleeps), grid_point(1, 3, false, 512, 0.85, sleeps)};
  }
  if (cores > 1) {
    points.push_back(grid_point(1, 2, true, 128, 0.8, Consumer::spins));
    points.push_back(grid_point(1, 2, true, 512, 1.2, Consumer::spins));
  }
  return points;
}

double planned_verify_s(const VerifyRequest& request, std::size_t points) {
  const double figures_s = std::min(kLongestFiguresS, kFiguresPerWindow * request.window_s);
  const double warm_up_s = std::min(kWarmUpS, request.window_s / 4.0);
  const double round_s = figures_s + 2.0 * (warm_up_s + request.window_s) + 0.2;
  return 5.0 + static_cast<double>(points) * (static_cast<double>(request.rounds) * round_s + figures_s);
}

Verification verify(const VerifyRequest& request, const std::stop_token& stop,
                    const std::function<void(const calibration::CalibrationProgress&)>& tell) {
  try {
    return Verify(request, stop, tell).run();
  } catch (const calibration::IoFailure& failure) {
    const bool full = failure.error() == ENOSPC || failure.error() == EDQUOT;
    throw CalibrationError(fmt::format("'{}': {}", request.path, failure.what()),
                           full ? "the disk is full: give another folder, or a smaller --size"
                                : "the folder or its device vanished, or it is broken");
  } catch (const std::bad_alloc&) {
    throw CalibrationError("there is not enough memory for the loop", "free about 256 MB");
  }
}

ComparedLoop measured_loop(const std::vector<MeasuredStep>& steps) {
  constexpr std::size_t kBatches = 20;
  ComparedLoop loop;
  const std::size_t first = steps.size() / 10;
  const std::size_t batches = std::min(kBatches, steps.size() - first);
  if (batches == 0) return loop;
  std::vector<double> step_times;
  std::vector<double> idles;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t from = first + (steps.size() - first) * b / batches;
    const std::size_t to = first + (steps.size() - first) * (b + 1) / batches;
    double time_s = 0.0;
    double wait_s = 0.0;
    for (std::size_t i = from; i < to; ++i) {
      time_s += steps[i].step_time_s;
      wait_s += steps[i].load_wait_s;
    }
    step_times.push_back(time_s / static_cast<double>(to - from));
    idles.push_back(time_s > 0.0 ? wait_s / time_s : 0.0);
  }
  loop.step_time_s = spread_of(step_times);
  loop.idle_fraction = spread_of(idles);
  return loop;
}

ComparedLoop predicted_loop(const Outcome& outcome) {
  ComparedLoop loop;
  const auto spread = [&outcome](std::string_view name) {
    Spread s;
    const Metric* metric = outcome.find(name);
    if (metric == nullptr) return s;
    s.mean = metric->mean;
    s.low = metric->ci95 ? metric->ci95->low : metric->mean;
    s.high = metric->ci95 ? metric->ci95->high : metric->mean;
    return s;
  };
  loop.step_time_s = spread("step_time_s");
  loop.idle_fraction = spread("gpu_idle_fraction");
  loop.wait_parts = wait_parts_of(outcome);
  return loop;
}

}  // namespace headrace::models::verification
