// Which engine reads and writes: io_uring; without it one thread for each operation; without so many threads the
// kernel's older asynchronous interface. Each step down is told with its reason.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/calibration/io_engine.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

inline constexpr const char* kEngineNames[] = {"auto", "threads", "libaio"};

struct EngineChoice {
  std::unique_ptr<IoEngine> engine;
  std::vector<Downgrade> downgrades;
};

/// `wanted` is of kEngineNames; `deepest` operations will be under way. Throws CalibrationError where nothing, or not
/// what was asked for, can be had.
EngineChoice choose_engine(const std::string& wanted, std::uint32_t deepest);

}  // namespace headrace::models::calibration
