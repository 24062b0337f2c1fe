// Prices of compute: by the hour, or as what owning the machines costs. Storage prices stand with their store.
#pragma once

#include <optional>
#include <vector>

#include "models/describe/declarations.hpp"
#include "models/spec/total_cost.hpp"

namespace headrace::models {

/// Machines that were bought. What an hour of them costs: models/outcome/ownership.hpp.
struct Ownership {
  double gpu_capital_usd = 0.0;
  double node_capital_usd = 0.0;  ///< beside the GPUs
  double lifetime_s = 4.0 * 31536000.0;
  double discount_rate = 0.08;  ///< per year
  double support_per_year = 0.0;
  double gpu_w = 0.0;
  double node_w = 0.0;  ///< beside the GPUs
  double pue = 1.3;
  double usd_per_kwh = 0.1;
  double used = 1.0;
};

/// Releasing what stands idle: gaps between jobs, and when they are long enough.
struct Reclaim {
  std::vector<double> gaps_s;
  double over_s = 86400.0;
  double threshold_s = 900.0;
  double return_s = 300.0;
};

/// Money for something that removes waiting.
struct Investment {
  double capital_usd = 0.0;
  double lifetime_s = 4.0 * 31536000.0;
  double discount_rate = 0.08;  ///< per year
  double removes = 1.0;
};

/// What ingest takes of a node and of a store, each with a price of its own: what a plan weighs against idle GPUs.
struct ResourcePrices {
  double core_hour_usd = 0.0;
  double memory_usd_per_byte_month = 0.0;
  double drive_usd_per_byte_month = 0.0;
  double nic_hour_usd = 0.0;    ///< per 100 Gb/s
  double store_hour_usd = 0.0;  ///< per GB/s
};

struct Prices {
  double gpu_hour_usd = 0.0;
  double node_hour_usd = 0.0;  ///< beside the GPUs: host, drives, network share
  double commitment_discount = 0.0;
  std::optional<Ownership> owned;
  std::optional<Reclaim> reclaim;
  std::optional<Investment> investment;
  std::optional<ResourcePrices> resources;
  std::optional<TotalCost> total_cost;
};

void describe(Ownership& o, Visitor& v);
void describe(Reclaim& r, Visitor& v);
void describe(Investment& i, Visitor& v);
void describe(ResourcePrices& r, Visitor& v);
void describe(Prices& p, Visitor& v);

}  // namespace headrace::models
