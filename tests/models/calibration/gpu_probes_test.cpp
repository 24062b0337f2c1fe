// The program's side of the GPU probes, against a library that plays a GPU.
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>

#include "models/calibration/gpu_probes.hpp"
#include "models/calibration/parameters.hpp"
#include "models/calibration/rate_estimate.hpp"
#include "models/calibration/scratch.hpp"
#include "tests/catch.hpp"

namespace headrace::models::calibration {
namespace {

/// What the fake is told, for as long as the object lives.
class Mode {
 public:
  explicit Mode(const char* mode) { ::setenv("HEADRACE_FAKE_GPU", mode, 1); }
  ~Mode() { ::unsetenv("HEADRACE_FAKE_GPU"); }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;
};

std::string missing(const std::string& library, int gpu) {
  try {
    const GpuDevice device(library, gpu);
  } catch (const NoGpu& why) {
    CHECK(why.reason.size() > 5);
    return why.what;
  }
  return "";
}

std::vector<MeasuredArm> measured(const std::shared_ptr<GpuDevice>& device, std::vector<Downgrade>& downgrades) {
  RoundRule rule;
  rule.lengths = {0.0, 0.001};
  rule.least_rounds = 4;
  rule.budget_s = 0.0;
  rule.estimate.accept_noisy = true;
  return run_rounds(gpu_arms(device, "quick", {"/nowhere/data", std::uint64_t{1} << 30}, downgrades), rule, {});
}

}  // namespace

TEST_CASE("without the library or without a GPU there is a named reason") {
  CHECK(missing("/nowhere/libheadrace_cuda.so", 0) == "no_cuda_library");
  CHECK(missing(HEADRACE_FAKE_GPU_LIBRARY, 0).empty());
  CHECK(missing(HEADRACE_FAKE_GPU_LIBRARY, 1) == "no_gpu");
  const Mode none("none");
  CHECK(missing(HEADRACE_FAKE_GPU_LIBRARY, 0) == "no_gpu");
}

TEST_CASE("the arms of a GPU become cells, and a fixed cost and a rate of copies") {
  std::vector<Downgrade> downgrades;
  const auto device = std::make_shared<GpuDevice>(HEADRACE_FAKE_GPU_LIBRARY, 0);
  std::vector<Cell> cells;
  for (MeasuredArm& arm : measured(device, downgrades)) cells.push_back(std::move(arm.cell));
  REQUIRE(cells.size() > 20);
  REQUIRE(downgrades.size() == 1);
  CHECK(downgrades[0].value == "all-reduce");
  CHECK(downgrades[0].reason == "an all-reduce needs two GPUs");
  bool pinned = false;
  for (const Fit& fit : fit_copies(cells)) {
    INFO(fit.parameter);
    REQUIRE(fit.chosen);
    REQUIRE(fit.numbers.size() == 2);
    const double rate = fit.parameter.find("pageable") != std::string::npos ? 5e9 : 20e9;
    CHECK(fit.numbers[0].value == Approx(10e-6).epsilon(1e-3));
    CHECK(fit.numbers[1].value == Approx(rate).epsilon(1e-3));
    pinned = pinned || fit.parameter == "gpu h2d pinned: time over size";
  }
  CHECK(pinned);
  for (const Cell& cell : cells)
    if (cell.detail == "gemm bf16") CHECK(cell.estimate.value == Approx(100e12).epsilon(1e-6));
}

TEST_CASE("reads by cuFile are named by the way that they took") {
  const auto gds = [](const char* mode) {
    const Mode fake(mode);
    std::vector<Downgrade> downgrades;
    const auto device = std::make_shared<GpuDevice>(HEADRACE_FAKE_GPU_LIBRARY, 0);
    std::string details;
    Calibration record;
    for (MeasuredArm& arm : measured(device, downgrades)) {
      if (arm.cell.detail.rfind("gds", 0) == 0) details += arm.cell.detail + ";";
      record.cells.push_back(std::move(arm.cell));
    }
    std::string told;
    for (const Downgrade& d : downgrades)
      if (d.field == "gds") told += d.value + ";";
    add_parameters(record, {"storage", "gpus", false});
    const Parameter* direct = find_parameter(record, "gpu.direct_read");
    const Parameter* compat = find_parameter(record, "gpu.cufile_compat");
    const double rate = direct != nullptr ? direct->value : compat != nullptr ? -compat->value : 0.0;
    return std::tuple(told, details, rate);
  };
  const auto [direct_told, direct, direct_rate] = gds("");
  CHECK(direct_told.empty());
  CHECK(direct.rfind("gds;", 0) == 0);
  CHECK(direct.find("gds unregistered;") != std::string::npos);
  CHECK(direct_rate == Approx(24e9));  // four threads
  const auto [compat_told, compat, compat_rate] = gds("compat");
  CHECK(compat_told == "compat;");
  CHECK(compat.rfind("gds compat;", 0) == 0);
  CHECK(compat_rate == Approx(-24e9));  // no figure of direct reads
  const auto [open_told, open, open_rate] = gds("unverified");
  CHECK(open_told == "unverified;");
  CHECK(open.rfind("gds unverified;", 0) == 0);
  CHECK(open_rate == 0.0);
  const auto [none_told, none, none_rate] = gds("no_cufile");
  CHECK(none_told == "no_cufile;");
  CHECK(none.empty());
  CHECK(none_rate == 0.0);
}

TEST_CASE("a call of CUDA that fails ends the calibration with its words") {
  const Mode broken("broken");
  std::vector<Downgrade> downgrades;
  const auto device = std::make_shared<GpuDevice>(HEADRACE_FAKE_GPU_LIBRARY, 0);
  try {
    gpu_arms(device, "quick", {}, downgrades);
    FAIL("it went on");
  } catch (const CalibrationError& error) {
    CHECK(std::string(error.what()).find("cudaErrorIllegalAddress") != std::string::npos);
    CHECK(!error.fix().empty());
  }
}

}  // namespace headrace::models::calibration
