// Closed forms of queues that lose what does not fit. K counts customers in the system, service included.
//
// Sources: L. Kleinrock, Queueing Systems, vol. 1, 1975, section 3.7 (M/M/1/K); D. Gross, J. F. Shortle, J. M.
// Thompson, C. M. Harris, Fundamentals of Queueing Theory, 4th ed., 2008, sections 2.5 (M/M/c/K) and 5.1.8 (M/G/1/K).
// Deviations: none. Loads above 1 are allowed, nothing grows without bound.
#pragma once

namespace headrace::models::twins {

struct FiniteQueueMeans {
  double empty_probability = 0.0;     ///< P(nobody in the system), over time
  double blocking_probability = 0.0;  ///< share of arrivals lost
  double throughput_per_s = 0.0;      ///< accepted arrivals
  double number_in_system = 0.0;
  double response_time_s = 0.0;  ///< of those accepted
};

/// M/M/1/K. @throws std::invalid_argument for rates that are not positive or K < 1
FiniteQueueMeans mm1k(double arrivals_per_s, double services_per_s, int capacity);
/// M/M/c/K with K >= c, birth-death.
FiniteQueueMeans mmck(double arrivals_per_s, double services_per_s, int servers, int capacity);
/// M/D/1/K from the chain embedded at departures: P0 = pi0/(pi0+rho), blocking = 1 - 1/(pi0+rho). The mean number comes
/// from P_n = pi_n/(pi0+rho) for n < K.
FiniteQueueMeans md1k(double arrivals_per_s, double service_time_s, int capacity);

}  // namespace headrace::models::twins
