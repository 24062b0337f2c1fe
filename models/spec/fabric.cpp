#include "models/spec/fabric.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Fabric& f, Visitor& v) {
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
            .meaning = "Total bandwidth of leaf uplinks over the bandwidth of the spine towards the stores",
            .decided = true});
  v.fraction("efficiency", f.efficiency,
             {.low = 0.7,
              .high = 1.0,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Goodput over line rate of uplinks and spine (headers, congestion, imperfect balance)"});
  v.record("transport", f.transport,
           {.meaning = "Protocol between store and node; the default has no cost", .catalogue = "transport"});
  v.limit("decrypt", f.decrypt_bytes_per_s, Unit::bytes_per_second,
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
              .meaning = "Time of authorisation and audit per open"});
  v.optional_record("wan", f.wan, {.meaning = "Long link to the store; absent: none"});
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
              .meaning = "Guaranteed share of a link for ingest when collectives use it (QoS); 0.5: equal service",
              .decided = true});
}

}  // namespace headrace::models
