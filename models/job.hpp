// A training job: where it runs, what it reads, how its ranks are grouped and who of them reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/accelerator.hpp"
#include "models/checkpoint.hpp"
#include "models/collective.hpp"
#include "models/describe/describe.hpp"
#include "models/loader.hpp"
#include "models/staging.hpp"
#include "models/start_index.hpp"
#include "models/traffic_class.hpp"
#include "models/training_model.hpp"

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
    {Placement::packed, "packed", "as few leaves as hold it; rings follow the racks"},
    {Placement::spread, "spread", "over all leaves alike; neighbours in a ring lie under different leaves"}};

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
  TrafficClass traffic;  ///< of its reads
};

template <class V>
void describe(Parallelism& p, V& v) {
  v.count("dp", p.dp,
          {.low = 0,
           .high = 1e5,
           .max = 10000000,
           .evidence = Evidence::assumed,
           .meaning = "Data-parallel replicas; 0: GPUs over (tp pp cp)"});
  v.count("tp", p.tp,
          {.low = 1,
           .high = 64,
           .min = 1,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "Tensor-parallel ranks"});
  v.count("pp", p.pp,
          {.low = 1, .high = 64, .min = 1, .max = 100000, .evidence = Evidence::assumed, .meaning = "Pipeline stages"});
  v.count("cp", p.cp,
          {.low = 1,
           .high = 64,
           .min = 1,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "Context-parallel ranks"});
  v.count("ep", p.ep,
          {.low = 1,
           .high = 512,
           .min = 1,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "Expert-parallel ranks; they lie within the data-parallel ones and do not change who reads"});
}

template <class V>
void describe(DatasetShare& s, V& v) {
  v.reference("dataset", s.dataset, Kind::dataset, {.meaning = "Dataset that the job reads", .required = true});
  v.number("weight", s.weight,
           {.low = 0,
            .high = 1e6,
            .above = 0,
            .evidence = Evidence::assumed,
            .meaning = "Share of samples drawn from it, relative to the other weights",
            .decided = true});
  v.distribution("cpu_per_sample", s.cpu_s_per_sample, Unit::seconds,
                 {.low = 0,
                  .high = 1,
                  .min = 0,
                  .evidence = Evidence::assumed,
                  .meaning = "CPU time of one core for one of its samples; 0: the loader's"});
}

template <class V>
void describe(Job& j, V& v) {
  v.name("name", j.name, Kind::job, {.meaning = "Name of the job", .required = true});
  v.reference("pool", j.pool, Kind::pool, {.meaning = "Pool whose nodes the job runs on", .required = true});
  v.count("copies", j.copies,
          {.low = 1,
           .high = 100,
           .min = 1,
           .max = 10000,
           .evidence = Evidence::assumed,
           .meaning = "Like jobs that run at the same time, each on nodes of its own; a job of the report stands for "
                      "all of them",
           .log_scale = true});
  v.count("nodes", j.nodes,
          {.low = 0,
           .high = 20000,
           .evidence = Evidence::assumed,
           .meaning = "Nodes that the job takes; 0: the whole pool",
           .log_scale = true});
  v.count(
      "gpus_per_node", j.gpus_per_node,
      {.low = 0, .high = 16, .evidence = Evidence::assumed, .meaning = "GPUs that the job takes of each node; 0: all"});
  v.list("datasets", j.datasets, {.meaning = "What the job reads", .required = true});
  v.record("loader", j.loader, {.meaning = "The data loader of each reading rank", .catalogue = "loader"});
  v.record("step", j.step, {.meaning = "One training step"});
  v.record("parallelism", j.parallelism, {.meaning = "How the ranks form replicas"});
  v.choice("readers", j.readers, kReadersNames,
           {.evidence = Evidence::assumed,
            .meaning = "Who reads the batch of a replica: each of its ranks, one of them, or one rank per node for all "
                       "of the node"});
  v.choice("placement", j.placement, kPlacementNames,
           {.evidence = Evidence::assumed, .meaning = "Which leaves the nodes of the job lie under"});
  v.count("epochs", j.epochs,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Epochs of the job; the first one finds cold caches"});
  v.optional_record("checkpoint", j.checkpoint,
                    {.meaning = "Checkpoints of the model and its optimizer; without it none"});
  v.optional_record("model", j.model,
                    {.meaning = "The model that is trained: FLOPs, memory of a GPU and traffic follow from it"});
  v.optional_record("collective", j.collective,
                    {.meaning = "Exchange of gradients; its exposed part is added to step/collective_exposed"});
  v.optional_record("index", j.index,
                    {.meaning = "How the job finds its objects when it starts; without it, it knows them"});
  v.number("loads_per_year", j.loads_per_year,
           {.low = 1,
            .high = 365,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "How often in a year the job runs on refreshed data, with every cache cold; 0: not asked",
            .log_scale = true,
            .decided = true});
  v.optional_record("staging", j.staging,
                    {.meaning = "What the first epoch finds in caches and store; without it cold caches"});
  describe_traffic_class(j.traffic, v);
  v.not_modelled("arrival", "arrival times of jobs");
}

}  // namespace headrace::models
