#include "reports/backtest_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/base/model_version.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using models::BacktestRow;
using models::MeasuredRun;

Json or_null(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return *value;
}

Json text_or_null(const std::string& text) {
  if (text.empty()) return nullptr;
  return text;
}

Json observables_json(const models::Observables& values) {
  return {{"au_percent", or_null(values.au_percent)},
          {"samples_per_s", or_null(values.samples_per_s)},
          {"max_accelerators", or_null(values.max_accelerators)}};
}

Json row_json(const BacktestRow& row, const MeasuredRun& run) {
  const models::Prediction& prediction = row.prediction;
  const bool predicted = row.status == models::RowStatus::predicted;
  Json json{{"line", run.line},
            {"submitter", run.submitter},
            {"system", run.system},
            {"workload", run.figures.workload},
            {"accelerator", run.figures.accelerator},
            {"hosts", run.hosts},
            {"accelerators", run.accelerators},
            {"role", run.calibrates ? "calibrate" : "predict"},
            {"status", models::name(row.status)},
            {"reason", text_or_null(row.reason)},
            {"predicted", observables_json(prediction.predicted)},
            {"measured", observables_json(row.measured)},
            {"guess", observables_json(prediction.guess)},
            {"basis", nullptr},
            {"capacity", nullptr},
            {"max_accelerators_reason", nullptr}};
  if (!predicted) return json;
  const double capacity = prediction.system.capacity_bytes_per_s;
  json["basis"] = models::name(prediction.basis);
  json["capacity"] = {{"bytes_per_s", capacity > 0.0 ? Json(capacity) : Json(nullptr)},
                      {"known", models::name(prediction.system.known)}};
  json["max_accelerators_reason"] = text_or_null(prediction.no_max_reason);
  return json;
}

Json summary_json(const models::ErrorSummary& summary, const char* unit) {
  const auto value = [&](double number) { return summary.count > 0 ? Json(number) : Json(nullptr); };
  return {{"unit", unit},
          {"count", summary.count},
          {"mean_abs_error", value(summary.mean_abs_error)},
          {"median_abs_error", value(summary.median_abs_error)},
          {"p90_abs_error", value(summary.p90_abs_error)},
          {"largest_abs_error", value(summary.largest_abs_error)},
          {"mean_error", value(summary.mean_error)},
          {"baseline_mean_abs_error", value(summary.baseline_mean_abs_error)},
          {"baseline_median_abs_error", value(summary.baseline_median_abs_error)},
          {"skill", or_null(summary.skill)}};
}

Json bar_json(const models::Bar& bar) {
  return {{"id", bar.id},       {"meaning", bar.meaning}, {"statistic", bar.statistic},
          {"unit", bar.unit},   {"limit", bar.limit},     {"count", bar.count},
          {"value", bar.value}, {"guess", bar.guess},     {"met", bar.met}};
}

}  // namespace

Json backtest_json(const models::Backtest& backtest, const std::vector<MeasuredRun>& runs) {
  Json rows = Json::array();
  for (const BacktestRow& row : backtest.rows) rows.push_back(row_json(row, runs[row.run]));
  Json bars = Json::array();
  for (const models::Bar& bar : backtest.bars) bars.push_back(bar_json(bar));
  return {{"format_version", "1.0"},
          {"model_version", models::kModelVersion},
          {"rows", std::move(rows)},
          {"summary",
           {{"au", summary_json(backtest.au, "points")},
            {"samples_per_s", summary_json(backtest.samples_per_s, "%")},
            {"max_accelerators", summary_json(backtest.max_accelerators, "%")},
            {"calibrated", backtest.calibrated},
            {"predicted", backtest.predicted},
            {"not_predicted", backtest.not_predicted}}},
          {"bars", std::move(bars)}};
}

}  // namespace headrace::reports
