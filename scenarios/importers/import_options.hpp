// What the user says about an import beside the file itself, and what comes out of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/calibration/record.hpp"

namespace headrace::scenarios {

struct ImportOptions {
  std::string store = "storage";     ///< store of the scenario that the figures are for
  std::string pool = "gpus";         ///< pool
  std::string job = {};              ///< job; empty: figures of jobs get no place in a scenario
  std::string dataset = {};          ///< dataset; the same
  std::string name = {};             ///< of the background load; empty: made from the file
  std::string extends = {};          ///< scenario that the layer builds on
  std::string meaning = {};          ///< prometheus: "background" or "step-time"
  std::string workload = {};         ///< dlio-summary: "unet3d"
  std::string accelerator = {};      ///< dlio-summary: "h100"
  std::string date = {};             ///< "YYYY-MM-DD" for files that tell none
  std::string today = {};            ///< the same where the user tells none either
  std::string program_version = {};  ///< of Headrace
};

struct Imported {
  nlohmann::ordered_json layer;             ///< the figures where they stand in a scenario, and their record
  models::calibration::Calibration record;  ///< the figures
  std::string table;                        ///< instead of both: rows for headrace backtest
  std::vector<std::string> notes;           ///< what the reader should know
};

}  // namespace headrace::scenarios
