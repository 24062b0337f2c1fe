// What a batch costs a PyTorch loader, from a loader of a known law in place of a Python.
#include "models/verification/torch_calibration.hpp"

#include <cmath>
#include <string>

#include "models/calibration/scratch.hpp"
#include "tests/catch.hpp"

namespace headrace::models::verification {
namespace {

using calibration::Calibration;
using calibration::Parameter;
using calibration::Verdict;

constexpr double kStartS = 0.025;
constexpr double kCollatePerS = 1.25e9;
constexpr double kTransportFixedS = 0.6e-3;
constexpr double kTransportPerS = 1.6e9;
constexpr double kReceiveFixedS = 1.9e-3;
constexpr double kReceivePerS = 2.5e9;

TorchAnswer known_answer(const TorchRun& run) {
  const auto bytes = static_cast<double>(run.batch_bytes());
  TorchAnswer answer;
  answer.sample_s = 6e-9 * bytes;
  answer.collate_s = bytes / kCollatePerS;
  const double batch_s = answer.sample_s + answer.collate_s + kTransportFixedS + bytes / kTransportPerS;
  answer.wait_s = kReceiveFixedS + bytes / kReceivePerS;
  answer.step_s = run.step_s > 0.0 ? run.step_s + answer.wait_s : batch_s;
  answer.start_s = kStartS + batch_s;
  answer.steps = run.steps - run.first;
  return answer;
}

std::vector<TorchAnswer> known_answers(const std::vector<TorchRun>& runs) {
  std::vector<TorchAnswer> answers;
  for (const TorchRun& run : runs) answers.push_back(known_answer(run));
  return answers;
}

TorchCalibrateRequest request() {
  TorchCalibrateRequest request;
  request.job = "pretrain";
  request.loader_version = "torch 9.9";
  request.shared_bytes = std::uint64_t{1} << 30U;
  request.accept_noisy = true;  // no window may be lost to what else this machine does
  return request;
}

Calibration calibrated(const TorchCalibrateRequest& asked, const TorchRunner& runner) {
  return calibrate_torch(asked, runner, {}, {});
}

const Parameter& figure(const Calibration& calibration, const std::string& name) {
  for (const Parameter& parameter : calibration.parameters)
    if (parameter.name == name) return parameter;
  throw std::logic_error(name);
}

}  // namespace

TEST_CASE("what a batch costs a PyTorch loader is found out, with its place in a scenario") {
  const Calibration calibration = calibrated(request(), known_answers);
  const auto check = [&](const char* name, double value, const char* key) {
    const Parameter& parameter = figure(calibration, name);
    INFO(name);
    CHECK(parameter.value == Approx(value).epsilon(1e-6));
    CHECK(parameter.low <= parameter.value);
    CHECK(parameter.high >= parameter.value);
    CHECK(parameter.target == std::string("/jobs/pretrain/loader/") + key);
  };
  check("loader.worker_start", kStartS, "epoch_start/worker_start");
  check("loader.collate", kCollatePerS, "collate");
  check("loader.transport.per_batch", kTransportFixedS, "transport/per_batch");
  check("loader.transport.bandwidth", kTransportPerS, "transport/bandwidth");
  check("loader.receive.per_batch", kReceiveFixedS, "receive/per_batch");
  check("loader.receive.bandwidth", kReceivePerS, "receive/bandwidth");
  CHECK_FALSE(calibration.interrupted);
}

TEST_CASE("bytes that take no time that noise leaves over have no rate") {
  std::uint64_t calls = 0;
  const Calibration calibration = calibrated(request(), [&](const std::vector<TorchRun>& runs) {
    std::vector<TorchAnswer> answers = known_answers(runs);
    ++calls;
    for (TorchAnswer& answer : answers) answer.wait_s = calls % 4 < 2 ? 2e-3 : 3e-3;  // whatever the bytes
    return answers;
  });
  CHECK(figure(calibration, "loader.receive.bandwidth").verdict == Verdict::undetermined);
  CHECK(figure(calibration, "loader.receive.bandwidth").value == 0.0);
  const Parameter& fixed = figure(calibration, "loader.receive.per_batch");
  CHECK(fixed.low < 2.5e-3);
  CHECK(fixed.high > 2.4e-3);
}

TEST_CASE("a calibration of a PyTorch loader fits the shared memory, or says how much it needs") {
  TorchCalibrateRequest small = request();
  small.shared_bytes = std::uint64_t{40} << 20U;  // half of it holds three batches of 26 frames
  const Calibration calibration = calibrated(small, known_answers);
  CHECK(calibration.cells.back().block_bytes < 16e6);
  CHECK(figure(calibration, "loader.receive.bandwidth").value == Approx(kReceivePerS).epsilon(1e-6));
  small.shared_bytes = std::uint64_t{8} << 20U;
  CHECK_THROWS_AS(calibrated(small, known_answers), calibration::CalibrationError);
}

TEST_CASE("a loader that does not answer, and an interrupt, end a calibration") {
  CHECK_THROWS_AS(calibrated(request(), [](const auto&) { return std::vector<TorchAnswer>{}; }),
                  calibration::CalibrationError);
  std::stop_source stop;
  std::uint64_t calls = 0;
  const Calibration calibration = calibrate_torch(request(),
                                                  [&](const std::vector<TorchRun>& runs) {
                                                    if (++calls == 8) stop.request_stop();
                                                    return known_answers(runs);
                                                  },
                                                  stop.get_token(), {});
  CHECK(calibration.interrupted);
  CHECK(calibration.cells.front().windows.size() == 3);
}

}  // namespace headrace::models::verification
