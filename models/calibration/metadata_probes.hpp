// Small files: open, stat, read, close, create and list, over a folder of files inside the scratch folder.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "models/calibration/arms.hpp"

namespace headrace::models::calibration {

struct MetadataFolder {
  std::string path;
  unsigned small_files = 0;   ///< of 4 KiB
  unsigned middle_files = 0;  ///< of 64 KiB
  unsigned large_files = 0;   ///< of 512 KiB
};

/// Makes the files. Throws IoFailure.
MetadataFolder make_files(const std::string& folder, unsigned small_files, unsigned middle_files, unsigned large_files);

/// Rates in files (entries, for lists) per second; `cores` is the largest number of threads. `cold_names` drops the
/// kernel's cache of names and attributes before each window, which disturbs the whole machine and needs root.
std::vector<Arm> metadata_arms(const MetadataFolder& folder, unsigned cores, bool cold_names,
                               const std::stop_token& stop);

}  // namespace headrace::models::calibration
