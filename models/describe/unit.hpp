// The physical units in which records hold their numbers. Files spell a quantity with any prefix ("25 GB/s"); a record
// holds one double in the base unit named here, and its member's name ends in that unit.
#pragma once

#include <cstdint>

namespace headrace::models {

enum class Unit : std::uint8_t {
  one,                 ///< dimensionless number
  fraction,            ///< share of a whole, 0 to 1; files may write "70 %"
  seconds,             ///< s
  bytes,               ///< B
  bytes_per_second,    ///< B/s; files may write "400 Gb/s"
  per_second,          ///< 1/s: requests, operations or samples per second
  seconds_per_byte,    ///< s/B: processor cost of touching data
  flop,                ///< floating-point operations
  flop_per_second,     ///< FLOP/s
  watts,               ///< W
  usd,                 ///< US dollars
  usd_per_hour,        ///< $/h; a month is 730 h, a year 8,760 h
  usd_per_byte,        ///< $/B moved or bought
  usd_per_byte_month,  ///< $ per byte kept for a month
  usd_per_request,     ///< $ per request; files may write "$0.4/1M requests"
  usd_per_kwh,         ///< $ per kilowatt hour
};
inline constexpr Unit kLastUnit = Unit::usd_per_kwh;

}  // namespace headrace::models
