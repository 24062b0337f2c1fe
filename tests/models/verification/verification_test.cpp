// The closed loop in small: the real pipeline, the figures of its parts, the prediction from them, and the comparison.
#include <sched.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "models/calibration/io_engine.hpp"
#include "models/calibration/scratch.hpp"
#include "models/verification/loop_reader.hpp"
#include "models/verification/verify.hpp"
#include "tests/catch.hpp"

namespace headrace::models::verification {
namespace {

constexpr std::uint32_t kBlock = 64 * 1024;

/// A file of frames in a folder that goes away.
class Frames {
 public:
  Frames()
      : scratch_(std::filesystem::temp_directory_path().string()), data_(scratch_.path("blocks"), kBlock, 4U << 20) {}
  const LoopData& data() const { return data_; }
  std::string file() const { return scratch_.path("blocks"); }

 private:
  calibration::Scratch scratch_;
  LoopData data_;
};

LoopPoint small_point(std::uint32_t workers, std::uint32_t outstanding, bool in_order, double step_s) {
  LoopPoint point;
  point.workers = workers;
  point.outstanding = outstanding;
  point.in_order = in_order;
  point.block_bytes = kBlock;
  point.batch = 2;
  point.step_s = step_s;
  return point;
}

/// A machine of known figures: 1 ms for a read, of which 0.25 ms on a shared station, 2 ms to decode, nothing else.
LoopFigures known_figures(unsigned cores) {
  LoopFigures figures;
  figures.block_bytes = kBlock;
  figures.cores = cores;
  for (const double n : {1.0, 2.0, 4.0, 8.0})
    figures.read_rates.push_back({n, calibration::throughput_of("mva", {0.75e-3, 0.25e-3}, n)});
  figures.read_s = 1e-3;
  figures.read_quantiles = {{0.0, 0.9e-3}, {0.5, 1.0e-3}, {1.0, 1.1e-3}};
  figures.decode_s = 2e-3;
  figures.decode_all_s = 2e-3;
  return figures;
}

VerifiedPoint point_of(double predicted_step, double measured_step, double half, double predicted_idle,
                       double measured_idle, double idle_half) {
  VerifiedPoint point;
  point.clean_rounds = point.rounds = 3;
  point.predicted.step_time_s = {predicted_step, predicted_step - half, predicted_step + half};
  point.measured.step_time_s = {measured_step, measured_step - half, measured_step + half};
  point.predicted.idle_fraction = {predicted_idle, predicted_idle - idle_half, predicted_idle + idle_half};
  point.measured.idle_fraction = {measured_idle, measured_idle - idle_half, measured_idle + idle_half};
  judge(point);
  return point;
}

}  // namespace

TEST_CASE("blocks decode, and damage is seen") {
  const Frames frames;
  const calibration::BlockBuffers buffer(1, kBlock, calibration::BufferLayout::contiguous);
  LoopReader reader(frames.data());
  std::vector<std::byte> out;
  for (std::uint64_t i = 0; i < frames.data().blocks(); ++i) {
    reader.read(i, buffer.block(0));
    frames.data().decode(buffer.block(0), out);
  }
  CHECK(out.size() > kBlock / 2);
  CHECK(out.size() == frames.data().raw_bytes());
  CHECK_THROWS_AS(reader.read(frames.data().blocks(), buffer.block(0)), calibration::IoFailure);
  buffer.block(0)[1000] ^= std::byte{1};
  CHECK_THROWS_AS(frames.data().decode(buffer.block(0), out), calibration::IoFailure);
}

TEST_CASE("the pipeline takes its time, and waits where it must") {
  const Frames frames;
  const auto consumer = make_consumer(Consumer::sleeps, nullptr, 0);
  for (const bool in_order : {true, false}) {
    const LoopPoint slow = small_point(2, 4, in_order, 4e-3);
    const LoopRun fed = run_loop(slow, frames.data(), *consumer, {0.01, 0.06}, 1, {});
    CHECK(fed.steps >= 3);
    CHECK(fed.step_time_s() >= 4e-3);  // whatever else runs, no step is shorter than its compute
    const LoopRun starved = run_loop(small_point(2, 4, in_order, 0.0), frames.data(), *consumer, {0.01, 0.06}, 1, {});
    CHECK(starved.idle_fraction() > 0.5);
    CHECK(starved.idle_fraction() <= 1.0);
    double parts_s = 0.0;
    for (const double part : starved.wait_parts_s) parts_s += part;
    CHECK(parts_s == Approx(starved.wait_s).epsilon(1e-6));
  }
}

TEST_CASE("a pipeline that is asked to stop ends") {
  const Frames frames;
  std::stop_source source;
  source.request_stop();
  const auto consumer = make_consumer(Consumer::sleeps, nullptr, 0);
  CHECK(run_loop(small_point(2, 2, true, 1e-3), frames.data(), *consumer, {0.0, 100.0}, 1, source.get_token()).steps ==
        0);
}

TEST_CASE("a GPU passes the steps with a copy of each batch") {
  const Frames frames;
  const calibration::GpuDevice gpu(HEADRACE_FAKE_GPU_LIBRARY, 0);
  LoopPoint point = small_point(2, 4, true, 3e-3);
  point.consumer = Consumer::gpu;
  const auto consumer = make_consumer(point.consumer, &gpu, std::uint64_t{20} << 20);  // a copy takes 1 ms
  const LoopRun run = run_loop(point, frames.data(), *consumer, {0.01, 0.06}, 1, {});
  CHECK(run.steps >= 3);
  CHECK(run.step_time_s() >= 4e-3);
  CHECK(run.overrun_s / static_cast<double>(run.steps) >= 1e-3);
  const LoopFigures figures = measure_figures(point, frames.data(), *consumer, 2, {0.01}, 1, {});
  CHECK(figures.overrun_s >= 1e-3);
  CHECK(figures.workers_batch_s > 0.0);
}

TEST_CASE("a GPU that fails ends the loop and its workers") {
  const Frames frames;
  const calibration::GpuDevice gpu(HEADRACE_FAKE_GPU_LIBRARY, 0);
  const auto consumer = make_consumer(Consumer::gpu, &gpu, 1024);
  const LoopPoint point = small_point(2, 4, true, 3e-3);
  ::setenv("HEADRACE_FAKE_GPU", "broken", 1);
  CHECK_THROWS_AS(run_loop(point, frames.data(), *consumer, {0.01, 0.06}, 1, {}), calibration::CalibrationError);
  CHECK_THROWS_AS(measure_figures(point, frames.data(), *consumer, 2, {0.01}, 1, {}), calibration::CalibrationError);
  ::unsetenv("HEADRACE_FAKE_GPU");
}

TEST_CASE("a consumer goes before workers only while it is asked to") {
  const int policy = ::sched_getscheduler(0);
  {
    const BeforeWorkers before(Consumer::sleeps);
    CHECK((before.raised() ? ::sched_getscheduler(0) != policy : ::sched_getscheduler(0) == policy));
    int of_others = policy;
    std::thread([&of_others] { of_others = ::sched_getscheduler(0); }).join();
    CHECK(of_others == policy);
  }
  CHECK(::sched_getscheduler(0) == policy);
  CHECK_FALSE(BeforeWorkers(Consumer::spins).raised());
}

TEST_CASE("delay and shared station of reads come back from their rates") {
  const ReadLaw law = read_law(known_figures(2).read_rates);
  CHECK(law.queue_s == Approx(0.25e-3).epsilon(0.03));
  CHECK(law.delay_s == Approx(0.75e-3).epsilon(0.03));
}

TEST_CASE("predictions of machines whose loop has an exact answer") {
  LoopPoint point = small_point(1, 4, true, 20e-3);
  point.batch = 4;  // 4 ms of reads and 8 ms of decoding
  LoopFigures figures = known_figures(2);
  CHECK(batch_time_s(point, figures) == Approx(12e-3));
  SECTION("fed: a step is its compute and its overrun") {
    figures.overrun_s = figures.busy_overrun_s = 0.1e-3;
    const LoopPrediction p = predict_loop(point, figures, 2000, 1);
    CHECK(p.step_time_s == Approx(20.1e-3).epsilon(1e-3));
    CHECK(p.idle_fraction == Approx(0.0).margin(1e-3));
  }
  SECTION("starved: one worker gives a batch in its time") {
    point.step_s = 6e-3;
    const LoopPrediction p = predict_loop(point, figures, 2000, 1);
    CHECK(p.step_time_s == Approx(12e-3).epsilon(0.02));
    CHECK(p.idle_fraction == Approx(0.5).margin(0.02));
    CHECK(p.wait_parts[1] + p.wait_parts[2] == Approx(p.idle_fraction).margin(0.01));
  }
  SECTION("starved: many workers are held by the cores, slowed as measured") {
    point.workers = 8;
    point.outstanding = 16;
    point.step_s = 1e-3;
    figures.decode_all_s = 2.5e-3;
    const LoopPrediction p = predict_loop(point, figures, 2000, 1);
    // The model's contention counts the time of reads as time off the cores, which workers in line for a core hide: 5
    // %.
    CHECK(p.step_time_s == Approx(4 * 2.5e-3 / 2.0).epsilon(0.06));
    CHECK(least_step_s(point, figures) == Approx(5e-3).epsilon(1e-6));
  }
  SECTION("a consumer that computes leaves one core less") {
    point.consumer = Consumer::spins;
    CHECK(loop_scenario(point, figures, {}).cluster.pools[0].host.cores == 1);
  }
  SECTION("beside busy workers steps overrun more, the less so the more they rest") {
    point.workers = 2;  // 6 ms at least
    figures.busy_overrun_s = 1e-3;
    CHECK(predict_loop(point, figures, 500, 1).overrun_s == Approx(6e-3 / 20.3e-3 * 1e-3).epsilon(0.01));
    point.step_s = 4e-3;
    CHECK(predict_loop(point, figures, 500, 1).overrun_s == Approx(1e-3).epsilon(0.05));
  }
  SECTION("workers that hinder each other go on late after reads, so that they are as quick as measured") {
    point.workers = 2;
    point.outstanding = 8;
    point.in_order = false;
    point.step_s = 1e-3;
    figures.workers_batch_s = 8e-3;  // 6 ms if they did not
    const LoopPrediction p = predict_loop(point, figures, 2000, 1);
    CHECK(p.step_time_s == Approx(8e-3).epsilon(0.01));
    CHECK(p.wake_s == Approx((8e-3 - 6e-3) * 2 / 4).epsilon(0.05));  // for each of the 4 blocks of a batch
    CHECK(least_step_s(point, figures) == 8e-3);
    figures.workers_batch_s = 5e-3;  // quicker than the parts: nothing to explain
    CHECK(predict_loop(point, figures, 500, 1).wake_s == 0.0);
  }
}

TEST_CASE("verdicts follow from bars and intervals") {
  CHECK(point_of(1.02, 1.0, 0.001, 0.10, 0.12, 0.001).verdict == PointVerdict::agrees);
  CHECK(point_of(1.20, 1.0, 0.15, 0.10, 0.12, 0.02).verdict == PointVerdict::within_noise);
  CHECK(point_of(1.20, 1.0, 0.01, 0.10, 0.12, 0.02).verdict == PointVerdict::differs);
  CHECK(point_of(1.00, 1.0, 0.01, 0.20, 0.12, 0.01).verdict == PointVerdict::differs);
  Verification all;
  all.points = {point_of(1.02, 1.0, 0.001, 0.10, 0.12, 0.001), point_of(0.96, 1.0, 0.001, 0.10, 0.06, 0.001)};
  summarize(all);
  CHECK(all.idle_error_points.mean == Approx(3.0));
  CHECK(all.idle_error_points.largest == Approx(4.0));
  CHECK(all.step_error_percent.mean == Approx(3.0));
}

TEST_CASE("steps of a job have an interval that holds their mean") {
  std::vector<MeasuredStep> steps(400, {0.1, 0.02});
  for (std::size_t i = 0; i < 40; ++i) steps[i] = {5.0, 4.9};  // the first tenth does not count
  const ComparedLoop loop = measured_loop(steps);
  CHECK(loop.step_time_s.mean == Approx(0.1));
  CHECK(loop.idle_fraction.mean == Approx(0.2));
  CHECK(loop.step_time_s.high - loop.step_time_s.low < 1e-9);
  const Spread spread = spread_of({1.0, 2.0, 3.0});
  CHECK(spread.mean == Approx(2.0));
  CHECK(spread.high - spread.mean == Approx(4.3027 / std::sqrt(3.0)).epsilon(1e-3));
}

TEST_CASE("figures of reads come from a site, and what it lacks is named") {
  calibration::Calibration site;
  for (const double depth : {1.0, 4.0}) {
    calibration::Cell cell;
    cell.probe = "random_read";
    cell.block_bytes = kBlock;
    cell.depth = static_cast<std::uint64_t>(depth);
    cell.buffers = "contiguous";
    cell.estimate = {1000.0 * depth, 900.0 * depth, 1100.0 * depth, 5, 5, calibration::Verdict::clean};
    calibration::LatencyHistogram histogram;
    histogram.add(1'000'000, 100);
    cell.latency = histogram.record();
    site.cells.push_back(cell);
  }
  LoopFigures figures = known_figures(2);
  CHECK(take_from_site(site, figures).size() == 3);
  CHECK(figures.read_s == Approx(1e-3));
  CHECK(figures.read_rates.size() == 2);
  CHECK(take_from_site({}, figures).size() == 4);
}

}  // namespace headrace::models::verification
