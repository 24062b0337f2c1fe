// How the ranks of a job exchange gradients, and what keeps them waiting for each other.
#pragma once

#include <cstdint>

#include "models/describe/declarations.hpp"

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

void describe(Collective& c, Visitor& v);

}  // namespace headrace::models
