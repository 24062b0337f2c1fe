// From the start of a job to the first batch: finding the objects of the dataset, and passing their list on.
#pragma once

#include <cstdint>
#include <optional>

#include "models/path/ingest_path.hpp"

namespace headrace::models {

struct StartUp {
  double index_s = 0.0;  ///< until every node knows all objects
  double list_requests = 0.0;
  double throttled = 0.0;             ///< LIST requests answered 503; 0 where it was not simulated
  double passed_on_bytes = 0.0;       ///< the list, as each node receives it
  double index_bytes_per_node = 0.0;  ///< of the sample index that the reading ranks shuffle
};

/// nullopt for a job that knows its objects. Simulates the requests, or takes the bound that no run can beat.
std::optional<StartUp> start_up_of(const Scenario& scenario, const IngestPath& path, bool simulated,
                                   std::uint64_t seed);

/// Time of passing `bytes` from one node to all `nodes`, each sending to `fan_out` others, in pieces of 16 MiB.
double fan_out_s(double bytes, double nodes, double fan_out, std::optional<double> nic_bytes_per_s);

}  // namespace headrace::models
