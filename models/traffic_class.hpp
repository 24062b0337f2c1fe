// Quality of service: what a flow of traffic counts for where it meets others at a link or a store.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class Priority : std::uint8_t { low, normal, high };
inline constexpr ChoiceName<Priority> kPriorityNames[] = {{Priority::low, "low", "served with what the others leave"},
                                                          {Priority::normal, "normal"},
                                                          {Priority::high, "high", "served before all others"}};

/// Weighted max-min fairness within a class, strict priority between classes.
struct TrafficClass {
  std::uint64_t weight = 1;  ///< of one transfer or request
  Priority priority = Priority::normal;

  std::uint32_t rank() const { return static_cast<std::uint32_t>(priority); }
  friend bool operator==(const TrafficClass&, const TrafficClass&) = default;
};

/// The two parameters beside those of what causes the traffic: a job, a background load, a checkpoint.
template <class V>
void describe_traffic_class(TrafficClass& c, V& v) {
  v.count("weight", c.weight,
          {.low = 1,
           .high = 16,
           .min = 1,
           .max = 1000,
           .evidence = Evidence::assumed,
           .meaning = "Quality of service: each of its transfers and requests is served like so many of weight 1 where "
                      "links or the store are full",
           .log_scale = true,
           .decided = true});
  v.choice("priority", c.priority, kPriorityNames,
           {.evidence = Evidence::assumed,
            .meaning = "Quality of service: strict priority on links and store; a lower class has what the higher ones "
                       "leave, and never less than a thousandth",
            .decided = true});
}

}  // namespace headrace::models
