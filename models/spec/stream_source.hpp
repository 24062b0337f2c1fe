// Data that arrive while the job trains: bursts come into a staging buffer, from which they are written into the store.
#pragma once

#include <cstdint>
#include <optional>

#include "models/describe/declarations.hpp"
#include "models/spec/background.hpp"

namespace headrace::models {

enum class WhenFull : std::uint8_t { backpressure, drop };
inline constexpr ChoiceName<WhenFull> kWhenFullNames[] = {
    {WhenFull::backpressure, "backpressure", "the source waits for space in the buffer and loses nothing"},
    {WhenFull::drop, "drop", "excess data is lost"}};

struct StreamSource {
  double bytes_per_s = 0.0;        ///< in a burst; without bursts always
  double quiet_bytes_per_s = 0.0;  ///< between bursts
  std::optional<Bursts> bursts;
  double buffer_bytes = 0.0;
  double drain_bytes_per_s = 0.0;  ///< 0: the store's write bandwidth
  WhenFull when_full = WhenFull::backpressure;
  double uses = 0.0;
};

void describe(StreamSource& s, Visitor& v);

}  // namespace headrace::models
