// What a cache in front of a store holds when it is a tier of its own: data move between flash and the store by their
// age or by how often they are read, and the moves take bandwidth from readers.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class TieringLaw : std::uint8_t { heat, age };
inline constexpr ChoiceName<TieringLaw> kTieringLawNames[] = {
    {TieringLaw::heat, "heat", "flash has the data that is read most; `churn` sets how fast that changes"},
    {TieringLaw::age, "age", "flash has the newest data, which moves to the store when newer data needs the space"}};

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

void describe(Tiering& t, Visitor& v);

}  // namespace headrace::models
