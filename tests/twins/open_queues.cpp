#include "tests/twins/open_queues.hpp"

#include <cmath>

#include "models/twins/require.hpp"

namespace headrace::models::twins {
namespace {

double stable_load(double arrivals_per_s, double capacity_per_s) {
  require(arrivals_per_s >= 0.0 && capacity_per_s > 0.0, "an open queue needs rates that are not negative");
  const double rho = arrivals_per_s / capacity_per_s;
  require(rho < 1.0, "an open queue has no steady state at a load of 1 or more");
  return rho;
}

/// Little's law fills the counts from the times.
QueueMeans from_waiting(double arrivals_per_s, double rho, double waiting_s, double service_s, double p_wait) {
  return {.utilization = rho,
          .number_in_system = arrivals_per_s * (waiting_s + service_s),
          .number_in_queue = arrivals_per_s * waiting_s,
          .response_time_s = waiting_s + service_s,
          .waiting_time_s = waiting_s,
          .probability_of_wait = p_wait};
}

}  // namespace

QueueMeans mm1(double arrivals_per_s, double services_per_s) {
  const double rho = stable_load(arrivals_per_s, services_per_s);
  return from_waiting(arrivals_per_s, rho, rho / (services_per_s - arrivals_per_s), 1.0 / services_per_s, rho);
}

double mm1_probability(double arrivals_per_s, double services_per_s, int n) {
  const double rho = stable_load(arrivals_per_s, services_per_s);
  require(n >= 0, "a number in system is not negative");
  return (1.0 - rho) * std::pow(rho, n);
}

double mm1_response_quantile_s(double arrivals_per_s, double services_per_s, double p) {
  stable_load(arrivals_per_s, services_per_s);
  require(p >= 0.0 && p < 1.0, "a quantile lies in [0, 1)");
  return -std::log1p(-p) / (services_per_s - arrivals_per_s);
}

double erlang_b(double offered_load, int servers) {
  require(offered_load >= 0.0 && servers >= 0, "Erlang B needs a load and a number of servers that are not negative");
  double blocked = 1.0;
  for (int c = 1; c <= servers; ++c) blocked = offered_load * blocked / (c + offered_load * blocked);
  return blocked;
}

double erlang_c(double offered_load, int servers) {
  require(servers >= 1, "a queue needs a server");
  const double rho = stable_load(offered_load, servers);
  const double blocked = erlang_b(offered_load, servers);
  return blocked / (1.0 - rho * (1.0 - blocked));
}

QueueMeans mmc(double arrivals_per_s, double services_per_s, int servers) {
  require(services_per_s > 0.0 && servers >= 1, "M/M/c needs a positive service rate and a server");
  const double rho = stable_load(arrivals_per_s, services_per_s * servers);
  const double p_wait = erlang_c(arrivals_per_s / services_per_s, servers);
  const double waiting_s = p_wait / (services_per_s * servers - arrivals_per_s);
  return from_waiting(arrivals_per_s, rho, waiting_s, 1.0 / services_per_s, p_wait);
}

QueueMeans mg1(double arrivals_per_s, double service_time_s, double service_cv) {
  require(service_time_s > 0.0 && service_cv >= 0.0, "M/G/1 needs a positive service time and a variation");
  const double rho = stable_load(arrivals_per_s, 1.0 / service_time_s);
  const double second_moment = service_time_s * service_time_s * (1.0 + service_cv * service_cv);
  const double waiting_s = arrivals_per_s * second_moment / (2.0 * (1.0 - rho));
  return from_waiting(arrivals_per_s, rho, waiting_s, service_time_s, rho);
}

QueueMeans md1(double arrivals_per_s, double service_time_s) { return mg1(arrivals_per_s, service_time_s, 0.0); }

QueueMeans mg1_processor_sharing(double arrivals_per_s, double service_time_s) {
  require(service_time_s > 0.0, "processor sharing needs a positive service time");
  const double rho = stable_load(arrivals_per_s, 1.0 / service_time_s);
  const double waiting_s = service_time_s * rho / (1.0 - rho);
  return from_waiting(arrivals_per_s, rho, waiting_s, service_time_s, rho);
}

double processor_sharing_response_s(double arrivals_per_s, double service_time_s, double work_s) {
  require(service_time_s > 0.0 && work_s >= 0.0, "processor sharing needs work that is not negative");
  return work_s / (1.0 - stable_load(arrivals_per_s, 1.0 / service_time_s));
}

TandemMeans jackson_tandem(double arrivals_per_s, std::span<const double> services_per_s) {
  TandemMeans sum;
  for (double rate : services_per_s) {
    const QueueMeans station = mm1(arrivals_per_s, rate);
    sum.response_time_s += station.response_time_s;
    sum.number_in_system += station.number_in_system;
  }
  return sum;
}

double kingman_waiting_time_s(double utilization, double arrival_scv, double service_scv, double service_time_s) {
  const double rho = stable_load(utilization, 1.0);
  return rho / (1.0 - rho) * (arrival_scv + service_scv) / 2.0 * service_time_s;
}

}  // namespace headrace::models::twins
