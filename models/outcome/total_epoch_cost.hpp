// An epoch at its total cost over the horizon, in place of hourly prices: the present value of all payments over that
// of all epochs (models/outcome/total_cost.hpp). It is what the objective tco of a plan makes least. Payments for
// machines, stores, room and staff do not depend on the jobs, and are shared by the time that epochs take, of several
// jobs by GPUs; what is paid by use stands beside them. So it is a straight line over the time of an epoch, as at
// hourly prices.
#pragma once

#include "models/outcome/epoch_figures.hpp"
#include "models/outcome/total_cost.hpp"

namespace headrace::models {

/// The lines of an epoch, where its job has this share of the site.
std::vector<LedgerLine> total_cost_ledger(const SitePayments& site, const std::vector<LedgerLine>& ledger,
                                          double epoch_time_s, double share);

/// Puts total costs in place of those at hourly prices: ledgers of the jobs, and cost_per_epoch_usd with its interval.
void restate_at_total_cost(const SitePayments& site, Outcome& outcome);

/// All epochs of the horizon.
struct HorizonCost {
  double horizon_years = 0.0;
  double discount_rate = 0.0;
  double present_value_usd = 0.0;
  double usd_per_useful_gpu_hour = 0.0;
};

/// From epochs whose dollars are total costs. `bound` is the closed form of the same scenario at hourly prices: epochs
/// of any length train as much.
HorizonCost horizon_cost(const Scenario& scenario, const EpochFigures& epoch, const Outcome& bound);

}  // namespace headrace::models
