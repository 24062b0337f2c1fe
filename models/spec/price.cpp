#include "models/spec/price.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Ownership& o, Visitor& v) {
  v.quantity("gpu_capital", o.gpu_capital_usd, Unit::usd,
             {.low = 5e3,
              .high = 6e4,
              .min = 0,
              .meaning = "Purchase price of one GPU, with its share of the board",
              .required = true});
  v.quantity("node_capital", o.node_capital_usd, Unit::usd,
             {.low = 2e4,
              .high = 3e5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Purchase price of one node without its GPUs: host, drives, network and storage share"});
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
              .meaning = "Power of one GPU under load; an idle one is assumed to use the same. 0: gpu/power of the "
                         "first job's pool"});
  v.quantity("node_power", o.node_w, Unit::watts,
             {.low = 500,
              .high = 5000,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Power of one node without its GPUs"});
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
              .meaning = "Share of the lifetime in which jobs use the machines; jobs pay for the rest"});
}

void describe(Reclaim& r, Visitor& v) {
  v.quantities("gaps", r.gaps_s, Unit::seconds,
               {.low = 60,
                .high = 86400,
                .min = 1,
                .meaning = "Idle times of the machines, from a log of their use",
                .required = true});
  v.quantity("over", r.over_s, Unit::seconds,
             {.low = 86400,
              .high = 2.6e6,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time that the log covers",
              .decided = true});
  v.quantity("threshold", r.threshold_s, Unit::seconds,
             {.low = 60,
              .high = 3600,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Idle time after which the machines are released",
              .decided = true});
  v.quantity("return", r.return_s, Unit::seconds,
             {.low = 30,
              .high = 1800,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Paid time until released machines work again",
              .log_scale = true});
}

void describe(Investment& i, Visitor& v) {
  v.quantity("capital", i.capital_usd, Unit::usd,
             {.low = 1e4,
              .high = 1e8,
              .above = 0,
              .meaning = "One-time cost of the change: drives, links, a faster store",
              .log_scale = true,
              .required = true});
  v.quantity("lifetime", i.lifetime_s, Unit::seconds,
             {.low = 9.5e7,
              .high = 1.9e8,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time over which it is paid back",
              .decided = true});
  v.fraction("discount_rate", i.discount_rate,
             {.low = 0.03,
              .high = 0.15,
              .evidence = Evidence::assumed,
              .meaning = "Interest on it per year; 0: straight-line depreciation"});
  v.fraction("removes", i.removes,
             {.low = 0.1,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the wait for data that disappears"});
}

void describe(ResourcePrices& r, Visitor& v) {
  v.quantity("core_hour", r.core_hour_usd, Unit::usd_per_hour,
             {.low = 0.005,
              .high = 0.1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one core for one hour; each worker of a loader uses one"});
  v.quantity("memory", r.memory_usd_per_byte_month, Unit::usd_per_byte_month,
             {.low = 5e-10,
              .high = 1e-8,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of host memory: outstanding batches, worker processes, a cache in DRAM"});
  v.quantity("drives", r.drive_usd_per_byte_month, Unit::usd_per_byte_month,
             {.low = 5e-12,
              .high = 2e-10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of the local drives for a node's cache"});
  v.quantity("nic_hour", r.nic_hour_usd, Unit::usd_per_hour,
             {.low = 0.05,
              .high = 2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of each 100 Gb/s of a node's network for one hour, adapters and switch ports"});
  v.quantity("store_hour", r.store_hour_usd, Unit::usd_per_hour,
             {.low = 0.05,
              .high = 5,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of each GB/s of the store's bandwidth for one hour"});
}

void describe(Prices& p, Visitor& v) {
  v.quantity(
      "gpu_hour", p.gpu_hour_usd, Unit::usd_per_hour,
      {.low = 0.5, .high = 20, .min = 0, .evidence = Evidence::assumed, .meaning = "Price of one GPU for one hour"});
  v.quantity("node_hour", p.node_hour_usd, Unit::usd_per_hour,
             {.low = 0,
              .high = 50,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of one node for one hour without its GPUs"});
  v.fraction(
      "commitment_discount", p.commitment_discount,
      {.low = 0.2,
       .high = 0.6,
       .below = 1,
       .evidence = Evidence::assumed,
       .meaning =
           "Discount on the hourly prices for a reservation of one to three years, which is paid whether used or not"});
  v.optional_record("owned", p.owned, {.meaning = "Owned machines; then the hourly prices are not used"});
  v.optional_record("reclaim", p.reclaim,
                    {.meaning = "Idle times of the machines, and when to release them, for the sizing sheet"});
  v.optional_record("investment", p.investment, {.meaning = "Investment that removes waiting, for the sizing sheet"});
  v.optional_record("resources", p.resources,
                    {.meaning = "Prices of the resources of nodes and store that ingest uses; absent: no cost"});
  v.optional_record("total_cost", p.total_cost,
                    {.meaning = "Costs over years: horizon, interest, lease, staff, space (headrace tco)"});
  v.constraint("rented or owned", !p.owned || (p.gpu_hour_usd == 0.0 && p.node_hour_usd == 0.0),
               "machines are either rented by the hour or owned", {"gpu_hour", "owned"});
  v.constraint(
      "a discount on hourly prices", !p.owned || p.commitment_discount == 0.0,
      "owned machines have no hourly price, so a commitment discount has no effect: remove commitment_discount",
      {"commitment_discount", "owned"});
}

}  // namespace headrace::models
