#include "models/verification/torch_prediction.hpp"

#include <algorithm>
#include <cmath>

namespace headrace::models::verification {
namespace {

using Figure = double ShapeFigures::*;

/// A line over the bytes of a batch. Neither part is below 0: times that fall with size are noise, and their mean
/// holds.
struct Line {
  double fixed = 0.0;
  double per_byte = 0.0;

  double at(double bytes) const { return fixed + per_byte * bytes; }
};

Line line_of(const std::vector<TorchShape>& shapes, const std::vector<ShapeFigures>& figures, Figure figure) {
  const double first = figures.front().*figure;
  const double last = figures.back().*figure;
  const double x0 = shapes.front().batch_bytes();
  const double x1 = shapes.back().batch_bytes();
  if (!(x1 > x0)) return {first, 0.0};
  const double slope = (last - first) / (x1 - x0);
  if (slope <= 0.0) return {0.5 * (first + last), 0.0};
  const double fixed = first - slope * x0;
  return fixed >= 0.0 ? Line{fixed, slope} : Line{0.0, last / x1};
}

/// Between the figures of one worker, measured at the share `from` of busy workers, and those of the most, at `to`;
/// beyond `to` only what grows goes on.
double between(double one, double most, double from, double to, double busy) {
  constexpr double kLeastDistance = 0.05;
  if (to - from < kLeastDistance) return one;
  const double place = std::max(0.0, (busy - from) / (to - from));
  return one + (most - one) * (most > one ? place : std::min(place, 1.0));
}

double mean_of_shapes(const std::vector<ShapeFigures>& figures, Figure figure) {
  double sum = 0.0;
  for (const ShapeFigures& f : figures) sum += f.*figure / static_cast<double>(figures.size());
  return sum;
}

/// A figure of runs with a step.
double paced(const TorchFigures& f, double one, double most, double busy) {
  return between(one, most, mean_of_shapes(f.one, &ShapeFigures::paced_busy),
                 mean_of_shapes(f.most, &ShapeFigures::paced_busy), busy);
}

double receive_s(const TorchFigures& f, double bytes, double busy) {
  return paced(f, line_of(f.shapes, f.one, &ShapeFigures::receive_s).at(bytes),
               line_of(f.shapes, f.most, &ShapeFigures::receive_s).at(bytes), busy);
}

/// A sleep does not know what is received after it: the mean over the sizes.
double late_s(const TorchFigures& f, double busy) {
  return paced(f, mean_of_shapes(f.one, &ShapeFigures::late_s), mean_of_shapes(f.most, &ShapeFigures::late_s), busy);
}

/// Serial part at the size of the point, on a line over the logarithm of bytes, level outside.
double sigma_at(const TorchFigures& figures, double bytes) {
  if (figures.sigma.empty()) return 0.0;
  const double from = std::log(figures.shapes.front().batch_bytes());
  const double to = std::log(figures.shapes.back().batch_bytes());
  const double place = to > from ? std::clamp((std::log(bytes) - from) / (to - from), 0.0, 1.0) : 0.0;
  return figures.sigma.front() + place * (figures.sigma.back() - figures.sigma.front());
}

/// Share of the most workers that is at work in a step of that length.
double busy_share(const LoopPoint& point, const TorchFigures& figures, double step_s) {
  return static_cast<double>(point.workers) / figures.most_workers *
         std::min(1.0, torch_least_step_s(point, figures) / std::max(step_s, 1e-9));
}

LoopPoint point_of(const TorchFigures& figures, std::size_t shape) {
  LoopPoint point;
  point.workers = figures.most_workers;
  point.outstanding = 2 * point.workers;
  point.batch = figures.shapes[shape].batch;
  point.block_bytes = figures.shapes[shape].frame_bytes;
  point.sleep_s = figures.shapes[shape].sleep_s;
  point.step_s = 1e-7;
  return point;
}

/// Without contention.
TorchTimes lone_times(const LoopPoint& point, const TorchFigures& figures, double busy) {
  TorchTimes times;
  const double bytes = static_cast<double>(point.batch) * point.block_bytes;
  const TorchShape& shape = figures.shapes.back();
  if (point.sleep_s > 0.0) {
    const double from = 1.0 / figures.most_workers;
    const ShapeFigures& one = figures.one.front();
    const ShapeFigures& most = figures.most.front();
    times.sample_s = between(one.samples_s, most.samples_s, from, 1.0, busy) / shape.batch - shape.sleep_s;
    times.collate_fixed_s = between(one.collate_s, most.collate_s, from, 1.0, busy);
    times.transport_s = between(one.transport_s, most.transport_s, from, 1.0, busy);
  } else {
    double sample_s = 0.0;  // of one sample: the mean over the sizes
    for (std::size_t i = 0; i < figures.shapes.size(); ++i)
      sample_s += figures.one[i].samples_s / figures.shapes[i].batch / static_cast<double>(figures.shapes.size());
    const Line collate = line_of(figures.shapes, figures.one, &ShapeFigures::collate_s);
    times.sample_s = sample_s;
    times.collate_fixed_s = collate.fixed;
    times.collate_s_per_byte = collate.per_byte;
    times.transport_s = line_of(figures.shapes, figures.one, &ShapeFigures::transport_s).at(bytes);
  }
  times.sample_s = std::max(times.sample_s, 0.0);
  times.receive_s = receive_s(figures, bytes, busy);
  times.late_s = late_s(figures, busy);
  return times;
}

double contention_sigma(const TorchFigures& figures, std::size_t shape) {
  constexpr std::uint64_t kSteps = 400;  // constant times: the first few tell
  const LoopPoint point = point_of(figures, shape);
  TorchTimes times = lone_times(point, figures, 1.0);
  // This shape's own times: what the lines miss is no contention.
  const ShapeFigures& one = figures.one[shape];
  times.sample_s = one.samples_s / point.batch;
  times.collate_fixed_s = 0.0;
  times.collate_s_per_byte = one.collate_s / figures.shapes[shape].batch_bytes();
  times.transport_s = one.transport_s;
  times.receive_s = std::min(times.receive_s, figures.one[shape].receive_s);
  times.late_s = 0.0;
  const double measured_s = figures.most[shape].batch_s / point.workers;
  const auto simulated_s = [&](double sigma) {
    times.sigma = sigma;
    return mean_in(simulate_steps(torch_scenario(point, times, figures.cores), kSteps, 1).metrics, "step_time_s");
  };
  double low = 0.0;
  double high = 1.0;
  if (simulated_s(low) >= measured_s) return 0.0;
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (low + high);
    (simulated_s(middle) < measured_s ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

void find_contention(TorchFigures& figures) {
  figures.sigma.clear();
  if (figures.most_workers < 2 || figures.shapes.front().sleep_s > 0.0) return;
  for (std::size_t shape = 0; shape < figures.shapes.size(); ++shape)
    figures.sigma.push_back(contention_sigma(figures, shape));
}

TorchTimes torch_times(const LoopPoint& point, const TorchFigures& figures, double busy) {
  TorchTimes times = lone_times(point, figures, busy);
  if (point.workers > 1 && !(point.sleep_s > 0.0))
    times.sigma = sigma_at(figures, static_cast<double>(point.batch) * point.block_bytes);
  return times;
}

double torch_least_step_s(const LoopPoint& point, const TorchFigures& figures) {
  const double crowd = static_cast<double>(point.workers) / figures.most_workers;
  const TorchTimes times = torch_times(point, figures, crowd);
  const double bytes = static_cast<double>(point.batch) * point.block_bytes;
  const double work_s = point.batch * times.sample_s + times.collate_s_per_byte * bytes;
  const double slowed_s = work_s * (1.0 + times.sigma * (point.workers - 1.0));
  return (point.batch * point.sleep_s + slowed_s + times.collate_fixed_s + times.transport_s) / point.workers;
}

Scenario torch_scenario(const LoopPoint& point, const TorchTimes& times, unsigned cores) {
  Scenario scenario = machine_scenario(point, times.late_s);
  scenario.title = "PyTorch loader on this machine: " + point_text(point);
  Host& host = scenario.cluster.pools[0].host;
  host.cores = cores;
  host.contention.sigma = times.sigma;
  scenario.datasets[0].sample_bytes = DistributionSpec::constant(1.0);
  scenario.datasets[0].decoded_bytes_per_sample = std::max(1.0, static_cast<double>(point.block_bytes));
  Loader& loader = scenario.jobs[0].loader;
  if (point.sleep_s > 0.0) {
    // A sleep ends late by about the same time, however long it is.
    const double mean_s = point.sleep_s + times.sample_s;
    scenario.stores[0].latency_s = point.sleep_cv > 0.0
                                       ? DistributionSpec::gamma(mean_s, point.sleep_cv * point.sleep_s / mean_s)
                                       : DistributionSpec::constant(mean_s);
  } else {
    loader.cpu_s_per_sample = DistributionSpec::constant(times.sample_s);
  }
  loader.collate_bytes_per_s =
      times.collate_s_per_byte > 0.0 ? std::optional(1.0 / times.collate_s_per_byte) : std::nullopt;
  loader.transport.fixed_s = times.collate_fixed_s + times.transport_s;
  loader.receive.fixed_s = times.receive_s;
  return scenario;
}

LoopPrediction predict_torch(const LoopPoint& point, const TorchFigures& figures, std::uint64_t steps,
                             std::uint64_t seed) {
  LoopPrediction prediction;
  double step_s = point.step_s;
  for (int i = 0; i < 4; ++i) {
    const TorchTimes times = torch_times(point, figures, busy_share(point, figures, step_s));
    const Outcome outcome = simulate_steps(torch_scenario(point, times, figures.cores), steps, seed);
    step_s = mean_in(outcome.metrics, "step_time_s");
    prediction.step_time_s = step_s;
    prediction.idle_fraction = mean_in(outcome.metrics, "gpu_idle_fraction");
    prediction.wait_parts = wait_parts_of(outcome);
    prediction.overrun_s = times.late_s;
  }
  return prediction;
}

}  // namespace headrace::models::verification
