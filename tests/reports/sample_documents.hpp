// Hand-made documents of every verb, for the tests of pages and formats.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "models/calibration/record.hpp"
#include "models/cluster/timeline.hpp"
#include "models/verification/verify.hpp"
#include "reports/backtest_json.hpp"
#include "reports/gate_report.hpp"
#include "scenarios/planner/plan.hpp"
#include "scenarios/results/results_store.hpp"
#include "tests/reports/sample_outcome.hpp"

namespace headrace::reports::testing {

using Json = nlohmann::ordered_json;

Json sample_outcome_document();
models::verification::Verification sample_verification();
Json sample_verification_document();
scenarios::Plan sample_plan();
Json sample_plan_document();
Json sample_compare_document();
Json sample_check_document();
RecordedBacktest sample_backtest();
Json sample_backtest_document();
/// What a timeline shows beside batches and steps: one span of each kind, a remark and a level.
models::Timeline sample_course();
models::calibration::Calibration sample_calibration();
GateReport sample_gate_report();
/// Two axes with `workers` x 2 points, the last with a failure beside it.
void fill_store(scenarios::ResultsStore& store, std::uint64_t workers);

}  // namespace headrace::reports::testing
