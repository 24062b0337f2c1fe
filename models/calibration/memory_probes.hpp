// What memory costs the first time: new pages, and pages of mapped files, in the page cache and not.
#pragma once

#include <stop_token>
#include <vector>

#include "models/calibration/storage_probes.hpp"
#include "models/calibration/timed_work.hpp"

namespace headrace::models::calibration {

/// Rates in pages of 4 KiB per second.
std::vector<Arm> memory_arms(const DataFile& file, const std::stop_token& stop);

}  // namespace headrace::models::calibration
