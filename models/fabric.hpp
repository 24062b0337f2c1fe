// The network between stores and nodes: oversubscription per level under max-min fairness.
#pragma once

#include "models/describe/describe.hpp"

namespace headrace::models {

struct Fabric {
  double leaf_oversubscription = 1.0;
  double spine_oversubscription = 1.0;
  double efficiency = 1.0;
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
}

}  // namespace headrace::models
