// What a page says of costs where nobody gave a price: not "$0.00", which reads as free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/study/paired_difference.hpp"
#include "reports/document.hpp"

namespace headrace::reports {

inline constexpr std::string_view kNoPrices = "no prices";

/// Whether an epoch costs nothing by the metrics of an outcome or of a job: the scenario has no prices.
bool has_no_prices(const Document& metrics);

/// The mean of a metric for a table.
std::string mean_cell(const Document& metric, bool no_prices);

/// Whether an epoch of a side of a comparison, its `before` or `after`, costs nothing.
bool has_no_prices(const std::vector<models::PairedDifference>& differences, double models::PairedDifference::*side);

/// A value of a side for a table or a tile.
std::string side_cell(const models::PairedDifference& difference, double models::PairedDifference::*side,
                      bool no_prices);

}  // namespace headrace::reports
