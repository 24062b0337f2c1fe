// c servers that serve first come, first served, for jobs that never leave early and whose service times are known when
// they arrive. The end of a job is then known at its arrival (Kiefer and Wolfowitz, "On the theory of queues with many
// servers", Trans. AMS 78, 1955: the vector of the times at which the servers come free), so that neither a queue nor
// an event of its own is needed. For jobs that can withdraw, priorities and statistics see sim/fcfs_station.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/assert.hpp"
#include "sim/time.hpp"

namespace headrace::sim {

class FcfsServers {
 public:
  explicit FcfsServers(std::uint32_t servers) : free_from_(servers, 0) {
    HEADRACE_ASSERT(servers > 0, "a station needs a server");
  }

  /// Books the job that arrives at `now` and needs `service_ns` >= 0; returns when it ends. Calls come in order of
  /// arrival, which is the order of service.
  TimeNs book(TimeNs now, TimeNs service_ns) {
    HEADRACE_ASSERT(service_ns >= 0, "a service time is negative");
    const TimeNs begin = std::max(now, free_from_.front());
    const TimeNs end = service_ns >= kNever - begin ? kNever : begin + service_ns;
    std::pop_heap(free_from_.begin(), free_from_.end(), std::greater<>());
    free_from_.back() = end;
    std::push_heap(free_from_.begin(), free_from_.end(), std::greater<>());
    return end;
  }

 private:
  std::vector<TimeNs> free_from_;  // min-heap
};

}  // namespace headrace::sim
