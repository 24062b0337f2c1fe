#include "models/verification/torch_figures.hpp"

#include <algorithm>
#include <array>

namespace headrace::models::verification {
namespace {

constexpr double kUnpackedBytesPerS = 150e6;  // a guess, for the length of the first runs
constexpr double kLoadOfOne = 0.8;
constexpr double kLoadOfMost = 0.95;
constexpr double kFixedS = 1e-3;
constexpr double kTorchWarmUpS = 0.25;

double guessed_batch_s(const TorchShape& shape) {
  return kFixedS + shape.batch * shape.sleep_s + shape.batch_bytes() / kUnpackedBytesPerS;
}

TorchRun run_of(const TorchShape& shape, std::uint32_t workers, std::uint64_t seed) {
  TorchRun run;
  run.workers = workers;
  run.batch = shape.batch;
  run.frame_bytes = shape.frame_bytes;
  run.decoder = shape.decoder;
  run.sleep_s = shape.sleep_s;
  run.seed = seed;
  return run;
}

/// The two numbers of workers of a shape.
std::array<std::uint32_t, 2> crowds(const TorchFigures& figures) { return {1, figures.most_workers}; }

}  // namespace

void set_steps(TorchRun& run, double step_s, double seconds) {
  constexpr std::uint64_t kLeast = 12;
  run.first = std::max<std::uint64_t>(2 * std::uint64_t{run.workers} * run.prefetch,
                                      1 + static_cast<std::uint64_t>(kTorchWarmUpS / step_s));
  run.steps = run.first + std::max(kLeast, static_cast<std::uint64_t>(seconds / step_s));
}

std::vector<TorchRun> free_runs(const TorchFigures& figures, double second_s, std::uint64_t seed) {
  std::vector<TorchRun> runs;
  for (const TorchShape& shape : figures.shapes)
    for (const std::uint32_t workers : crowds(figures)) {
      TorchRun run = run_of(shape, workers, seed++);
      const double at_once = shape.sleep_s > 0.0 ? workers : std::min<double>(workers, figures.cores);
      set_steps(run, guessed_batch_s(shape) / at_once, second_s);
      runs.push_back(run);
    }
  return runs;
}

std::vector<TorchRun> paced_runs(const TorchFigures& figures, const std::vector<TorchAnswer>& free, double second_s,
                                 std::uint64_t seed) {
  std::vector<TorchRun> runs;
  for (const TorchShape& shape : figures.shapes)
    for (const std::uint32_t workers : crowds(figures)) {
      TorchRun run = run_of(shape, workers, seed++);
      run.step_s = free[runs.size()].step_s / (workers == 1 ? kLoadOfOne : kLoadOfMost);
      set_steps(run, run.step_s, second_s);
      runs.push_back(run);
    }
  return runs;
}

void take_answers(TorchFigures& figures, const std::vector<TorchAnswer>& free, const std::vector<TorchRun>& paced_by,
                  const std::vector<TorchAnswer>& paced) {
  figures.one.clear();
  figures.most.clear();
  for (std::size_t i = 0; i < free.size(); ++i) {
    const std::uint32_t workers = paced_by[i].workers;
    ShapeFigures shape;
    shape.batch_s = free[i].step_s * workers;
    shape.samples_s = free[i].sample_s;
    shape.collate_s = free[i].collate_s;
    shape.transport_s = std::max(0.0, shape.batch_s - shape.samples_s - shape.collate_s);
    shape.receive_s = paced[i].wait_s;
    shape.late_s = std::max(0.0, paced[i].late_s);
    const double at_work = paced[i].step_s > 0.0 ? std::min(1.0, free[i].step_s / paced[i].step_s) : 0.0;
    shape.paced_busy = at_work * workers / figures.most_workers;
    (i % 2 == 0 ? figures.one : figures.most).push_back(shape);
  }
}

}  // namespace headrace::models::verification
