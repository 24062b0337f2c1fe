#include "reports/html/prices.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/gate_cases.hpp"
#include "reports/html/markup.hpp"

namespace headrace::reports {
namespace {

constexpr const char* kCost = "cost_per_epoch_usd";  // everything with a price adds to it

std::string cell_of(const Document& value, const std::string& unit, bool no_prices) {
  return no_prices && unit == "USD" ? spelled_number(value, kNoPrices) : number(value, unit);
}

}  // namespace

bool has_no_prices(const Document& metrics) { return number_at(at(metrics, kCost), "mean") == 0.0; }

std::string mean_cell(const Document& metric, bool no_prices) {
  return cell_of(at(metric, "mean"), metric.value("unit", std::string("1")), no_prices);
}

bool has_no_prices(const std::vector<models::PairedDifference>& differences, double models::PairedDifference::*side) {
  return std::any_of(differences.begin(), differences.end(), [side](const models::PairedDifference& difference) {
    return difference.metric == kCost && difference.*side == 0.0;
  });
}

std::string side_cell(const models::PairedDifference& difference, double models::PairedDifference::*side,
                      bool no_prices) {
  return cell_of(difference.*side, std::string(metric_unit(difference.metric)), no_prices);
}

}  // namespace headrace::reports
