// What a cache in front of a store holds when it is a tier of its own: data move between flash and the store by their
// age or by how often they are read, and the moves take bandwidth from readers.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class TieringLaw : std::uint8_t { heat, age };
inline constexpr ChoiceName<TieringLaw> kTieringLawNames[] = {
    {TieringLaw::heat, "heat", "what is read most lies on flash; which that is changes with `churn`"},
    {TieringLaw::age, "age", "what came last lies on flash, and goes to the store when newer data need its room"}};

struct Tiering {
  TieringLaw law = TieringLaw::heat;
  double churn_per_day = 0.01;
  double new_bytes_per_s = 0.0;
  double half_life_s = 0.0;
  double capacity_usd_per_byte_month = 0.0;
  double move_usd_per_byte = 0.0;

  /// Bytes per second that leave flash for the store.
  double demoted_bytes_per_s(double flash_bytes) const {
    return law == TieringLaw::age ? new_bytes_per_s : churn_per_day * flash_bytes / 86400.0;
  }
  /// Bytes per second that come from the store to flash.
  double promoted_bytes_per_s(double flash_bytes) const {
    return law == TieringLaw::age ? 0.0 : churn_per_day * flash_bytes / 86400.0;
  }
};

template <class V>
void describe(Tiering& t, V& v) {
  v.choice("law", t.law, kTieringLawNames,
           {.evidence = Evidence::assumed, .meaning = "What lies on flash: what is read most, or what came last"});
  v.number("churn", t.churn_per_day,
           {.low = 0,
            .high = 0.2,
            .min = 0,
            .max = 1000,
            .evidence = Evidence::assumed,
            .meaning = "law heat: share of the flash whose content another part of the data replaces per day"});
  v.quantity("new_data", t.new_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "law age: rate at which new data arrive and old ones go to the store",
              .log_scale = true});
  v.quantity("half_life", t.half_life_s, Unit::seconds,
             {.low = 86400,
              .high = 3e7,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "law age: age at which data are read half as often as when they were new",
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
               "the law of age needs the rate of new data and the half-life of reads: give new_data and half_life",
               {"new_data", "half_life"});
}

}  // namespace headrace::models
