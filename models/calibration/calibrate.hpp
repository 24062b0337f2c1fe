// One calibration: which probes run and for how long, the run itself, and the record of it. Nothing is written outside
// one scratch folder inside the given one, which goes away at the end, at an interrupt and at an error.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "models/calibration/catalogue_gpu.hpp"
#include "models/calibration/host_files.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

inline constexpr const char* kProbeNames[] = {"write",     "random_read", "noise",  "sequential_read",
                                              "open_loop", "metadata",    "memory", "cpu",
                                              "workers",   "contention",  "gpu"};

struct CalibrationRequest {
  std::string path;
  std::string budget = "quick";           ///< quick, normal, full
  std::vector<std::string> only;          ///< of kProbeNames; empty: all of the budget
  std::optional<double> file_bytes;       ///< of the data file; absent: by budget
  std::optional<double> window_s;         ///< absent: 0.5 s
  bool accept_noisy = false;              ///< disturbed windows count, and the verdict is noisy
  std::string engine = "auto";            ///< of kEngineNames (engine_choice.hpp)
  std::optional<int> gpu;                 ///< which GPU to measure; absent: none
  std::string gpu_library;                ///< gpu_library.hpp; empty: the usual places
  std::optional<CatalogueGpu> gpu_model;  ///< whose figures stand in where no GPU is measured
  std::uint64_t seed = 1;
  std::string store = "storage";  ///< names in the scenarios that the result is laid over
  std::string pool = "gpus";
  std::string tool_version;
  std::string date;
  HostPlaces places;
};

/// One line of the plan.
struct PlannedProbe {
  std::string name;
  std::string what;
  double planned_s = 0.0;
};

/// What would run, in order, with its time. Writes nothing.
std::vector<PlannedProbe> plan_probes(const CalibrationRequest& request);

/// Bytes of the data file: as asked for or by budget, at most a quarter of what is free. 0: there is no room for 64
/// MiB.
std::uint64_t planned_file_bytes(const CalibrationRequest& request);

struct CalibrationProgress {
  std::string phase;
  double fraction = 0.0;
  double eta_s = 0.0;
};

/// Throws CalibrationError (scratch.hpp). A stop request ends it early with `interrupted`.
Calibration calibrate(const CalibrationRequest& request, const std::stop_token& stop,
                      const std::function<void(const CalibrationProgress&)>& tell);

}  // namespace headrace::models::calibration
