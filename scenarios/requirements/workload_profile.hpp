// What the jobs ask of one store: who reads what, in requests of which size, how often, and what is written.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::scenarios {

struct SizeLaw {
  double mean = 0.0;
  double p10 = 0.0;
  double p50 = 0.0;
  double p90 = 0.0;
  double p99 = 0.0;
};

/// One job, all of its copies together, where it never waits.
struct JobProfile {
  std::string job;
  double copies = 1.0;
  double gpus = 0.0;
  double clients = 0.0;      ///< nodes that read
  double connections = 0.0;  ///< requests outstanding at most
  double samples_per_s = 0.0;
  double read_bytes_per_s = 0.0;
  double requests_per_s = 0.0;
  double opens_per_s = 0.0;
  SizeLaw request_bytes;
  bool random = true;
  std::string dataset;
  double files = 0.0;
  double file_bytes = 0.0;
  double dataset_bytes = 0.0;
  double checkpoint_bytes = 0.0;  ///< of one copy; 0: it writes none to this store
  double checkpoint_interval_s = 0.0;
  double checkpoint_writers = 0.0;  ///< of one copy
  double checkpoint_files = 0.0;    ///< of one checkpoint
  double checkpoints_kept = 0.0;
};

struct WorkloadProfile {
  std::vector<JobProfile> jobs;  ///< those that use the store
  double clients = 0.0;
  double connections = 0.0;
  double read_bytes_per_s = 0.0;
  double requests_per_s = 0.0;
  double opens_per_s = 0.0;
  double write_bytes_per_s = 0.0;  ///< of checkpoints, over time
  double dataset_bytes = 0.0;      ///< each dataset once
  double checkpoint_bytes = 0.0;   ///< kept, of all jobs
  double request_bytes() const { return requests_per_s > 0.0 ? read_bytes_per_s / requests_per_s : 0.0; }
  double capacity_bytes() const { return dataset_bytes + checkpoint_bytes; }
};

/// `fed` is an outcome of the scenario with an ample store: how often the jobs then ask.
WorkloadProfile workload_profile(const models::Scenario& scenario, std::size_t store, const models::Outcome& fed);

}  // namespace headrace::scenarios
