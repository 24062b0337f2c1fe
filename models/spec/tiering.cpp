#include "models/spec/tiering.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Tiering& t, Visitor& v) {
  v.choice("law", t.law, kTieringLawNames,
           {.evidence = Evidence::assumed, .meaning = "Data on flash: the most read or the newest"});
  v.number("churn", t.churn_per_day,
           {.low = 0,
            .high = 0.2,
            .min = 0,
            .max = 1000,
            .evidence = Evidence::assumed,
            .meaning = "law heat: share of the flash content that is replaced per day"});
  v.quantity("new_data", t.new_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "law age: rate at which new data arrives and old data moves to the store",
              .log_scale = true});
  v.quantity("half_life", t.half_life_s, Unit::seconds,
             {.low = 86400,
              .high = 3e7,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "law age: age at which data is read half as often as when it was new",
              .log_scale = true});
  v.quantity("capacity_price", t.capacity_usd_per_byte_month, Unit::usd_per_byte_month,
             {.low = 0,
              .high = 1e-9,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of keeping one GB on flash for a month"});
  v.quantity("move_price", t.move_usd_per_byte, Unit::usd_per_byte,
             {.low = 0,
              .high = 1e-10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Price of moving one GB between flash and store, either way"});
  v.constraint("ageing has rates", t.law != TieringLaw::age || (t.new_bytes_per_s > 0.0 && t.half_life_s > 0.0),
               "law age needs the rate of new data and the half-life of reads: give new_data and half_life",
               {"new_data", "half_life"});
}

}  // namespace headrace::models
