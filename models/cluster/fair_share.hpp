// What is left of a store for one job when others take their max-min fair share of it: the closed form of several jobs
// on one store, for estimates.
//
// Every user of a resource asks for what it would take alone, with as many hands as it has transfers under way. Max-min
// fairness on one link (Bertsekas & Gallager, Data Networks, 2nd ed. 1992, section 6.5.2), weighed by hands. Workers
// that read are closed customers: a batch is away from the resource for a time (latency, decoding) and then asks again,
// so that fewer of them are under way the longer the others are away. In the fluid limit of many customers, all rates
// follow from one level of the resource (A. W. Berger, Y. Kogan, Dimensioning bandwidth for elastic traffic in
// high-speed data networks, IEEE/ACM Trans. Networking 8(5), 2000: a closed network of a delay and processor sharing).
// Deviation: no fluctuation of their number, and times away are means. Good for ranking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/hops/resource.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct Claim {
  double demand_per_s = 0.0;
  double hands = 1.0;          ///< transfers or requests under way, each times its weight
  std::uint32_t priority = 0;  ///< higher classes first
  double away_s = 0.0;         ///< of a hand, for each unit that it takes, times its weight; 0: always under way

  /// What it takes where a unit of weight gets `level_per_s`: at most its demand.
  double share_at(double level_per_s) const;
};

/// What each claim gets of the capacity: weighted max-min within a class, strict priority between classes, of which a
/// lower one has never less than sim::kLeastRest of the capacity to share.
std::vector<double> weighted_max_min(double capacity_per_s, const std::vector<Claim>& claims);

/// What a job asks of one resource of its path, and the transfers that it has under way.
struct JobDemand {
  double per_s = 0.0;           ///< of the whole job; of the busiest node, for what each node has of its own
  double capacity_per_s = 0.0;  ///< 0: the job does not use it
  double hands = 1.0;           ///< of the whole job
  double away_s = 0.0;          ///< of a hand, for each unit that it takes
};
JobDemand demand_of_job(const Scenario& scenario, std::size_t job, Resource resource);

/// Capacity that other claims leave to the first one, never less than its fair share. Claims of lower classes leave
/// all.
double left_for_first(double capacity_per_s, const std::vector<Claim>& claims);

/// A store that gives `bandwidth` and `requests` of what it would, its drives included.
void scale_store(Store& store, double bandwidth, double requests);

/// Bytes per second that background load number `load` gets beside all jobs and loads on its store.
double served_bytes_per_s(const Scenario& scenario, std::size_t load);

/// The scenario with job number `job` alone on a store from which the shares of all others are taken.
Scenario beside_others(const Scenario& scenario, std::size_t job);

}  // namespace headrace::models
