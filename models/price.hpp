// Prices of compute: by the hour, or as what owning the machines costs. Storage prices stand with their store.
#pragma once

#include <optional>

#include "models/describe/describe.hpp"

namespace headrace::models {

/// Machines that were bought. What an hour of them costs: models/ownership.hpp.
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

struct Prices {
  double gpu_hour_usd = 0.0;
  double node_hour_usd = 0.0;  ///< beside the GPUs: host, drives, network share
  double commitment_discount = 0.0;
  std::optional<Ownership> owned;
};

template <class V>
void describe(Ownership& o, V& v) {
  v.quantity("gpu_capital", o.gpu_capital_usd, Unit::usd,
             {.low = 5e3,
              .high = 6e4,
              .min = 0,
              .meaning = "What one GPU cost, with its share of the board",
              .required = true});
  v.quantity("node_capital", o.node_capital_usd, Unit::usd,
             {.low = 2e4,
              .high = 3e5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "What one node cost beside its GPUs: host, drives, network and storage share"});
  v.quantity("lifetime", o.lifetime_s, Unit::seconds,
             {.low = 9.5e7,
              .high = 1.9e8,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time over which the capital is paid back",
              .decided = true});
  v.fraction("discount_rate", o.discount_rate,
             {.low = 0.03,
              .high = 0.15,
              .evidence = Evidence::assumed,
              .meaning = "Interest on the capital per year; 0: straight-line depreciation"});
  v.fraction("support", o.support_per_year,
             {.low = 0,
              .high = 0.2,
              .evidence = Evidence::assumed,
              .meaning = "Support and operation per year, as a share of the capital"});
  v.quantity("gpu_power", o.gpu_w, Unit::watts,
             {.low = 300,
              .high = 1200,
              .min = 0,
              .evidence = Evidence::datasheet,
              .meaning = "Power of one GPU under load; a waiting one is taken to draw the same"});
  v.quantity("node_power", o.node_w, Unit::watts,
             {.low = 500,
              .high = 5000,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Power of one node beside its GPUs"});
  v.number("pue", o.pue,
           {.low = 1.05,
            .high = 2.0,
            .min = 1,
            .max = 10,
            .evidence = Evidence::assumed,
            .meaning = "Power of the site over power of the machines"});
  v.quantity(
      "energy", o.usd_per_kwh, Unit::usd_per_kwh,
      {.low = 0.03, .high = 0.4, .min = 0, .evidence = Evidence::assumed, .meaning = "Price of electric energy"});
  v.fraction("used", o.used,
             {.low = 0.3,
              .high = 1.0,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Share of their lifetime for which the machines are lent to jobs; these pay for the rest"});
}

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
  v.fraction("commitment_discount", p.commitment_discount,
             {.low = 0.2,
              .high = 0.6,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "What reserving for one to three years takes off the hourly prices; it is paid used or not"});
  v.optional_record("owned", p.owned,
                    {.meaning = "The machines were bought; then the hourly prices are not asked for"});
  v.constraint("rented or owned", !p.owned || (p.gpu_hour_usd == 0.0 && p.node_hour_usd == 0.0),
               "machines are either rented by the hour or owned", {"gpu_hour", "owned"});
}

}  // namespace headrace::models
