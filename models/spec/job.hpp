// A training job: where it runs, what it reads, how its ranks are grouped and who of them reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/spec/accelerator.hpp"
#include "models/spec/checkpoint.hpp"
#include "models/spec/collective.hpp"
#include "models/spec/job_queue.hpp"
#include "models/spec/loader.hpp"
#include "models/spec/staging.hpp"
#include "models/spec/start_index.hpp"
#include "models/spec/traffic_class.hpp"
#include "models/spec/training_model.hpp"

namespace headrace::models {

enum class Readers : std::uint8_t { every_rank, one_per_replica, one_per_node };
inline constexpr ChoiceName<Readers> kReadersNames[] = {{Readers::every_rank, "every_rank"},
                                                        {Readers::one_per_replica, "one_per_replica"},
                                                        {Readers::one_per_node, "one_per_node"}};

/// Ranks = dp * tp * pp * cp; experts are spread over the data-parallel ranks.
struct Parallelism {
  std::uint64_t dp = 0;  ///< 0: what the GPUs allow
  std::uint64_t tp = 1;
  std::uint64_t pp = 1;
  std::uint64_t cp = 1;
  std::uint64_t ep = 1;

  std::uint64_t ranks_per_replica() const { return tp * pp * cp; }
};

/// How a job that takes a part of its pool lies in the racks.
enum class Placement : std::uint8_t { packed, spread };
inline constexpr ChoiceName<Placement> kPlacementNames[] = {
    {Placement::packed, "packed", "as few leaves as possible; rings follow the racks"},
    {Placement::spread, "spread", "evenly over all leaves; neighbours in a ring are under different leaves"}};

struct DatasetShare {
  std::string dataset;
  double weight = 1.0;
  DistributionSpec cpu_s_per_sample = DistributionSpec::constant(0.0);  ///< 0: the loader's
};

struct Job {
  std::string name;
  std::string pool;
  std::uint64_t copies = 1;         ///< like jobs, each on nodes of its own
  std::uint64_t nodes = 0;          ///< 0: the whole pool
  std::uint64_t gpus_per_node = 0;  ///< 0: all of a node
  std::vector<DatasetShare> datasets;
  Loader loader;
  TrainingStep step;
  Parallelism parallelism;
  Readers readers = Readers::every_rank;
  Placement placement = Placement::packed;
  std::uint64_t epochs = 2;
  std::optional<Checkpoint> checkpoint;
  std::optional<TrainingModel> model;
  std::optional<Collective> collective;
  std::optional<StartIndex> index;
  double loads_per_year = 0.0;
  std::optional<Staging> staging;
  TrafficClass traffic;           ///< of its reads
  std::optional<JobQueue> queue;  ///< of `headrace campaign`; nothing else reads it
};

void describe(Parallelism& p, Visitor& v);
void describe(DatasetShare& s, Visitor& v);
void describe(Job& j, Visitor& v);

}  // namespace headrace::models
