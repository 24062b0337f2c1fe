// Arithmetic of water levels. A link's water level L solves  sum over its flows of min(limit, L) = capacity; it is
// found as (capacity - sum of the limits below L) / (number of the other flows). The sums are integers: they never
// drift over millions of changes and every comparison is exact, so that the search for the level always ends at the
// same place.
#pragma once

#include <bit>
#include <cstdint>

namespace headrace::sim {

/// A rate in units of 1 / FluidTree scale bytes per second; limits and capacities of single links stay below 2^61.
using FixedRate = std::int64_t;
__extension__ using WideRate = __int128;

/// Above every sum of limits (2^61 x 2^31 flows would be 2^92; real sums stay far below), and still safe to multiply by
/// 2^31.
inline constexpr WideRate kUnlimitedRate = static_cast<WideRate>(1) << 94;

/// What the flows of a link ask for, seen from a pointer into the sorted limits: flows whose limit lies before the
/// pointer are frozen (they run at their limit), the others are tied (they run at the level).
struct Demand {
  WideRate frozen = 0;
  std::int64_t tied = 0;

  Demand& operator+=(const Demand& other) {
    frozen += other.frozen;
    tied += other.tied;
    return *this;
  }
  /// `flows` flows of limit `limit` pass from tied to frozen (or back, with a negative count).
  void freeze(std::int64_t flows, FixedRate limit) {
    frozen += static_cast<WideRate>(flows) * limit;
    tied -= flows;
  }
};

/// Whether the level of a link with `capacity` is at least `limit`.
inline bool level_reaches(WideRate capacity, const Demand& demand, FixedRate limit) {
  const WideRate rest = capacity - demand.frozen;
  return demand.tied == 0 ? rest >= 0 : static_cast<WideRate>(limit) * demand.tied <= rest;
}

/// The nearest double of a rate below 2^94, as a conversion gives it, but faster: 62 bits are more than a double has,
/// and a last one for all that is cut off keeps what is not halfway between two doubles from looking as if it were.
inline double nearest(WideRate rate) {
  if (rate <= INT64_MAX) return static_cast<double>(static_cast<std::int64_t>(rate));
  const int cut = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rate >> 62)));
  const std::uint64_t below = static_cast<std::uint64_t>(rate) & ((std::uint64_t{1} << cut) - 1);
  const std::int64_t kept = static_cast<std::int64_t>(rate >> cut) | (below != 0 ? 1 : 0);
  return static_cast<double>(kept) * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + cut) << 52);
}

/// The level of a link that has tied flows, in fixed units.
inline double level_of(WideRate capacity, const Demand& demand) {
  return nearest(capacity - demand.frozen) / static_cast<double>(demand.tied);
}

/// Whether the level of one link is at least the (finite) level of another; exact.
inline bool level_reaches(WideRate capacity, const Demand& demand, WideRate other_capacity, const Demand& other) {
  const WideRate rest = capacity - demand.frozen;
  if (demand.tied == 0) return rest >= 0;
  return rest * other.tied >= (other_capacity - other.frozen) * demand.tied;
}

}  // namespace headrace::sim
