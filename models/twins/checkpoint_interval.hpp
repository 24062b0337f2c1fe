// How often to write a checkpoint when failures are exponential.
//
// Sources: J. W. Young, A first order approximation to the optimum checkpoint interval, CACM 17(9), 1974; J. T. Daly, A
// higher order estimate of the optimum checkpoint interval, FGCS 22(3), 2006 (equation 37; exact by Lambert's W). The
// efficiency counts work lost to failures, writes and restarts, which may fail themselves: tau / (M e^(R/M)
// (e^((tau+C)/M) - 1)). Deviations: none.
#pragma once

namespace headrace::models::twins {

struct CheckpointCosts {
  double write_s = 0.0;    ///< C: time that one checkpoint stops the work
  double mtbf_s = 0.0;     ///< M: mean time between failures of the whole job
  double restart_s = 0.0;  ///< R: from failure to the first recomputed step
};

double young_interval_s(const CheckpointCosts& costs);
/// Daly's estimate; M itself when C >= 2 M.
double daly_interval_s(const CheckpointCosts& costs);
/// The interval of work that maximises checkpoint_efficiency: M (1 + W0(-e^(-C/M-1))).
double optimal_interval_s(const CheckpointCosts& costs);
/// Share of time that is useful work with `interval_s` of work between checkpoints.
double checkpoint_efficiency(const CheckpointCosts& costs, double interval_s);

/// Mean time between failures of `units` equal units from that of one.
double fleet_mtbf(double unit_mtbf, double units);

}  // namespace headrace::models::twins
