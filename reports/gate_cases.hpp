// Judgements and differences in words and in JSON: what the gates' reports are made of.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "models/study/comparison.hpp"
#include "models/study/gate.hpp"
#include "models/study/input_gate.hpp"
#include "reports/gate_report.hpp"

namespace headrace::reports {

/// What gates watch beside the metrics that somebody asks for: the time of a step, waits and money.
inline constexpr std::array<std::string_view, 3> kWatchedMetrics = {"step_time_s", "gpu_idle_fraction",
                                                                    "cost_per_epoch_usd"};

/// Unit of a metric by its full name ("jobs/NAME/METRIC", quantiles, blame); "1" if it is not described.
std::string_view metric_unit(std::string_view metric);
models::Better metric_better(std::string_view metric);

/// A value and an interval in the unit of a metric: "3.2 %", "3.1 % to 3.3 %".
std::string metric_text(std::string_view metric, double value);
std::string interval_text(std::string_view metric, const models::Interval& interval);
/// "14 draws miss gpu_idle_fraction <= 2 %: it is at least 16.28 % in half of them, 34.34 % in the worst."
std::string missed_text(const models::MissedThreshold& missed);

/// "+0.25"; "0.00" without a sign for what rounds to it, "unknown" for what is not finite.
std::string signed_hundredths(double value);

/// A change with its sign: "+3.10 %"; of shares in points: "+1.20 points".
std::string change_text(const models::PairedDifference& difference);
std::string relative_text(double relative);

GateCase gate_case(const models::Judgement& judgement);

/// Metrics of both sides with their difference and its interval. Left out are those that do not differ in what would
/// be printed, and figures that are shown only to whom asks for them, unless they are among the `asked`.
GateTable difference_table(const std::vector<models::PairedDifference>& differences,
                           const std::vector<std::string>& asked = {});

}  // namespace headrace::reports
