// Closed forms of open queues: the truth that the stations of the kernel are tested against, and the fast estimate of a
// service that is not yet saturated. Rates are per second, times in seconds; every function throws
// std::invalid_argument for a negative input and for a load at which no steady state exists.
//
// Sources: L. Kleinrock, Queueing Systems, vol. 1, 1975 (M/M/1 section 3.2, M/M/c and Erlang B and C sections 3.5 and
// 3.6, Pollaczek-Khinchine section 5.7), vol. 2, 1976 (processor sharing, section 4.4); J. R. Jackson, Networks of
// waiting lines, Operations Research 5, 1957; J. F. C. Kingman, The single server queue in heavy traffic, 1961.
// Deviations: none, unless a function says so.
#pragma once

#include <span>

namespace headrace::models::twins {

/// Means of a queue in equilibrium. "in_queue" counts waiting customers only.
struct QueueMeans {
  double utilization = 0.0;          ///< busy share of one server
  double number_in_system = 0.0;     ///< L
  double number_in_queue = 0.0;      ///< Lq
  double response_time_s = 0.0;      ///< W, waiting and service
  double waiting_time_s = 0.0;       ///< Wq
  double probability_of_wait = 0.0;  ///< an arrival finds every server busy
};

/// M/M/1 (Kleinrock 1975, equations 3.23 to 3.30).
QueueMeans mm1(double arrivals_per_s, double services_per_s);
/// P(number in system = n) of M/M/1.
double mm1_probability(double arrivals_per_s, double services_per_s, int n);
/// Response time below which the share `p` of customers stays, first come first served M/M/1: -ln(1-p)/(mu-lambda).
double mm1_response_quantile_s(double arrivals_per_s, double services_per_s, double p);

/// Erlang B: share of arrivals lost by M/G/c/c at `offered_load` erlang, by the recursion B(c) = aB(c-1)/(c+aB(c-1)).
double erlang_b(double offered_load, int servers);
/// Erlang C: probability that an arrival of M/M/c waits.
double erlang_c(double offered_load, int servers);
/// M/M/c.
QueueMeans mmc(double arrivals_per_s, double services_per_s, int servers);

/// M/G/1 first come first served (Pollaczek 1930, Khinchine 1932): Wq = lambda E[S^2] / (2 (1-rho)).
QueueMeans mg1(double arrivals_per_s, double service_time_s, double service_cv);
/// M/D/1: mg1 with constant service.
QueueMeans md1(double arrivals_per_s, double service_time_s);

/// M/G/1 under processor sharing; the law of the service time does not matter beyond its mean.
QueueMeans mg1_processor_sharing(double arrivals_per_s, double service_time_s);
/// Mean response of a job that brings `work_s` of service to M/G/1 processor sharing: work / (1-rho).
double processor_sharing_response_s(double arrivals_per_s, double service_time_s, double work_s);

/// Sums over a line of M/M/1 stations that every customer visits once (Jackson 1957).
struct TandemMeans {
  double response_time_s = 0.0;
  double number_in_system = 0.0;
};
TandemMeans jackson_tandem(double arrivals_per_s, std::span<const double> services_per_s);

/// Kingman's heavy-traffic approximation of the waiting time of G/G/1: rho/(1-rho) (ca2+cs2)/2 E[S]. An approximation,
/// and an upper bound only in the limit of high load.
double kingman_waiting_time_s(double utilization, double arrival_scv, double service_scv, double service_time_s);

}  // namespace headrace::models::twins
