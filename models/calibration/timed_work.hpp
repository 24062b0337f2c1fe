// Probes that repeat a piece of work on some threads for a window and count what it came to.
#pragma once

#include <functional>
#include <string>

#include "models/calibration/arms.hpp"

namespace headrace::models::calibration {

/// Does one piece on thread `thread` and returns its amount (bytes, pages, files). Throws IoFailure.
using Work = std::function<double(unsigned thread)>;

/// Amount per second of `threads` threads together. Each works through at least one piece; a piece that reaches over
/// the end of the window counts with the time that it took.
ArmWindow rate_of(const Work& work, unsigned threads, const WindowLengths& lengths, const std::stop_token& stop);

/// An arm around it.
Arm work_arm(const char* probe, std::string detail, const char* unit, unsigned threads, Work work,
             const std::stop_token& stop);

}  // namespace headrace::models::calibration
