// What an hour of a machine costs its owner: capital paid back with interest, support, energy.
//
// Source: annuity, elementary (capital recovery factor). Deviations: energy at full load, whether GPUs compute or wait.
#pragma once

#include "models/spec/scenario.hpp"

namespace headrace::models {

/// USD per hour in which the machine works for a job.
struct HourlyCost {
  double capital_usd = 0.0;
  double support_usd = 0.0;
  double energy_usd = 0.0;
  double kwh = 0.0;

  double total_usd() const { return capital_usd + support_usd + energy_usd; }
};

HourlyCost owned_gpu_hour(const Ownership& owned);
HourlyCost owned_node_hour(const Ownership& owned);  ///< beside the GPUs

/// The scenario's owned machines, with the power of the GPU of the first job's pool where none is stated.
Ownership owned_machines(const Scenario& scenario);

/// What an hour of one GPU of a pool, or of one of its nodes beside the GPUs, costs: owned, or rented with the discount
/// of a commitment.
double gpu_hour_usd(const Scenario& scenario, const Pool& pool);
double node_hour_usd(const Scenario& scenario, const Pool& pool);
/// The same for the pool of the first job.
double gpu_hour_usd(const Scenario& scenario);
double node_hour_usd(const Scenario& scenario);

}  // namespace headrace::models
