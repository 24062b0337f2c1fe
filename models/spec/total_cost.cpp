#include "models/spec/total_cost.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Lease& l, Visitor& v) {
  v.quantity("term", l.term_s, Unit::seconds,
             {.low = 2.0 * kSecondsPerYear,
              .high = 5.0 * kSecondsPerYear,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time in which the capital is paid in equal parts",
              .decided = true});
  v.fraction("rate", l.rate_per_year,
             {.low = 0.03,
              .high = 0.12,
              .evidence = Evidence::assumed,
              .meaning = "Interest of the lease per year",
              .decided = true});
}

namespace {

void describe_money(TotalCost& t, Visitor& v) {
  v.quantity("staff", t.staff_usd_per_hour, Unit::usd_per_hour,
             {.low = 0,
              .high = 500,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Staff that runs machines and stores: $300000/year"});
  v.quantity("migration", t.migration_usd, Unit::usd,
             {.low = 0,
              .high = 1e6,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "One-time cost of moving data and jobs, paid at the start"});
  v.quantity("rack_unit", t.rack_unit_usd_per_hour, Unit::usd_per_hour,
             {.low = 0,
              .high = 0.1,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of a rack unit of space: $30/month"});
  v.number("pue", t.pue,
           {.low = 1.05,
            .high = 2.0,
            .min = 1,
            .max = 10,
            .evidence = Evidence::assumed,
            .meaning = "Power of the site over power of the machines; with prices/owned the one there holds"});
  v.quantity("energy", t.usd_per_kwh, Unit::usd_per_kwh,
             {.low = 0.03,
              .high = 0.4,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of electric energy; with prices/owned the one there holds"});
}

void describe_room(TotalCost& t, Visitor& v) {
  v.number("node_rack_units", t.node_rack_units,
           {.low = 1,
            .high = 12,
            .min = 0,
            .evidence = Evidence::assumed,
            .meaning = "Rack units of a node",
            .decided = true});
  v.limit("power_limit", t.power_limit_w, Unit::watts,
          {.low = 1e4,
           .high = 1e8,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Power that the site can give to owned machines and stores, with its own; 0: not a limit",
           .log_scale = true,
           .decided = true});
  v.limit("rack_unit_limit", t.rack_unit_limit, Unit::one,
          {.low = 42,
           .high = 1e5,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rack units that the site has for owned machines and stores; 0: not a limit",
           .decided = true});
}

}  // namespace

void describe(TotalCost& t, Visitor& v) {
  v.quantity("horizon", t.horizon_s, Unit::seconds,
             {.low = 3.0 * kSecondsPerYear,
              .high = 5.0 * kSecondsPerYear,
              .above = 0,
              .max = 100.0 * kSecondsPerYear,
              .evidence = Evidence::assumed,
              .meaning = "Time over which costs are added up: 3 years",
              .decided = true});
  v.choice("period", t.period, kCashPeriodNames,
           {.evidence = Evidence::assumed, .meaning = "Length of a row of the cash flow"});
  v.fraction("discount_rate", t.discount_rate,
             {.low = 0.03,
              .high = 0.15,
              .evidence = Evidence::assumed,
              .meaning = "Interest per year by which later payments count less; 0: all count alike",
              .decided = true});
  v.optional_record("lease", t.lease,
                    {.meaning = "Capital is leased: paid in equal parts; absent: paid when it is bought"});
  v.fraction("resale", t.resale,
             {.low = 0,
              .high = 0.5,
              .evidence = Evidence::assumed,
              .meaning = "Share of the book value (straight line) that is paid back at the horizon"});
  v.fraction("used", t.used,
             {.low = 0.3,
              .high = 1.0,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Share of the time in which jobs use rented machines; of owned ones prices/owned/used holds"});
  describe_money(t, v);
  describe_room(t, v);
  v.constraint("nothing leased is sold", !t.lease || t.resale == 0.0,
               "leased machines go back to their owner: remove resale or lease", {"resale", "lease"});
}

void describe(StorePurchase& p, Visitor& v) {
  v.quantity("capital", p.capital_usd, Unit::usd,
             {.low = 1e4,
              .high = 1e8,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Purchase price of the store, with its network and installation",
              .log_scale = true,
              .decided = true});
  v.quantity("lifetime", p.lifetime_s, Unit::seconds,
             {.low = 9.5e7,
              .high = 2.2e8,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time after which it is bought again",
              .decided = true});
  v.fraction("support", p.support_per_year,
             {.low = 0,
              .high = 0.25,
              .evidence = Evidence::assumed,
              .meaning = "Support per year, as a share of the capital",
              .decided = true});
  v.quantity("contract", p.contract_usd_per_hour, Unit::usd_per_hour,
             {.low = 0,
              .high = 1000,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Licences or a rented store: $400000/year, whether used or not",
              .decided = true});
  v.number("rack_units", p.rack_units,
           {.low = 1, .high = 1000, .min = 0, .evidence = Evidence::assumed, .meaning = "Rack units", .decided = true});
  v.quantity("power", p.power_w, Unit::watts,
             {.low = 500, .high = 1e6, .min = 0, .evidence = Evidence::datasheet, .meaning = "Power under load"});
  v.number("writes_per_day", p.writes_per_day,
           {.low = 0.3,
            .high = 10,
            .min = 0,
            .evidence = Evidence::datasheet,
            .meaning = "Rated drive writes per day, in capacities of the store; 0: not stated",
            .decided = true});
}

}  // namespace headrace::models
