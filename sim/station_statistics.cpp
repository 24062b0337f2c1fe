#include "sim/station_statistics.hpp"

#include "sim/assert.hpp"

namespace headrace::sim {

void Occupancy::check(TimeNs now, const char* text) const {
  const Wide residual = Wide{now} * static_cast<Wide>(present_) - present_arrivals_;
  HEADRACE_ASSERT(area(now) == departed_time_ + residual, text);
}

}  // namespace headrace::sim
