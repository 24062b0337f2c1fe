// Spot prices over time: a CSV file with the columns hour (from the beginning of the campaign) and usd_per_gpu_hour.
// Each price holds until the next one. Other columns are left alone.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "models/campaign/price_trace.hpp"
#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

/// Errors: those of parse_csv, E0202 a column or every row is missing, E0201 no number, E0207 a negative price, a first
/// hour that is not 0, or hours that do not grow.
tl::expected<models::PriceTrace, Diagnostics> read_price_trace(const std::string& file_name, const std::string& text);

}  // namespace headrace::scenarios
