// Prices of compute. Storage prices stand with their store.
#pragma once

#include "models/describe/describe.hpp"

namespace headrace::models {

struct Prices {
  double gpu_hour_usd = 0.0;
  double node_hour_usd = 0.0;  ///< beside the GPUs: host, drives, network share
};

template <class V>
void describe(Prices& p, V& v) {
  v.quantity(
      "gpu_hour", p.gpu_hour_usd, Unit::usd_per_hour,
      {.low = 0.5, .high = 20, .min = 0, .evidence = Evidence::assumed, .meaning = "Price of one GPU for one hour"});
  v.quantity("node_hour", p.node_hour_usd, Unit::usd_per_hour,
             {.low = 0,
              .high = 50,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one node for one hour beside its GPUs"});
}

}  // namespace headrace::models
