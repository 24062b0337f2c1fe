// What a cluster costs over years, from the answer to its scenario and the price ledger: payments by year or quarter,
// their present value, the cost of a useful GPU hour, and what another configuration gains over it.
//
// A payment at the end of t years counts (1 + r)^-t; capital is paid at the start of the horizon and again at the end
// of each lifetime. A useful GPU hour is one of training progress (goodput). Its cost is the present value of all
// payments over that of the hours (levelised cost, W. Short, D. Packey, T. Holt, NREL/TP-462-5173, 1995, equation 4-6).
// Deviations: machines train, and use their power, in the share `used` of the year and cost their capital all of it;
// figures do not change over the years.
#pragma once

#include <optional>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/outcome/machine_room.hpp"
#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

/// Payments of one period, in USD. The first has no length: what is paid at the start.
struct CashFlow {
  double end_years = 0.0;
  double capital = 0.0;
  double lease = 0.0;
  double rent = 0.0;  ///< rented machines, contracts of stores
  double support = 0.0;
  double energy = 0.0;
  double space = 0.0;
  double staff = 0.0;
  double storage = 0.0;  ///< the ledger's capacity, requests, egress and what else is paid by use
  double migration = 0.0;
  double total = 0.0;
  double present_value = 0.0;  ///< of the total
  double useful_gpu_hours = 0.0;
};

/// Money against waiting: prices/investment.
struct InvestmentReturn {
  double saves_usd_per_year = 0.0;
  double payback_years = 0.0;
  double net_present_value_usd = 0.0;  ///< over horizon or lifetime, whichever is shorter
};

struct TotalCostAnswer {
  double horizon_years = 0.0;
  double discount_rate = 0.0;
  double gpus = 0.0;
  double used_fraction = 1.0;  ///< share of the time in which machines are used
  double goodput_fraction = 0.0;
  double gpu_idle_fraction = 0.0;
  double total_usd = 0.0;          ///< not discounted
  double present_value_usd = 0.0;  ///< of all payments
  double useful_gpu_hours = 0.0;
  double usd_per_useful_gpu_hour = 0.0;
  double idle_usd_per_year = 0.0;
  double doing_nothing_usd = 0.0;  ///< present value of what GPUs cost that wait for data, over the horizon
  RoomFacts room;
  std::optional<InvestmentReturn> investment;
  std::vector<CashFlow> cash_flow;
};

/// What so many GPUs of a pool cost that wait for data in so many years: their hours in the share of the time that
/// machines are used, at the price of a GPU hour there. tco and growth count with it.
double waiting_usd(const Scenario& scenario, const Pool& pool, double waiting_gpus, double years);

/// What an hour of the GPUs costs that wait, on average; nothing where none waits or none has a price.
std::optional<double> waiting_gpu_hour_usd(const TotalCostAnswer& answer);

/// Whether a line of the ledger pays for machines by the hour, which a total cost pays by the year.
bool is_machine_line(const LedgerLine& line);

/// Share of the year in which another line is paid: bytes are kept all year, all else is paid while jobs run.
double paid_share(const LedgerLine& line, double used);

/// Value today of a payment in so many years.
double present_usd(double usd, double rate_per_year, double years);

/// What is paid whatever the jobs do (machines, stores, room, staff, migration), over the horizon.
struct SitePayments {
  double present_value_usd = 0.0;
  double present_used_s = 0.0;  ///< time in which machines are used, later time counting less as money does
  double used = 1.0;            ///< share of the time

  double usd_per_s() const { return present_value_usd / present_used_s; }
};
SitePayments site_payments(const Scenario& scenario);

/// Of an outcome of any level. The terms are those of the scenario, or those of TotalCost by default.
TotalCostAnswer total_cost(const Scenario& scenario, const Outcome& outcome);

/// A cluster that is in another state for a share of the time: both answers weighed by time.
TotalCostAnswer weighed(const TotalCostAnswer& normal, const TotalCostAnswer& other, double share);

/// Present value of the useful GPU hours.
double present_useful_hours(const TotalCostAnswer& answer);

/// What an option comes to if it serves `lead_years` after it is paid: until then hours and running payments are those
/// of `nothing`, which has the same periods or none (then nothing trains and nothing runs).
TotalCostAnswer after_lead_time(const TotalCostAnswer& option, const TotalCostAnswer& nothing, double lead_years);

/// What an option gains over doing nothing. A useful GPU hour more is worth what one costs when nothing is done.
struct GainOverNothing {
  double usd_per_hour = 0.0;            ///< worth of a useful GPU hour
  double gained_usd = 0.0;              ///< present value of the useful GPU hours gained: what doing nothing costs
  double net_present_value_usd = 0.0;   ///< of these and of the payments saved
  std::optional<double> payback_years;  ///< nothing: not within the horizon
};

/// Both have the same horizon and periods. Until the option serves, `lead_years` after it is paid, everything goes on
/// as it is.
GainOverNothing gain_over_nothing(const TotalCostAnswer& option, const TotalCostAnswer& nothing,
                                  double lead_years = 0.0);

void describe(CashFlow& f, Visitor& v);
void describe(InvestmentReturn& r, Visitor& v);
void describe(TotalCostAnswer& a, Visitor& v);
/// With the keys of the outcome's document.
void describe(Confidence& c, Visitor& v);
void describe(GainOverNothing& g, Visitor& v);

}  // namespace headrace::models
