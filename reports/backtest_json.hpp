// A backtest as the JSON document that programs read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/backtest/backtest.hpp"

namespace headrace::reports {

/// A backtest as its document holds it. Of the runs it has what names them.
struct RecordedBacktest {
  models::Backtest backtest;
  std::vector<models::MeasuredRun> runs;
  std::string model_version;
};

/// rows[] in the order of the table, summary, bars[]. What is not known is null. No clock, date or host.
nlohmann::ordered_json backtest_json(const RecordedBacktest& recorded);
/// What the document lacks, or says in another form, keeps its default.
RecordedBacktest read_backtest(const nlohmann::ordered_json& document);
nlohmann::ordered_json backtest_schema();

}  // namespace headrace::reports
