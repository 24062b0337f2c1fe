// Data that arrive while the job trains: bursts come into a staging buffer, from which they are written into the store.
#pragma once

#include <cstdint>
#include <optional>

#include "models/background.hpp"
#include "models/describe/describe.hpp"

namespace headrace::models {

enum class WhenFull : std::uint8_t { backpressure, drop };
inline constexpr ChoiceName<WhenFull> kWhenFullNames[] = {
    {WhenFull::backpressure, "backpressure", "the source sends no faster than the buffer empties, and loses nothing"},
    {WhenFull::drop, "drop", "what does not fit is lost"}};

struct StreamSource {
  double bytes_per_s = 0.0;        ///< in a burst; without bursts always
  double quiet_bytes_per_s = 0.0;  ///< between bursts
  std::optional<Bursts> bursts;
  double buffer_bytes = 0.0;
  double drain_bytes_per_s = 0.0;  ///< 0: the store's write bandwidth
  WhenFull when_full = WhenFull::backpressure;
  double uses = 0.0;
};

template <class V>
void describe(StreamSource& s, V& v) {
  v.quantity("bandwidth", s.bytes_per_s, Unit::bytes_per_second,
             {.low = 1e5,
              .high = 1e11,
              .above = 0,
              .meaning = "Rate at which data arrive in a burst; without bursts always",
              .log_scale = true,
              .required = true});
  v.quantity("quiet", s.quiet_bytes_per_s, Unit::bytes_per_second,
             {.low = 0,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate at which data arrive between bursts"});
  v.optional_record("bursts", s.bursts, {.meaning = "Bursts and the times between them; without them a steady rate"});
  v.quantity("buffer", s.buffer_bytes, Unit::bytes,
             {.low = 1e8,
              .high = 1e14,
              .above = 0,
              .meaning = "Staging buffer in front of the store",
              .log_scale = true,
              .required = true,
              .decided = true});
  v.quantity("drain", s.drain_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e12,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate at which the buffer is written into the store; 0: the store's write bandwidth",
              .log_scale = true,
              .decided = true});
  v.choice("when_full", s.when_full, kWhenFullNames,
           {.evidence = Evidence::assumed, .meaning = "What a full buffer does to the source", .decided = true});
  v.number(
      "uses", s.uses,
      {.low = 1,
       .high = 20,
       .min = 0,
       .max = 1e6,
       .evidence = Evidence::assumed,
       .meaning = "How often a new sample is trained on before it is old: training cannot go faster than that many "
                  "times the rate at which samples arrive; 0: training does not wait for new data",
       .log_scale = true,
       .decided = true});
  v.constraint("bursts exceed quiet times", !s.bursts || s.bytes_per_s >= s.quiet_bytes_per_s,
               "between bursts more data arrive than in them: exchange bandwidth and quiet", {"bandwidth", "quiet"});
}

}  // namespace headrace::models
