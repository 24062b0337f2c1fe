// Simulated queues against closed forms. Each comparison is of the mean of 64 independent replications (fixed seeds)
// at 5.5 of its standard errors: Student's t with 63 degrees of freedom fails a correct program in 7e-7 of all seeds.
#include <cmath>
#include <type_traits>
#include <vector>

#include "sim/fcfs_station.hpp"
#include "sim/portable_math.hpp"
#include "sim/random_stream.hpp"
#include "sim/shared_station.hpp"
#include "sim/simulation.hpp"
#include "sim/tally.hpp"

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

constexpr int kRunsOfQueue = 64;
constexpr double kStandardErrors = 5.5;
constexpr Purpose kArrivals{1};
constexpr Purpose kServices{2};

using Quantile = double (*)(double u);  // of a law with mean 1

double exponential(double u) { return -plog(u); }
double constant(double) { return 1.0; }
/// Nine short jobs of 1/3 for one long of 7: squared coefficient of variation 4.
double two_sizes(double u) { return u < 0.9 ? 1.0 / 3.0 : 7.0; }

StreamKey key(int replication, Purpose purpose) {
  return StreamKey{.seed = 2024, .replication = static_cast<std::uint32_t>(replication), .purpose = purpose};
}

template <class Station>
Process customer(Simulation&, Station& station, double service_s) {
  if constexpr (std::is_same_v<Station, FcfsStation>) {
    co_await station.serve(duration_ns(service_s));
  } else {
    co_await station.serve(service_s);
  }
}

template <class Station>
Process source(Simulation& simulation, Station& station, int replication, double rate_per_s, Quantile service) {
  for (std::uint64_t i = 0;; ++i) {
    co_await simulation.delay(duration_ns(exponential(uniform(key(replication, kArrivals), i)) / rate_per_s));
    const double service_s = service(uniform(key(replication, kServices), i));
    simulation.spawn(customer(simulation, station, service_s), "customer", static_cast<std::uint32_t>(i));
  }
}

struct Measured {
  Tally in_system;
  Tally wait_s;
  Tally utilization;
};

/// Poisson arrivals at `rate_per_s` to the station that `make` builds; mean service 1 s, 6,000 s after 1,000 s of
/// warm-up.
template <class Station, class Make>
Measured open_queue(double rate_per_s, Quantile service, Make make) {
  Measured measured;
  for (int replication = 0; replication < kRunsOfQueue; ++replication) {
    Simulation simulation;
    Station station = make(simulation);
    simulation.spawn(source(simulation, station, replication, rate_per_s, service), "source");
    simulation.run_until(1000 * kNanosecondsPerSecond);
    station.reset_statistics();
    simulation.run_until(7000 * kNanosecondsPerSecond);
    const StationStatistics s = station.statistics();
    measured.in_system.add(s.mean_in_system);
    measured.wait_s.add(s.mean_wait_s);
    measured.utilization.add(s.utilization);
  }
  return measured;
}

void check_mean(const Tally& tally, double expected) {
  CAPTURE(tally.mean(), tally.standard_error(), expected);
  CHECK(tally.standard_error() < 0.03 * expected);  // or the comparison would say little
  CHECK(std::abs(tally.mean() - expected) < kStandardErrors * tally.standard_error());
}

/// Erlang's C: probability of waiting with `servers` and `load` = arrival rate x service time, by Erlang's B.
double erlang_c(int servers, double load) {
  double blocking = 1;
  for (int k = 1; k <= servers; ++k) blocking = load * blocking / (k + load * blocking);
  const double rho = load / servers;
  return blocking / (1 - rho + rho * blocking);
}

Measured first_come(double rate_per_s, Quantile service, std::uint32_t servers) {
  return open_queue<FcfsStation>(rate_per_s, service, [=](Simulation& s) { return FcfsStation(s, servers); });
}

Measured shared(double rate_per_s, Quantile service, double capacity) {
  return open_queue<SharedStation>(rate_per_s, service, [=](Simulation& s) { return SharedStation(s, capacity, 1.0); });
}

}  // namespace

TEST_CASE("M/M/1 against its closed form", "[statistical]") {
  const Measured m = first_come(0.7, exponential, 1);
  check_mean(m.in_system, 0.7 / 0.3);
  check_mean(m.wait_s, 0.7 / 0.3);
  check_mean(m.utilization, 0.7);
}

TEST_CASE("M/M/4 against Erlang's C", "[statistical]") {
  const Measured m = first_come(3.0, exponential, 4);
  check_mean(m.wait_s, erlang_c(4, 3.0) / (4 - 3.0));
  check_mean(m.in_system, 3.0 + 3.0 * erlang_c(4, 3.0) / (4 - 3.0));
  check_mean(m.utilization, 0.75);
}

TEST_CASE("M/D/1 against Pollaczek and Khinchine", "[statistical]") {
  const Measured m = first_come(0.7, constant, 1);
  check_mean(m.wait_s, 0.7 / (2 * 0.3));
}

TEST_CASE("M/G/1 processor sharing depends on the mean service only", "[statistical]") {
  for (const Quantile service : {&exponential, &constant, &two_sizes}) {
    const Measured m = shared(0.7, service, 1.0);
    check_mean(m.in_system, 0.7 / 0.3);
    check_mean(m.utilization, 0.7);
  }
}

TEST_CASE("processor sharing with four servers and a cap of one has the occupancy of M/M/4", "[statistical][long_3]") {
  for (const Quantile service : {&exponential, &two_sizes}) {
    check_mean(shared(3.0, service, 4.0).in_system, 3.0 + 3.0 * erlang_c(4, 3.0) / (4 - 3.0));
  }
}

namespace {

Process loop(Simulation& simulation, SharedStation& station, int replication, std::uint32_t entity, double think_s,
             double demand_s, std::uint64_t& rounds) {
  StreamKey thinks = key(replication, kArrivals);
  StreamKey services = key(replication, kServices);
  thinks.entity = services.entity = entity;
  for (std::uint64_t i = 0;; ++i) {
    co_await simulation.delay(duration_ns(think_s * exponential(uniform(thinks, i))));
    co_await station.serve(demand_s * two_sizes(uniform(services, i)));
    ++rounds;
  }
}

/// Throughput by exact mean value analysis (Reiser and Lavenberg 1980) of a delay and one processor-sharing station.
double mva_throughput_per_s(int customers, double think_s, double demand_s) {
  double queue = 0;
  double throughput = 0;
  for (int n = 1; n <= customers; ++n) {
    const double residence_s = demand_s * (1 + queue);
    throughput = n / (think_s + residence_s);
    queue = throughput * residence_s;
  }
  return throughput;
}

}  // namespace

TEST_CASE("a closed network of thinking loops and one shared station against mean value analysis", "[statistical]") {
  constexpr int kLoops = 8;
  Tally throughput;
  for (int replication = 0; replication < kRunsOfQueue; ++replication) {
    Simulation simulation;
    SharedStation station(simulation, 1.0, 1.0);
    std::uint64_t rounds = 0;
    for (std::uint32_t entity = 0; entity < kLoops; ++entity) {
      simulation.spawn(loop(simulation, station, replication, entity, 6.0, 1.0, rounds), "loop", entity);
    }
    simulation.run_until(200 * kNanosecondsPerSecond);
    rounds = 0;
    simulation.run_until(3200 * kNanosecondsPerSecond);
    throughput.add(static_cast<double>(rounds) / 3000.0);
    station.statistics();
  }
  check_mean(throughput, mva_throughput_per_s(kLoops, 6.0, 1.0));
}
