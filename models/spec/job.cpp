#include "models/spec/job.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Parallelism& p, Visitor& v) {
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
           .meaning = "Expert-parallel ranks; they are within the data-parallel ranks and do not change the readers"});
}

void describe(DatasetShare& s, Visitor& v) {
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

void describe(Job& j, Visitor& v) {
  v.name("name", j.name, Kind::job, {.meaning = "Name of the job", .required = true});
  v.reference("pool", j.pool, Kind::pool, {.meaning = "Pool whose nodes the job runs on", .required = true});
  v.count("copies", j.copies,
          {.low = 1,
           .high = 100,
           .min = 1,
           .max = 10000,
           .evidence = Evidence::assumed,
           .meaning = "Identical jobs that run at the same time, each on its own nodes; one job of the report "
                      "represents all of them",
           .log_scale = true});
  v.count("nodes", j.nodes,
          {.low = 0,
           .high = 20000,
           .evidence = Evidence::assumed,
           .meaning = "Nodes that the job uses; 0: the whole pool",
           .log_scale = true});
  v.count(
      "gpus_per_node", j.gpus_per_node,
      {.low = 0, .high = 16, .evidence = Evidence::assumed, .meaning = "GPUs that the job uses on each node; 0: all"});
  v.list("datasets", j.datasets, {.meaning = "What the job reads", .required = true});
  v.record("loader", j.loader, {.meaning = "The data loader of each reading rank", .catalogue = "loader"});
  v.record("step", j.step, {.meaning = "One training step"});
  v.record("parallelism", j.parallelism, {.meaning = "How the ranks form replicas"});
  v.choice("readers", j.readers, kReadersNames,
           {.evidence = Evidence::assumed,
            .meaning = "Readers of the batch of a replica: each of its ranks, one of them, or one rank per node for "
                       "the whole node"});
  v.choice("placement", j.placement, kPlacementNames,
           {.evidence = Evidence::assumed, .meaning = "Leaves of the nodes of the job"});
  v.count("epochs", j.epochs,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Epochs of the job; caches are cold in the first one"});
  v.optional_record("checkpoint", j.checkpoint,
                    {.meaning = "Checkpoints of the model and its optimizer; absent: none"});
  v.optional_record("model", j.model, {.meaning = "Model to train: gives FLOPs, memory of a GPU and traffic"});
  v.optional_record("collective", j.collective,
                    {.meaning = "Exchange of gradients; its exposed part is added to step/collective_exposed"});
  v.optional_record("index", j.index, {.meaning = "How the job finds its objects at the start; absent: no listing"});
  v.number("loads_per_year", j.loads_per_year,
           {.low = 1,
            .high = 365,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Runs per year on refreshed data, with all caches cold; 0: not used",
            .log_scale = true,
            .decided = true});
  v.optional_record("staging", j.staging,
                    {.meaning = "Content of caches and store before the first epoch; absent: cold caches"});
  describe_traffic_class(j.traffic, v);
  v.optional_record("queue", j.queue,
                    {.meaning = "How such jobs come to the queue of their pool, for `headrace campaign`; absent: once, "
                                "at the beginning"});
}

}  // namespace headrace::models
