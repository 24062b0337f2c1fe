#include "models/verification/torch_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/calibration/contamination.hpp"
#include "models/calibration/host_clock.hpp"
#include "models/calibration/preflight.hpp"
#include "models/calibration/rate_estimate.hpp"
#include "models/calibration/scratch.hpp"
#include "models/verification/rounds.hpp"
#include "models/verification/torch_figures.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models::verification {
namespace {

using calibration::Calibration;
using calibration::CalibrationError;
using calibration::Cell;
using calibration::clock_ns;
using calibration::Estimate;
using calibration::Parameter;
using calibration::seconds_between;
using calibration::Verdict;
using calibration::Window;

constexpr std::uint32_t kProbeFrameBytes = 256U << 10;
constexpr std::uint32_t kProbeBatches[] = {4, 64};  ///< frames: 1 MiB and 16 MiB
constexpr std::uint32_t kLeastProbeBatch = 16;      ///< of the larger
constexpr double kProbeRunS = 1.5;
constexpr double kProbePythonS = 3.0;  ///< until torch is there, twice a round
constexpr double kProbeLoad = 0.8;     ///< of the worker, where it keeps up with steps
constexpr sim::Purpose kProbeSeeds{3017};

std::uint64_t rounds_of(const std::string& budget) { return budget == "quick" ? 6 : budget == "normal" ? 20 : 80; }

/// What a round tells; the last four for each size of batch.
enum Probe : std::size_t { start, collate, transport, receive, kProbes };
constexpr const char* kProbeCells[kProbes] = {"worker_start", "collate", "transport", "receive"};

class TorchCalibration {
 public:
  TorchCalibration(const TorchCalibrateRequest& request, const TorchRunner& runner, const std::stop_token& stop,
                   const std::function<void(const calibration::CalibrationProgress&)>& tell)
      : request_(request), runner_(runner), stop_(stop), tell_(tell), begin_ns_(clock_ns()) {}

  Calibration run();

 private:
  void look_around();
  void choose_sizes();
  TorchRun run_of_size(std::size_t size) const;
  bool answered(std::vector<TorchRun> runs, std::vector<TorchAnswer>& answers);
  bool measure_round(std::uint64_t round);
  void take(Probe probe, std::size_t size, double time_s, double from_s, const calibration::Contamination& others);
  void estimate_cells();
  const Cell& cell(Probe probe, std::size_t size) const { return record_.cells[index_.at(probe).at(size)]; }
  void add_start();
  void add_collate();
  void add_line(Probe probe, const std::string& name);
  Parameter figure(const std::string& name, const char* unit, const std::string& key, const Cell& of) const;
  double batch_bytes(std::size_t size) const { return static_cast<double>(batches_.at(size)) * kProbeFrameBytes; }
  double used_s() const { return seconds_between(begin_ns_, clock_ns()); }

  const TorchCalibrateRequest& request_;
  const TorchRunner& runner_;
  std::stop_token stop_;
  const std::function<void(const calibration::CalibrationProgress&)>& tell_;
  std::uint64_t begin_ns_;
  std::array<std::uint32_t, 2> batches_{kProbeBatches[0], kProbeBatches[1]};
  std::array<std::array<std::size_t, 2>, kProbes> index_{};  ///< of the cells
  std::uint64_t draws_ = 0;
  Calibration record_;
};

void TorchCalibration::look_around() {
  record_.tool_version = request_.tool_version;
  record_.date = request_.date;
  record_.seed = request_.seed;
  record_.path = "a PyTorch DataLoader";
  record_.engine = request_.loader_version;
  record_.budget.name = request_.budget;
  for (const auto& probe : plan_torch_calibration(request_)) record_.budget.planned_s += probe.planned_s;
  record_.host = calibration::host_facts(request_.places);
  record_.host.push_back({"loader", request_.loader_version});
}

/// Half of the free shared memory has room for the batches of a worker.
void TorchCalibration::choose_sizes() {
  constexpr const char* kShared = "/dev/shm";
  const std::uint64_t room = (request_.shared_bytes ? *request_.shared_bytes : calibration::free_bytes(kShared)) / 2;
  TorchRun one = run_of_size(0);
  one.batch = 1;
  const std::uint64_t fitting = room / one.shared_bytes();
  if (fitting < kLeastProbeBatch)
    throw CalibrationError(fmt::format("{} has {} MiB free: batches of two sizes do not fit", kShared, room >> 19U),
                           "give it 64 MiB or more, such as docker run --shm-size 1g");
  batches_[1] = static_cast<std::uint32_t>(std::min<std::uint64_t>(fitting, batches_[1]));
  for (std::size_t probe = 0; probe < kProbes; ++probe)
    for (std::size_t size = 0; size < (probe == start ? 1U : 2U); ++size) {
      index_.at(probe).at(size) = record_.cells.size();
      Cell& added = record_.cells.emplace_back();
      added.probe = kProbeCells[probe];
      if (probe != start) added.block_bytes = batch_bytes(size);
    }
}

TorchRun TorchCalibration::run_of_size(std::size_t size) const {
  TorchRun run;
  run.batch = batches_.at(size);
  run.frame_bytes = kProbeFrameBytes;
  return run;
}

/// False when it was asked to stop.
bool TorchCalibration::answered(std::vector<TorchRun> runs, std::vector<TorchAnswer>& answers) {
  for (TorchRun& run : runs) run.seed = sim::uniform_bits({request_.seed, 0, kProbeSeeds, 0}, draws_++) >> 32U;
  answers = runner_(runs);
  if (stop_.stop_requested()) return false;
  if (answers.size() != runs.size())
    throw CalibrationError(fmt::format("the loader answered {} of {} runs", answers.size(), runs.size()),
                           "run the script of headrace verify --print-script by itself to see why");
  return true;
}

void TorchCalibration::take(Probe probe, std::size_t size, double time_s, double from_s,
                            const calibration::Contamination& others) {
  if (!(time_s > 0.0)) return;  // shorter than its noise
  record_.cells[index_.at(probe).at(size)].windows.push_back(
      {from_s, used_s() - from_s, 1.0 / time_s, others, is_undisturbed(others)});
}

bool TorchCalibration::measure_round(std::uint64_t round) {
  const double from_s = used_s();
  if (tell_)
    tell_({fmt::format("round {} of {}", round + 1, rounds_of(request_.budget)),
           std::min(0.99, from_s / record_.budget.planned_s), std::max(0.0, record_.budget.planned_s - from_s)});
  const auto before = calibration::read_counters(request_.places, "");
  TorchRun empty;  // its batches take next to no time, its first one that of the start
  empty.batch = 1;
  empty.steps = 20;
  empty.first = 4;
  std::vector<TorchRun> free{empty, run_of_size(0), run_of_size(1)};
  for (std::size_t size = 0; size < 2; ++size) set_steps(free[size + 1], batch_bytes(size) / 150e6, kProbeRunS);
  std::vector<TorchAnswer> unpaced;
  if (!answered(free, unpaced)) return false;
  std::vector<TorchRun> paced{run_of_size(0), run_of_size(1)};
  for (std::size_t size = 0; size < 2; ++size) {
    paced[size].step_s = unpaced[size + 1].step_s / kProbeLoad;
    set_steps(paced[size], paced[size].step_s, kProbeRunS);
  }
  std::vector<TorchAnswer> waits;
  if (!answered(paced, waits)) return false;
  const auto after = calibration::read_counters(request_.places, "");
  const auto others = calibration::contamination_between(before, after, 0.0, request_.places);
  take(start, 0, unpaced[0].start_s - unpaced[0].step_s, from_s, others);
  for (std::size_t size = 0; size < 2; ++size) {
    const TorchAnswer& batch = unpaced[size + 1];
    take(collate, size, batch.collate_s, from_s, others);
    take(transport, size, batch.step_s - batch.sample_s - batch.collate_s, from_s, others);
    take(receive, size, waits[size].wait_s, from_s, others);
  }
  return true;
}

void TorchCalibration::estimate_cells() {
  calibration::EstimateRule rule;
  rule.accept_noisy = request_.accept_noisy;
  for (Cell& one : record_.cells) one.estimate = calibration::estimate_of(one.windows, rule);
}

Parameter TorchCalibration::figure(const std::string& name, const char* unit, const std::string& key,
                                   const Cell& of) const {
  Parameter parameter;
  parameter.name = "loader." + name;
  parameter.unit = unit;
  parameter.verdict = of.estimate.verdict;
  parameter.target = fmt::format("/jobs/{}/loader/{}", request_.job, key);
  parameter.provenance = fmt::format("{}: {} windows, {} clean, one worker of {}", of.probe, of.estimate.windows,
                                     of.estimate.clean_windows, request_.loader_version);
  return parameter;
}

/// A time, from the rate of a cell.
void TorchCalibration::add_start() {
  const Cell& of = cell(start, 0);
  Parameter parameter = figure("worker_start", "s", "epoch_start/worker_start", of);
  if (parameter.verdict != Verdict::undetermined) {
    parameter.value = 1.0 / of.estimate.value;
    parameter.low = 1.0 / of.estimate.high;
    parameter.high = 1.0 / of.estimate.low;
  }
  record_.parameters.push_back(parameter);
}

/// The model has no fixed part of collation: the rate of the larger batch.
void TorchCalibration::add_collate() {
  const Cell& of = cell(collate, 1);
  Parameter parameter = figure("collate", "B/s", "collate", of);
  parameter.value = of.estimate.value * batch_bytes(1);
  parameter.low = of.estimate.low * batch_bytes(1);
  parameter.high = of.estimate.high * batch_bytes(1);
  record_.parameters.push_back(parameter);
}

/// per_batch and bandwidth of the line through the times of both sizes.
void TorchCalibration::add_line(Probe probe, const std::string& name) {
  const Cell& small = cell(probe, 0);
  const Cell& large = cell(probe, 1);
  Parameter fixed = figure(name + ".per_batch", "s", name + "/per_batch", small);
  Parameter rate = figure(name + ".bandwidth", "B/s", name + "/bandwidth", large);
  fixed.verdict = rate.verdict = std::max(small.estimate.verdict, large.estimate.verdict);
  if (rate.verdict != Verdict::undetermined) {
    const std::array<double, 2> time_s{1.0 / small.estimate.value, 1.0 / large.estimate.value};
    const auto half_s = [](const Estimate& e) { return 0.5 * (1.0 / e.low - 1.0 / e.high); };
    const double bytes = batch_bytes(1) - batch_bytes(0);
    const double slope = (time_s[1] - time_s[0]) / bytes;
    const double slope_half = std::hypot(half_s(small.estimate), half_s(large.estimate)) / bytes;
    if (slope > slope_half) {
      rate.value = 1.0 / slope;
      rate.low = 1.0 / (slope + slope_half);
      rate.high = 1.0 / (slope - slope_half);
    } else {
      rate.verdict = Verdict::undetermined;  // bytes take no time that can be told from noise
    }
    const double share = batch_bytes(0) / bytes;  // of the difference of times that the small batch has too
    const double fixed_s = time_s[0] - share * (time_s[1] - time_s[0]);
    const double fixed_half = std::hypot((1.0 + share) * half_s(small.estimate), share * half_s(large.estimate));
    fixed.value = std::max(0.0, fixed_s);
    fixed.low = std::max(0.0, fixed_s - fixed_half);
    fixed.high = std::max(0.0, fixed_s + fixed_half);
    if (fixed.value == 0.0) fixed.verdict = Verdict::undetermined;
  }
  record_.parameters.push_back(fixed);
  record_.parameters.push_back(rate);
}

Calibration TorchCalibration::run() {
  look_around();
  choose_sizes();
  for (std::uint64_t round = 0; round < rounds_of(request_.budget); ++round)
    if (stop_.stop_requested() || !measure_round(round)) break;
  estimate_cells();
  add_start();
  add_collate();
  add_line(transport, "transport");
  add_line(receive, "receive");
  record_.interrupted = stop_.stop_requested();
  record_.budget.used_s = used_s();
  return std::move(record_);
}

}  // namespace

std::vector<calibration::PlannedProbe> plan_torch_calibration(const TorchCalibrateRequest& request) {
  const auto rounds = static_cast<double>(rounds_of(request.budget));
  const double run_s = kProbeRunS + 0.4;
  return {{"worker_start", "time from a new iterator to its first, empty batch", rounds * (kProbePythonS + 0.5)},
          {"collate, transport", "batches of 1 and 16 MiB without steps, one worker", rounds * 2.0 * run_s},
          {"receive", "the same batches, with steps that the worker keeps up with",
           rounds * (kProbePythonS + 2.0 * run_s)}};
}

Calibration calibrate_torch(const TorchCalibrateRequest& request, const TorchRunner& runner,
                            const std::stop_token& stop,
                            const std::function<void(const calibration::CalibrationProgress&)>& tell) {
  return TorchCalibration(request, runner, stop, tell).run();
}

}  // namespace headrace::models::verification
