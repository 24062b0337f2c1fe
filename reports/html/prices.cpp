#include "reports/html/prices.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"

namespace headrace::reports {
namespace {

constexpr const char* kCost = "cost_per_epoch_usd";  // everything with a price adds to it

bool is_cost(const Document& figure) { return text_at(figure, "unit") == "USD"; }

std::string cell_of(const Document& value, const Document& figure, bool no_prices) {
  if (no_prices && is_cost(figure)) return spelled_number(value, kNoPrices);
  return number(value, figure.value("unit", std::string("1")));
}

}  // namespace

bool has_no_prices(const Document& metrics) { return number_at(at(metrics, kCost), "mean") == 0.0; }

std::string mean_cell(const Document& metric, bool no_prices) { return cell_of(at(metric, "mean"), metric, no_prices); }

bool has_no_prices(const Document& differences, const char* side) {
  return std::any_of(differences.begin(), differences.end(), [side](const Document& difference) {
    return text_at(difference, "metric") == kCost && number_at(difference, side) == 0.0;
  });
}

std::string side_cell(const Document& difference, const char* side, bool no_prices) {
  return cell_of(at(difference, side), difference, no_prices);
}

}  // namespace headrace::reports
