// The network between stores and nodes: oversubscription per level under max-min fairness.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"
#include "models/spec/transport.hpp"

namespace headrace::models {

enum class CollectiveTraffic : std::uint8_t { separate, shared };
inline constexpr ChoiceName<CollectiveTraffic> kCollectiveTrafficNames[] = {
    {CollectiveTraffic::separate, "separate", "collectives have separate links"},
    {CollectiveTraffic::shared, "shared", "collectives go over the NICs, leaves and spine that carry ingest"}};

struct Fabric {
  double leaf_oversubscription = 1.0;
  double spine_oversubscription = 1.0;
  double efficiency = 1.0;
  Transport transport;
  std::optional<double> decrypt_bytes_per_s;  ///< one core; none: bytes come in the clear
  double access_check_s = 0.0;
  std::optional<WideAreaLink> wan;
  CollectiveTraffic collectives = CollectiveTraffic::separate;
  double collective_bytes = 0.0;  ///< per node and step, each direction
  double ingest_weight = 0.5;
};

void describe(Fabric& f, Visitor& v);

}  // namespace headrace::models
