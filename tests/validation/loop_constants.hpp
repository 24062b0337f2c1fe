// The constants of the loop of models/backtest, chosen again with each submitter of MLPerf Storage v1.0 left out.
#pragma once

#include <string>
#include <vector>

#include "models/backtest/measured_run.hpp"

namespace headrace::testing {

/// One submitter, and the constants that serve the rows of the others best.
struct LeftOutSubmitter {
  std::string submitter;
  models::LoopConstants chosen;
};

/// Errors of all rows, each with the constants that were chosen without its submitter, beside those of kLoop.
struct LeftOutErrors {
  std::vector<double> chosen;
  std::vector<double> shipped;
  std::vector<double> plain;
  std::vector<std::string> submitters;  ///< of each row
};

struct LeftOutConstants {
  std::vector<LeftOutSubmitter> submitters;
  LeftOutErrors au;         ///< nothing calibrates
  LeftOutErrors series_au;  ///< larger rows of a series, from its smallest
  LeftOutErrors samples;    ///< other workloads of a system, from its unet3d rows
};
/// Loop, copy and barrier have the least mean error in AU of the others' rows with nothing calibrated; start-up then
/// that in samples/s of other workloads.
LeftOutConstants left_out_constants();

}  // namespace headrace::testing
