// The closed loop with a PyTorch loader, held against loaders of a known law in place of a Python.
#include <cmath>
#include <numeric>
#include <random>
#include <string>

#include "models/calibration/scratch.hpp"
#include "models/verification/torch_prediction.hpp"
#include "models/verification/verify_torch.hpp"
#include "tests/catch.hpp"

namespace headrace::models::verification {
namespace {

/// A loader without noise. Times of a worker: samples, collation and a fixed part; of the training process: receiving.
struct KnownLoader {
  double oversleep_s = 0.2e-3;  ///< of a sleep
  double unpack_s_per_byte = 5e-9;
  double decode_s_per_byte = 6e-9;  ///< of JPEG images
  double collate_s_per_byte = 1e-9;
  double fixed_s = 0.7e-3;  ///< of a batch in its worker
  double receive_fixed_s = 1e-3;
  double receive_s_per_byte = 0.4e-9;
  double late_s = 0.1e-3;  ///< of a step
  double sigma = 0.1;      ///< workers that unpack slow each other as if all were busy

  double slowdown(const TorchRun& run) const { return run.sleep_s > 0.0 ? 1.0 : 1.0 + sigma * (run.workers - 1.0); }
  double samples_s(const TorchRun& run) const {
    const double per_byte = run.decoder == FrameDecoder::jpeg ? decode_s_per_byte : unpack_s_per_byte;
    const double each_s = run.sleep_s > 0.0 ? run.sleep_s + oversleep_s : per_byte * run.frame_bytes;
    return run.batch * each_s * slowdown(run);
  }
  double collate_s(const TorchRun& run) const {
    return collate_s_per_byte * static_cast<double>(run.batch_bytes()) * slowdown(run);
  }
  double receive_s(const TorchRun& run) const {
    return receive_fixed_s + receive_s_per_byte * static_cast<double>(run.batch_bytes());
  }

  /// Gamma distributed, their mean exact as in the script.
  static std::vector<double> sleeps_s(const TorchRun& run) {
    if (!(run.sleep_cv > 0.0)) return {};
    std::mt19937_64 random(run.seed);
    std::gamma_distribution<double> sleep(1.0 / run.sleep_cv / run.sleep_cv, 1.0);
    std::vector<double> sleeps(run.steps * run.batch);
    for (double& each : sleeps) each = sleep(random);
    const double sum = std::accumulate(sleeps.begin(), sleeps.end(), 0.0);
    for (double& each : sleeps) each *= run.sleep_s * static_cast<double>(sleeps.size()) / sum;
    return sleeps;
  }

  /// In order, K = workers x prefetch (F. Baccelli et al., Synchronization and Linearity, 1992).
  TorchAnswer answer(const TorchRun& run) const {
    const std::vector<double> sleeps = sleeps_s(run);
    const std::uint64_t outstanding = std::uint64_t{run.workers} * run.prefetch;
    std::vector<double> ready(run.steps);
    std::vector<double> taken(run.steps);
    double end_s = 0.0;
    double began_s = 0.0;
    double wait_s = 0.0;
    for (std::uint64_t i = 0; i < run.steps; ++i) {
      double samples = samples_s(run);
      if (run.sleep_cv > 0.0) {
        samples = run.batch * oversleep_s;
        for (std::uint32_t k = 0; k < run.batch; ++k) samples += sleeps[i * run.batch + k];
      }
      const double free_s =
          std::max(i >= run.workers ? ready[i - run.workers] : 0.0, i >= outstanding ? taken[i - outstanding] : 0.0);
      ready[i] = free_s + samples + collate_s(run) + fixed_s;
      taken[i] = std::max(end_s, ready[i]) + receive_s(run);
      if (i == run.first) began_s = end_s;
      if (i >= run.first) wait_s += taken[i] - end_s;
      end_s = taken[i] + (run.step_s > 0.0 ? run.step_s + late_s : 0.0);
    }
    TorchAnswer answer;
    answer.steps = run.steps - run.first;
    const auto counted = static_cast<double>(answer.steps);
    answer.step_s = (end_s - began_s) / counted;
    answer.wait_s = wait_s / counted;
    answer.late_s = run.step_s > 0.0 ? late_s : 0.0;
    answer.sample_s = samples_s(run);
    answer.collate_s = collate_s(run);
    return answer;
  }

  TorchRunner runner() const {
    return [*this](const std::vector<TorchRun>& runs) {
      std::vector<TorchAnswer> answers;
      for (const TorchRun& run : runs) answers.push_back(answer(run));
      return answers;
    };
  }
};

/// One round whose runs are long: the fake takes no time.
TorchVerifyRequest request_for(double window_s) {
  TorchVerifyRequest request;
  request.rounds = 1;
  request.window_s = window_s;
  request.shared_bytes = std::uint64_t{64} << 30U;
  return request;
}

}  // namespace

TEST_CASE("a PyTorch loader of a known law is predicted from short runs of its parts", "[long_2]") {
  const Verification v = verify_torch(request_for(60.0), KnownLoader{}.runner(), {}, {});
  REQUIRE(v.points.size() == torch_grid("small", v.cores).size());
  for (const VerifiedPoint& point : v.points) {
    INFO(point_text(point.point));
    CHECK(point.measured.step_time_s.mean > point.point.step_s);
    // The longest of several sums of sleeps decides: 1500 batches tell it within 1 %, with cv 2 within 2 %, but for one
    // set of seeds in fifty.
    const double draws = point.point.sleep_cv > 1.0 ? 2.0 : 1.0;
    CHECK(std::abs(point.step_error_percent) < draws);
    CHECK(std::abs(point.idle_error_points) < draws);
  }
  REQUIRE(v.groups.size() == 3);
  CHECK(v.groups[0].name == "sleeps");
  CHECK(v.groups[0].points == 8);
  CHECK(v.groups[1].bars.idle_points == std::nullopt);
  CHECK(v.groups[2].name == "jpeg");
  CHECK(v.groups[2].points == 4);
  CHECK(v.groups[2].bars.step_percent == kTensorStepBarPercent);
  CHECK(v.within_bars());
  CHECK_FALSE(v.interrupted);
}

TEST_CASE("what no calibrated run shows is an error of the prediction", "[long_4]") {
  // The parts are told without what the points have: steps that take 20 % longer must not be predicted.
  const KnownLoader told;
  KnownLoader real;
  real.receive_fixed_s = 8e-3;
  const TorchRunner both = [&](const std::vector<TorchRun>& runs) {
    const bool parts = runs.size() <= 4;
    return (parts ? told : real).runner()(runs);
  };
  const Verification v = verify_torch(request_for(20.0), both, {}, {});
  CHECK_FALSE(v.within_bars());
  CHECK(v.idle_error_points.mean > 3.0);
}

TEST_CASE("the serial part of unpacking workers comes back from their rate") {
  KnownLoader loader;
  loader.sigma = 0.2;
  TorchFigures figures;
  figures.cores = figures.most_workers = 4;
  figures.shapes = {{4, 262144, 0.0}, {64, 262144, 0.0}};
  const auto answers_to = [&](const std::vector<TorchRun>& runs) { return loader.runner()(runs); };
  const std::vector<TorchAnswer> free = answers_to(free_runs(figures, 20.0, 1));
  const std::vector<TorchRun> paced = paced_runs(figures, free, 20.0, 1);
  take_answers(figures, free, paced, answers_to(paced));
  find_contention(figures);
  REQUIRE(figures.sigma.size() == 2);
  // A small batch has a larger part without contention, in which the model lets the others run faster: more sigma.
  CHECK(figures.sigma[0] == Approx(0.2).margin(0.03));
  CHECK(figures.sigma[1] == Approx(0.2).margin(0.01));
  CHECK(figures.one[1].receive_s == Approx(1e-3 + 0.4e-9 * 64 * 262144).epsilon(0.01));
  figures.most[1].batch_s = figures.one[1].batch_s;  // as quick as one by itself: nothing to explain
  find_contention(figures);
  CHECK(figures.sigma[1] == 0.0);
}

TEST_CASE("receiving beside busy workers takes longer, the more of them are at work") {
  TorchFigures figures;
  figures.cores = figures.most_workers = 2;
  figures.shapes = {{4, 262144, 0.0}, {64, 262144, 0.0}};
  ShapeFigures small{8e-3, 6e-3, 1e-3, 1e-3, 1e-3, 0.1e-3, 0.2};
  ShapeFigures large{103e-3, 86e-3, 16e-3, 1e-3, 16e-3, 0.1e-3, 0.2};
  figures.one = {small, large};
  for (ShapeFigures* f : {&small, &large}) {
    f->receive_s *= 2.0;
    f->late_s = 0.5e-3;
    f->paced_busy = 0.8;
  }
  figures.most = {small, large};
  LoopPoint point;
  point.workers = 2;
  point.outstanding = 4;
  point.batch = 64;
  point.block_bytes = 262144;
  CHECK(torch_times(point, figures, 0.2).receive_s == Approx(16e-3));
  CHECK(torch_times(point, figures, 0.5).receive_s == Approx(24e-3));
  CHECK(torch_times(point, figures, 0.8).receive_s == Approx(32e-3));
  CHECK(torch_times(point, figures, 0.5).late_s == Approx(0.3e-3));
  point.step_s = 1.0;  // workers rest nearly always
  const LoopPrediction rested = predict_torch(point, figures, 200, 1);
  CHECK(rested.step_time_s == Approx(1.0161).epsilon(1e-4));
  CHECK(rested.idle_fraction == Approx(0.016 / 1.0161).epsilon(0.01));
}

TEST_CASE("points whose batches do not fit shared memory are left out, and the report says so", "[long_1]") {
  TorchVerifyRequest request = request_for(2.0);
  request.shared_bytes = std::uint64_t{512} << 20U;  // half of it holds three batches of 64 MiB
  const Verification some = verify_torch(request, KnownLoader{}.runner(), {}, {});
  const std::size_t all = torch_grid("small", some.cores).size();
  CHECK(some.points.size() < all);
  CHECK(some.groups.size() == 3);
  REQUIRE(some.downgrades.size() == 1);
  CHECK(some.downgrades[0].reason.find("256 x 256 KiB") != std::string::npos);
  CHECK(some.downgrades[0].reason.find("512 MiB of /dev/shm") != std::string::npos);
  request.shared_bytes = std::uint64_t{1} << 20U;
  const Verification none = verify_torch(request, KnownLoader{}.runner(), {}, {});
  CHECK(none.points.size() == 8);
  REQUIRE(none.groups.size() == 1);
  CHECK(none.groups[0].name == "sleeps");
}

TEST_CASE("without PIL the group of JPEG images is left out by name, and is not planned", "[long_1]") {
  TorchVerifyRequest request = request_for(2.0);
  const double with_s = planned_torch_s(request, 2);
  CHECK(torch_points(request, 2).size() == torch_grid("small", 2).size());
  request.has_pil = false;
  CHECK(planned_torch_s(request, 2) < with_s);
  CHECK(torch_points(request, 2).size() == torch_grid("small", 2).size() - 4);
  std::size_t images = 0;
  const TorchRunner counts = [&](const std::vector<TorchRun>& runs) {
    for (const TorchRun& run : runs) images += run.decoder == FrameDecoder::jpeg ? 1U : 0U;
    return KnownLoader{}.runner()(runs);
  };
  const Verification without = verify_torch(request, counts, {}, {});
  CHECK(images == 0);
  CHECK(without.groups.size() == 2);
  CHECK(without.decoding == "zlib");
  REQUIRE(without.downgrades.size() == 1);
  CHECK(without.downgrades[0].reason.find("all points of jpeg") == 0);
  CHECK(without.downgrades[0].reason.find("apt-get install python3-pil") != std::string::npos);
  request.has_pil = true;
  CHECK(verify_torch(request, counts, {}, {}).downgrades.empty());
  CHECK(images > 0);
}

TEST_CASE("a PyTorch loader that is stopped ends with what there is, one that says too little is an error") {
  std::stop_source stop;
  std::size_t calls = 0;
  const TorchRunner stops = [&](const std::vector<TorchRun>& runs) {
    if (++calls == 7) stop.request_stop();  // in the second round
    return stop.stop_requested() ? std::vector<TorchAnswer>{} : KnownLoader{}.runner()(runs);
  };
  TorchVerifyRequest request = request_for(2.0);
  request.rounds = 3;
  const Verification v = verify_torch(request, stops, stop.get_token(), {});
  CHECK(v.interrupted);
  CHECK(v.points.size() >= 8);
  const TorchRunner silent = [](const std::vector<TorchRun>&) { return std::vector<TorchAnswer>{}; };
  CHECK_THROWS_AS(verify_torch(request, silent, {}, {}), calibration::CalibrationError);
}

}  // namespace headrace::models::verification
