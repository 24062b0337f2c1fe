// The data path as window and page draw it: what all jobs share first, then a lane for each job with its own stations,
// its workers and its GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::reports {

struct PathStation {
  enum class What : std::uint8_t { resource, workers, gpus } what = What::resource;
  const models::StationReport* report = nullptr;  ///< null: workers and GPUs, which are no station of an outcome
  std::string name;                               ///< without the job, where it stands in the job's lane
  double utilization = 0.0;
  double bytes_in_per_s = 0.0;   ///< 0: the path begins here
  double bytes_out_per_s = 0.0;  ///< 0: the path ends here
  bool binds = false;
  std::string_view each = {};  ///< what its capacity is of (each_text)
};

struct PathLane {
  const models::JobReport* job = nullptr;  ///< null: the only one, whose lane has every station
  std::vector<PathStation> stations;
};

struct DataPath {
  /// Stations that several jobs share, in the order in which data pass them. Those of one step stand beside each other:
  /// the same resource of two stores or two pools.
  std::vector<std::vector<PathStation>> shared;
  std::vector<PathLane> lanes;

  bool binds() const;  ///< whether any station is marked
  double most_bytes_per_s() const;
};

/// What the numbers on arrows are; empty where every station carries just these.
std::string flows_text(const models::Outcome& outcome);

/// What the share of a station is: that of workers has their waits where these are known.
std::string_view share_text(const models::Outcome& outcome);

/// Of an outcome that stays where it is. `workers`: how busy those of each job are (models/outcome/workers_load.hpp);
/// nothing: its loader has none.
DataPath data_path(const models::Outcome& outcome, const std::vector<std::optional<double>>& workers);

}  // namespace headrace::reports
