#include "models/spec/stream_source.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(StreamSource& s, Visitor& v) {
  v.quantity("bandwidth", s.bytes_per_s, Unit::bytes_per_second,
             {.low = 1e5,
              .high = 1e11,
              .above = 0,
              .meaning = "Rate at which data arrives in a burst; without bursts, always",
              .log_scale = true,
              .required = true});
  v.quantity("quiet", s.quiet_bytes_per_s, Unit::bytes_per_second,
             {.low = 0,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Rate at which data arrives between bursts"});
  v.optional_record("bursts", s.bursts, {.meaning = "Bursts and the times between them; absent: a steady rate"});
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
              .meaning = "Rate at which the buffer is written to the store; 0: the store's write bandwidth",
              .log_scale = true,
              .decided = true});
  v.choice("when_full", s.when_full, kWhenFullNames,
           {.evidence = Evidence::assumed, .meaning = "What a full buffer does to the source", .decided = true});
  v.number("uses", s.uses,
           {.low = 1,
            .high = 20,
            .min = 0,
            .max = 1e6,
            .evidence = Evidence::assumed,
            .meaning = "Uses of each new sample in training: training is at most this many times as fast as samples "
                       "arrive; 0: training does not wait for new data",
            .log_scale = true,
            .decided = true});
  v.constraint("bursts exceed quiet times", !s.bursts || s.bytes_per_s >= s.quiet_bytes_per_s,
               "more data arrives between bursts than in them: exchange bandwidth and quiet", {"bandwidth", "quiet"});
}

}  // namespace headrace::models
