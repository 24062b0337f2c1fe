// What owning and running a cluster costs over years, beside the hourly prices of models/spec/price.hpp: horizon,
// interest, lease, staff, space. What it comes to: models/outcome/total_cost.hpp.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"

namespace headrace::models {

inline constexpr double kSecondsPerYear = 31536000.0;

enum class CashPeriod : std::uint8_t { year, quarter };
inline constexpr ChoiceName<CashPeriod> kCashPeriodNames[] = {{CashPeriod::year, "year"},
                                                              {CashPeriod::quarter, "quarter"}};

/// Capital that is paid in equal parts.
struct Lease {
  double term_s = 3.0 * kSecondsPerYear;
  double rate_per_year = 0.06;
};

struct TotalCost {
  double horizon_s = 3.0 * kSecondsPerYear;
  CashPeriod period = CashPeriod::year;
  double discount_rate = 0.08;  ///< per year
  std::optional<Lease> lease;
  double resale = 0.0;  ///< of the book value at the horizon
  double used = 1.0;    ///< of rented machines
  double staff_usd_per_hour = 0.0;
  double migration_usd = 0.0;
  double rack_unit_usd_per_hour = 0.0;
  double node_rack_units = 8.0;
  std::optional<double> power_limit_w;
  std::optional<double> rack_unit_limit;
  double pue = 1.3;          ///< where no machines are owned
  double usd_per_kwh = 0.1;  ///< where no machines are owned
};

/// A store that is bought, or paid by contract.
struct StorePurchase {
  double capital_usd = 0.0;
  double lifetime_s = 5.0 * kSecondsPerYear;
  double support_per_year = 0.0;  ///< share of the capital
  double contract_usd_per_hour = 0.0;
  double rack_units = 0.0;
  double power_w = 0.0;
  double writes_per_day = 0.0;  ///< rated, in capacities; 0: not stated
};

void describe(Lease& l, Visitor& v);
void describe(TotalCost& t, Visitor& v);
void describe(StorePurchase& p, Visitor& v);

}  // namespace headrace::models
