// How the ranks of a job exchange gradients, and what keeps them waiting for each other.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class ExchangeAlgorithm : std::uint8_t { hierarchical, ring, tree, parameter_server };
inline constexpr ChoiceName<ExchangeAlgorithm> kExchangeAlgorithmNames[] = {
    {ExchangeAlgorithm::hierarchical, "hierarchical", "reduce inside each node, ring over the nodes, gather inside"},
    {ExchangeAlgorithm::ring, "ring", "one ring over all ranks"},
    {ExchangeAlgorithm::tree, "tree", "binomial reduce and broadcast"},
    {ExchangeAlgorithm::parameter_server, "parameter_server", "every rank sends to and reads from the servers"}};

struct Collective {
  ExchangeAlgorithm algorithm = ExchangeAlgorithm::hierarchical;
  double bytes = 0.0;  ///< gradients of one rank; 0: from the model
  double bucket_bytes = 25.0 * 1024 * 1024;
  double inside_bytes_per_s = 0.0;   ///< of one GPU inside the node; 0: as the network
  double inside_latency_s = 3e-6;    ///< per message
  double outside_bytes_per_s = 0.0;  ///< of one node; 0: its NICs
  double outside_latency_s = 1e-5;   ///< per message
  std::uint64_t servers = 1;
  double overlap = 2.0 / 3.0;  ///< share of the last micro-batch's compute beside which gradients travel
  double barrier_s = 0.0;      ///< per doubling of the ranks
  double gpu_speed_cv = 0.0;
};

template <class V>
void describe_links(Collective& c, V& v) {
  v.quantity("inside_bandwidth", c.inside_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e10,
              .high = 2e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "What one GPU sends to others of its node, one direction (NVLink); 0: as over the network",
              .log_scale = true});
  v.quantity("inside_latency", c.inside_latency_s, Unit::seconds,
             {.low = 1e-6,
              .high = 2e-5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Fixed time of one message inside a node",
              .log_scale = true});
  v.quantity(
      "outside_bandwidth", c.outside_bytes_per_s, Unit::bytes_per_second,
      {.low = 1e8,
       .high = 1e12,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "What one node sends to others for collectives, all its GPUs together; 0: its NICs for storage",
       .log_scale = true});
  v.quantity("outside_latency", c.outside_latency_s, Unit::seconds,
             {.low = 2e-6,
              .high = 1e-4,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Fixed time of one message between nodes",
              .log_scale = true});
}

template <class V>
void describe(Collective& c, V& v) {
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
              .meaning = "Gradients that are sent together as soon as the backward pass has them",
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
              .meaning = "Share of the last micro-batch's compute beside which gradients travel: 2/3 is the backward "
                         "pass, 0 sends them after it"});
  v.quantity("barrier", c.barrier_s, Unit::seconds,
             {.low = 0,
              .high = 1e-3,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "What synchronization costs per step and doubling of the ranks"});
  v.number("gpu_speed_cv", c.gpu_speed_cv,
           {.low = 0,
            .high = 0.1,
            .min = 0,
            .max = 10,
            .evidence = Evidence::assumed,
            .meaning = "Coefficient of variation of lasting speed differences between GPUs; the step waits for the "
                       "slowest"});
}

}  // namespace headrace::models
