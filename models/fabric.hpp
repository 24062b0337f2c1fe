// The network between stores and nodes: oversubscription per level under max-min fairness.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/describe.hpp"
#include "models/transport.hpp"

namespace headrace::models {

enum class CollectiveTraffic : std::uint8_t { separate, shared };
inline constexpr ChoiceName<CollectiveTraffic> kCollectiveTrafficNames[] = {
    {CollectiveTraffic::separate, "separate", "collectives have links of their own"},
    {CollectiveTraffic::shared, "shared", "collectives go over the NICs, leaves and spine that carry ingest"}};

struct Fabric {
  double leaf_oversubscription = 1.0;
  double spine_oversubscription = 1.0;
  double efficiency = 1.0;
  Transport transport;
  double decrypt_bytes_per_s = 0.0;  ///< one core; 0: bytes come in the clear
  double access_check_s = 0.0;
  std::optional<WideAreaLink> wan;
  CollectiveTraffic collectives = CollectiveTraffic::separate;
  double collective_bytes = 0.0;  ///< per node and step, each direction
  double ingest_weight = 0.5;
};

template <class V>
void describe(Fabric& f, V& v) {
  v.number("leaf_oversubscription", f.leaf_oversubscription,
           {.low = 1,
            .high = 16,
            .above = 0,
            .evidence = Evidence::assumed,
            .meaning = "NIC bandwidth under a leaf over the leaf's uplink bandwidth",
            .decided = true});
  v.number("spine_oversubscription", f.spine_oversubscription,
           {.low = 1,
            .high = 16,
            .above = 0,
            .evidence = Evidence::assumed,
            .meaning = "Leaf uplink bandwidth together over what the spine carries towards the stores",
            .decided = true});
  v.fraction("efficiency", f.efficiency,
             {.low = 0.7,
              .high = 1.0,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Goodput over line rate of uplinks and spine (headers, congestion, imperfect balance)"});
  v.record("transport", f.transport,
           {.meaning = "Protocol between store and node; the default costs nothing", .catalogue = "transport"});
  v.quantity("decrypt", f.decrypt_bytes_per_s, Unit::bytes_per_second,
             {.low = 5e8,
              .high = 1e10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Bytes that one core decrypts per second (TLS); 0: no encryption, or done by the adapter",
              .log_scale = true});
  v.quantity("access_check", f.access_check_s, Unit::seconds,
             {.low = 0,
              .high = 0.1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "What authorisation and audit add to every open"});
  v.optional_record("wan", f.wan, {.meaning = "A long link to the store; without it none"});
  v.choice("collectives", f.collectives, kCollectiveTrafficNames,
           {.evidence = Evidence::assumed, .meaning = "Whether collectives and ingest share links"});
  v.quantity(
      "collective_bytes", f.collective_bytes, Unit::bytes,
      {.low = 1e6,
       .high = 1e12,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Bytes that each node sends and receives per step for collectives; ring all-reduce of G bytes: "
                  "about 2 G",
       .log_scale = true});
  v.fraction("ingest_weight", f.ingest_weight,
             {.low = 0.1,
              .high = 0.9,
              .above = 0,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of a link that ingest is sure of beside collectives (QoS); 0.5: served alike",
              .decided = true});
}

}  // namespace headrace::models
