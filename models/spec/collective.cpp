#include "models/spec/collective.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

namespace {

void describe_links(Collective& c, Visitor& v) {
  v.quantity("inside_bandwidth", c.inside_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e10,
              .high = 2e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate of one GPU to others in its node, one direction (NVLink); 0: as over the network",
              .log_scale = true});
  v.quantity("inside_latency", c.inside_latency_s, Unit::seconds,
             {.low = 1e-6,
              .high = 2e-5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Fixed time of one message inside a node",
              .log_scale = true});
  v.quantity("outside_bandwidth", c.outside_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e8,
              .high = 1e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate of one node to others for collectives, all its GPUs together; 0: its NICs for storage",
              .log_scale = true,
              .of_a_link = true});
  v.quantity("outside_latency", c.outside_latency_s, Unit::seconds,
             {.low = 2e-6,
              .high = 1e-4,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Fixed time of one message between nodes",
              .log_scale = true});
}

}  // namespace

void describe(Collective& c, Visitor& v) {
  v.choice("algorithm", c.algorithm, kExchangeAlgorithmNames,
           {.evidence = Evidence::assumed, .meaning = "How gradients are summed over the replicas", .decided = true});
  v.quantity(
      "bytes", c.bytes, Unit::bytes,
      {.low = 1e6,
       .high = 1e12,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Gradients that one rank exchanges per step; 0: from the model, its precision and its tensor and "
                  "pipeline ranks",
       .log_scale = true,
       .decided = true});
  v.quantity("bucket", c.bucket_bytes, Unit::bytes,
             {.low = 1e6,
              .high = 1e9,
              .above = 0,
              .evidence = Evidence::published,
              .meaning = "Gradients that are sent together when the backward pass has computed them",
              .source = "PyTorch DistributedDataParallel, bucket_cap_mb default 25",
              .log_scale = true,
              .decided = true});
  describe_links(c, v);
  v.count("servers", c.servers,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Parameter servers, each with the network of a node",
           .log_scale = true,
           .decided = true});
  v.fraction("overlap", c.overlap,
             {.low = 0,
              .high = 0.7,
              .min = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the last micro-batch's compute that overlaps with the gradient exchange: 2/3 is the "
                         "backward pass, 0 is no overlap"});
  v.quantity("barrier", c.barrier_s, Unit::seconds,
             {.low = 0,
              .high = 1e-3,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Synchronization time per step and doubling of the ranks"});
  v.number(
      "gpu_speed_cv", c.gpu_speed_cv,
      {.low = 0,
       .high = 0.1,
       .min = 0,
       .max = 10,
       .evidence = Evidence::assumed,
       .meaning =
           "Coefficient of variation of permanent speed differences between GPUs; the step waits for the slowest"});
}

}  // namespace headrace::models
