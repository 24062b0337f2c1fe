// Which law do latencies follow? Candidates are fitted by maximum likelihood to the bins of every other window and
// scored on the windows between; a law stands for the data only when it is close everywhere (KS at most 0.02, p50, p99
// and p99.9 within 10 %), otherwise the table of quantiles does. A distance alone would hide the tail.
#pragma once

#include <string>
#include <vector>

#include "models/calibration/latency_histogram.hpp"
#include "models/calibration/record.hpp"

namespace headrace::models::calibration {

enum class LatencyFamilies : std::uint8_t { all, lognormal };

/// All candidates; the chosen one first and marked ("empirical" where no law is accepted). `lag1` is the
/// autocorrelation of successive logarithms, by which intervals are widened (effective number of observations
/// n (1 - r) / (1 + r)). Fewer than 1,000 latencies: one entry without a choice, "undetermined: ...".
std::vector<Fit> fit_latency(const LatencyHistogram& odd, const LatencyHistogram& even, double lag1,
                             const std::string& parameter, LatencyFamilies families = LatencyFamilies::all);

}  // namespace headrace::models::calibration
