#include "models/verification/verify_torch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/calibration/host_clock.hpp"
#include "models/calibration/preflight.hpp"
#include "models/calibration/scratch.hpp"
#include "models/verification/torch_prediction.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models::verification {
namespace {

using calibration::clock_ns;
using calibration::seconds_between;

constexpr std::uint32_t kFrameBytes = 256U << 10;
constexpr std::uint32_t kImageBytes = 448 * 448 * 3;  ///< of a decoded JPEG image
constexpr double kSleepS = 0.01;                      ///< of a sample: a store that is far
constexpr std::uint32_t kMostSleepers = 8;
constexpr std::uint32_t kMostUnpackers = 16;
constexpr std::uint32_t kSmallBatch = 4;   ///< frames of the smaller calibrated batch, 1 MiB
constexpr std::uint32_t kLargeBatch = 64;  ///< 16 MiB
constexpr std::uint32_t kLeastLargeBatch = 16;
constexpr std::uint32_t kImageBatch = 32;  ///< images of the points and of the larger calibrated batch, 18 MiB
constexpr std::size_t kKept = 3;           ///< measurements of figures that are averaged
constexpr double kStartS = 0.4;            ///< of a run: workers, first batches
constexpr double kPythonS = 3.0;           ///< until torch is there
constexpr sim::Purpose kTorchSeeds{3013};
constexpr const char* kSharedMemory = "/dev/shm";

std::uint32_t most_unpackers(unsigned cores) { return std::min<std::uint32_t>(cores, kMostUnpackers); }

LoopPoint sleeping_point(std::uint32_t workers, std::uint32_t prefetch, double cv, double load) {
  LoopPoint point;
  point.workers = workers;
  point.outstanding = workers * prefetch;
  point.block_bytes = 0;
  point.sleep_s = kSleepS;
  point.sleep_cv = cv;
  point.load = load;
  return point;
}

LoopPoint unpacking_point(std::uint32_t workers, std::uint32_t mebibytes, double load) {
  LoopPoint point;
  point.workers = workers;
  point.outstanding = 2 * workers;
  point.block_bytes = kFrameBytes;
  point.batch = mebibytes * (1U << 20) / kFrameBytes;
  point.load = load;
  return point;
}

LoopPoint decoding_point(std::uint32_t workers, std::uint32_t batch, double load) {
  LoopPoint point;
  point.workers = workers;
  point.outstanding = 2 * workers;
  point.block_bytes = kImageBytes;
  point.batch = batch;
  point.jpeg = true;
  point.load = load;
  return point;
}

bool is_sleeping(const LoopPoint& point) { return point.sleep_s > 0.0; }

TorchRun run_of(const LoopPoint& point) {
  TorchRun run;
  run.workers = point.workers;
  run.prefetch = point.outstanding / point.workers;
  run.batch = point.batch;
  run.frame_bytes = point.block_bytes;
  run.decoder = point.jpeg ? FrameDecoder::jpeg : FrameDecoder::zlib;
  run.sleep_s = point.sleep_s;
  run.sleep_cv = point.sleep_cv;
  run.step_s = point.step_s;
  return run;
}

LoopRun loop_run(const TorchAnswer& answer) {
  const auto steps = static_cast<double>(answer.steps);
  LoopRun run;
  run.steps = answer.steps;
  run.elapsed_s = steps * answer.step_s;
  run.wait_s = steps * answer.wait_s;
  run.overrun_s = steps * answer.late_s;
  return run;
}

TorchAnswer mean_answer(const std::vector<std::vector<TorchAnswer>>& all, std::size_t i) {
  TorchAnswer mean;
  const double share = 1.0 / static_cast<double>(all.size());
  for (const std::vector<TorchAnswer>& answers : all)
    for (const auto member : {&TorchAnswer::step_s, &TorchAnswer::wait_s, &TorchAnswer::late_s, &TorchAnswer::sample_s,
                              &TorchAnswer::collate_s})
      mean.*member += share * answers[i].*member;
  mean.steps = all.back()[i].steps;
  return mean;
}

std::vector<TorchAnswer> mean_answers(std::vector<std::vector<TorchAnswer>>& recent) {
  if (recent.size() > kKept) recent.erase(recent.begin());
  std::vector<TorchAnswer> mean;
  for (std::size_t i = 0; i < recent.back().size(); ++i) mean.push_back(mean_answer(recent, i));
  return mean;
}

/// Points of one kind, whose parts are measured together, with what is known of them so far.
struct TorchGroup {
  std::string name;
  Bars bars;
  TorchFigures figures;
  std::vector<LoopPoint> points;
  std::vector<std::vector<Round>> rounds;  ///< by point
  std::vector<TorchRun> paced;             ///< the same in all rounds, so that their answers may be averaged
  std::vector<std::vector<TorchAnswer>> recent_free;
  std::vector<std::vector<TorchAnswer>> recent_paced;
};

class VerifyTorch {
 public:
  VerifyTorch(const TorchVerifyRequest& request, const TorchRunner& runner, const std::stop_token& stop,
              const std::function<void(const calibration::CalibrationProgress&)>& tell)
      : request_(request), runner_(runner), stop_(stop), tell_(tell), begin_ns_(clock_ns()) {
    out_.cores = calibration::usable_cores(request.places);
    out_.planned_s = planned_torch_s(request, out_.cores);
  }

  Verification run();

 private:
  void make_groups();
  void leave_out_without_pil(TorchGroup& group);
  bool fit_shared_memory(TorchGroup& group, std::uint64_t room_bytes);
  void measure(TorchGroup& group, std::uint64_t round);
  std::vector<Round> once(TorchGroup& group, std::uint64_t round);
  bool measure_figures(TorchGroup& group);
  bool answered(const std::vector<TorchRun>& runs, std::vector<TorchAnswer>& answers);
  std::uint64_t next_seed() { return sim::uniform_bits({request_.seed, 0, kTorchSeeds, 0}, draws_++) >> 32U; }
  void report(const std::string& phase) const;

  const TorchVerifyRequest& request_;
  const TorchRunner& runner_;
  std::stop_token stop_;
  const std::function<void(const calibration::CalibrationProgress&)>& tell_;
  std::uint64_t begin_ns_;
  std::vector<TorchGroup> groups_;
  std::uint64_t draws_ = 0;
  Verification out_;
};

void VerifyTorch::report(const std::string& phase) const {
  if (!tell_) return;
  const double used_s = seconds_between(begin_ns_, clock_ns());
  tell_({phase, std::min(0.99, used_s / std::max(out_.planned_s, 1.0)), std::max(0.0, out_.planned_s - used_s)});
}

/// Leaves out what would take more than `room_bytes` of shared memory; false where nothing is left.
bool VerifyTorch::fit_shared_memory(TorchGroup& group, std::uint64_t room_bytes) {
  std::string left_out;
  std::erase_if(group.points, [&](const LoopPoint& point) {
    if (run_of(point).shared_bytes() <= room_bytes) return false;
    left_out += (left_out.empty() ? "" : "; ") + point_text(point);
    return true;
  });
  TorchShape& largest = group.figures.shapes.back();
  TorchRun run;
  run.workers = group.figures.most_workers;
  run.frame_bytes = largest.frame_bytes;
  run.batch = 1;
  if (largest.frame_bytes > 0) {
    const std::uint64_t fitting = room_bytes / run.shared_bytes();
    if (fitting < kLeastLargeBatch && !group.points.empty()) {
      left_out = "all points of " + group.name;
      group.points.clear();
    }
    largest.batch = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fitting, kLeastLargeBatch, largest.batch));
  }
  if (!left_out.empty())
    out_.downgrades.push_back({"points", "left out",
                               fmt::format("{}: their batches need more than half of the shared memory that is free "
                                           "({} MiB of {}); give it more, such as docker run --shm-size",
                                           left_out, room_bytes >> 19U, kSharedMemory)});
  return !group.points.empty();
}

void VerifyTorch::leave_out_without_pil(TorchGroup& group) {
  if (request_.has_pil) return;
  out_.downgrades.push_back(
      {"points", "left out",
       fmt::format("all points of {}: this Python has no PIL to decode images; pip install pillow "
                   "(Debian: apt-get install python3-pil)",
                   group.name)});
  group.points.clear();
}

void VerifyTorch::make_groups() {
  TorchGroup sleeps;
  sleeps.name = "sleeps";
  sleeps.bars = {kSleepIdleBarPoints, kSleepStepBarPercent};
  sleeps.figures.most_workers = kMostSleepers;
  sleeps.figures.shapes = {{8, 0, kSleepS}};
  TorchGroup tensors;
  tensors.name = "tensors";
  tensors.bars = {std::nullopt, kTensorStepBarPercent};
  tensors.figures.most_workers = most_unpackers(out_.cores);
  tensors.figures.shapes = {{kSmallBatch, kFrameBytes, 0.0}, {kLargeBatch, kFrameBytes, 0.0}};
  TorchGroup images;
  images.name = "jpeg";
  images.bars = tensors.bars;
  images.figures.most_workers = tensors.figures.most_workers;
  images.figures.shapes = {{kSmallBatch, kImageBytes, 0.0, FrameDecoder::jpeg},
                           {kImageBatch, kImageBytes, 0.0, FrameDecoder::jpeg}};
  for (const LoopPoint& point : torch_grid(request_.grid, out_.cores))
    (is_sleeping(point) ? sleeps : point.jpeg ? images : tensors).points.push_back(point);
  leave_out_without_pil(images);
  const std::uint64_t room_bytes =
      (request_.shared_bytes ? *request_.shared_bytes : calibration::free_bytes(kSharedMemory)) / 2;
  for (TorchGroup* group : {&sleeps, &tensors, &images}) {
    if (group->points.empty() || !fit_shared_memory(*group, room_bytes)) continue;
    group->figures.cores = out_.cores;
    group->rounds.resize(group->points.size());
    groups_.push_back(std::move(*group));
  }
}

/// False when it was asked to stop.
bool VerifyTorch::answered(const std::vector<TorchRun>& runs, std::vector<TorchAnswer>& answers) {
  answers = runner_(runs);
  if (stop_.stop_requested()) return false;
  if (answers.size() != runs.size())
    throw calibration::CalibrationError(
        fmt::format("the loader answered {} of {} runs", answers.size(), runs.size()),
        "run the script of headrace verify --loader torch --print-script by itself to see why");
  return true;
}

/// Figures measured now, averaged with those of the rounds before.
bool VerifyTorch::measure_figures(TorchGroup& group) {
  const double length_s = 0.8 * request_.window_s;
  std::vector<TorchAnswer> answers;
  if (!answered(free_runs(group.figures, length_s, next_seed()), answers)) return false;
  group.recent_free.push_back(answers);
  const std::vector<TorchAnswer> free = mean_answers(group.recent_free);
  if (group.paced.empty()) group.paced = paced_runs(group.figures, free, length_s, next_seed());
  if (!answered(group.paced, answers)) return false;
  group.recent_paced.push_back(answers);
  take_answers(group.figures, free, group.paced, mean_answers(group.recent_paced));
  find_contention(group.figures);
  return true;
}

/// Figures, predictions and two runs of each point; nothing when it was asked to stop.
std::vector<Round> VerifyTorch::once(TorchGroup& group, std::uint64_t round) {
  const auto before = calibration::read_counters(request_.places, "");
  report(fmt::format("round {} of {}, parts of {}", round + 1, request_.rounds, group.name));
  if (!measure_figures(group)) return {};
  std::vector<Round> rounds(group.points.size());
  std::vector<TorchRun> runs;
  const std::vector<std::size_t> order = order_of_points(group.points.size(), request_.seed, round);
  for (const std::size_t i : order) {
    LoopPoint& point = group.points[i];
    if (point.step_s == 0.0) point.step_s = torch_least_step_s(point, group.figures) / point.load;
    rounds[i].predicted = predict_torch(point, group.figures, kPredictedSteps, next_seed());
    rounds[i].step_s = point.step_s;
    for (int half = 0; half < 2; ++half) {
      TorchRun& run = runs.emplace_back(run_of(point));
      run.seed = next_seed();
      set_steps(run, rounds[i].predicted.step_time_s, request_.window_s);
    }
  }
  report(fmt::format("round {} of {}, {}", round + 1, request_.rounds, group.name));
  std::vector<TorchAnswer> answers;
  if (!answered(runs, answers)) return {};
  const auto after = calibration::read_counters(request_.places, "");
  const auto contamination = calibration::contamination_between(before, after, 0.0, request_.places);
  for (std::size_t place = 0; place < order.size(); ++place) {
    Round& measured = rounds[order[place]];
    measured.first = loop_run(answers[2 * place]);
    measured.second = loop_run(answers[2 * place + 1]);
    measured.contamination = contamination;
    measured.clean = is_undisturbed(contamination);
  }
  return rounds;
}

void VerifyTorch::measure(TorchGroup& group, std::uint64_t number) {
  std::vector<Round> best;
  for (std::uint32_t attempt = 0; attempt <= kMostRepeats && !stop_.stop_requested(); ++attempt) {
    std::vector<Round> rounds = once(group, number);
    if (rounds.empty()) break;
    const auto others = [](const std::vector<Round>& r) {
      return r.front().contamination.other_cpu_cores.value_or(0.0);
    };
    if (attempt == 0 || others(rounds) < others(best)) best = std::move(rounds);
    if (best.front().clean) break;
    // A busy machine must not take for ever: half as long again as planned, then with what there is.
    const double used_s = seconds_between(begin_ns_, clock_ns());
    const double round_s = used_s / static_cast<double>(number + 1);
    if (attempt == kMostRepeats ||
        used_s + 0.5 * round_s > 1.5 * out_.planned_s * (static_cast<double>(number) + 1.0) / request_.rounds)
      break;
    // What disturbed the figures would make steps too long for the load that is asked for, in all rounds to come.
    if (number == 0)
      for (LoopPoint& point : group.points) point.step_s = 0.0;
    ++out_.repeated_rounds;
  }
  for (std::size_t i = 0; i < best.size(); ++i) {
    group.points[i].step_s = best[i].step_s;
    group.rounds[i].push_back(std::move(best[i]));
  }
}

Verification VerifyTorch::run() {
  out_.loader = "torch";
  out_.decoding = request_.has_pil ? "zlib and PIL" : "zlib";
  out_.figures = "measured in each round";
  make_groups();
  for (std::uint64_t round = 0; round < request_.rounds; ++round)
    for (TorchGroup& group : groups_)
      if (!stop_.stop_requested()) measure(group, round);
  for (const TorchGroup& group : groups_)
    for (std::size_t i = 0; i < group.points.size(); ++i) {
      if (group.rounds[i].empty()) continue;
      VerifiedPoint point = result_of(group.points[i], group.rounds[i], group.bars);
      point.group = group.name;
      out_.points.push_back(std::move(point));
    }
  summarize(out_);
  out_.interrupted = stop_.stop_requested();
  out_.used_s = seconds_between(begin_ns_, clock_ns());
  return std::move(out_);
}

}  // namespace

std::vector<LoopPoint> torch_grid(const std::string& grid, unsigned cores) {
  std::vector<LoopPoint> points;
  const std::uint32_t most = most_unpackers(cores);
  if (grid == "full") {
    for (const std::uint32_t workers : {1U, 2U, 4U, 8U})
      for (const double load : {0.6, 0.9, 1.3})
        for (const double cv : {0.3, 1.0}) points.push_back(sleeping_point(workers, cv < 1.0 ? 2 : 4, cv, load));
    for (const std::uint32_t mebibytes : {1U, 4U, 16U, 64U})
      for (const double load : {0.7, 1.0, 1.3})
        for (const std::uint32_t workers : {1U, most})
          if (workers == 1 || most > 1) points.push_back(unpacking_point(workers, mebibytes, load));
    for (const double load : {0.7, 1.0, 1.3})
      for (const std::uint32_t workers : {1U, most})
        if (workers == 1 || most > 1) points.push_back(decoding_point(workers, kImageBatch, load));
    return points;
  }
  return {sleeping_point(1, 2, 1.0, 0.7),
          sleeping_point(1, 1, 0.3, 1.0),
          sleeping_point(2, 2, 1.0, 0.9),
          sleeping_point(2, 4, 2.0, 1.1),
          sleeping_point(4, 2, 0.3, 1.3),
          sleeping_point(4, 3, 1.0, 0.8),
          sleeping_point(8, 2, 1.0, 0.6),
          sleeping_point(8, 4, 1.0, 1.0),
          unpacking_point(1, 1, 0.7),
          unpacking_point(1, 4, 1.2),
          unpacking_point(most, 4, 0.8),
          unpacking_point(most, 4, 1.3),
          unpacking_point(most, 16, 1.0),
          unpacking_point(most, 64, 0.9),
          decoding_point(1, 8, 0.8),
          decoding_point(1, kImageBatch, 1.2),
          decoding_point(most, kImageBatch, 0.8),
          decoding_point(most, kImageBatch, 1.3)};
}

std::vector<LoopPoint> torch_points(const TorchVerifyRequest& request, unsigned cores) {
  std::vector<LoopPoint> points = torch_grid(request.grid, cores);
  if (!request.has_pil) std::erase_if(points, [](const LoopPoint& point) { return point.jpeg; });
  return points;
}

double planned_torch_s(const TorchVerifyRequest& request, unsigned cores) {
  const double run_s = request.window_s + kStartS;
  const double calls = request.has_pil ? 6.0 : 4.0;
  const double parts = request.has_pil ? 20.0 : 12.0;  // runs that measure them
  double round_s = calls * kPythonS + 2.0 * static_cast<double>(torch_points(request, cores).size()) * run_s;
  round_s += parts * (0.8 * request.window_s + kStartS);
  return static_cast<double>(request.rounds) * round_s;
}

Verification verify_torch(const TorchVerifyRequest& request, const TorchRunner& runner, const std::stop_token& stop,
                          const std::function<void(const calibration::CalibrationProgress&)>& tell) {
  return VerifyTorch(request, runner, stop, tell).run();
}

}  // namespace headrace::models::verification
