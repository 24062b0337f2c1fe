// Quality of service: what a flow of traffic counts for where it meets others at a link or a store.
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"

namespace headrace::models {

enum class Priority : std::uint8_t { low, normal, high };
inline constexpr ChoiceName<Priority> kPriorityNames[] = {{Priority::low, "low", "served with what the others leave"},
                                                          {Priority::normal, "normal"},
                                                          {Priority::high, "high", "served before all others"}};

enum class WeightOf : std::uint8_t { transfer, all };
inline constexpr ChoiceName<WeightOf> kWeightOfNames[] = {
    {WeightOf::transfer, "transfer", "each transfer and request has the weight: more of them take more"},
    {WeightOf::all, "all", "all of them together have it, however many there are: what a tenant is guaranteed"}};

/// Weighted max-min fairness within a class, strict priority between classes.
struct TrafficClass {
  std::uint64_t weight = 1;
  Priority priority = Priority::normal;
  WeightOf weight_of = WeightOf::transfer;

  std::uint32_t rank() const { return static_cast<std::uint32_t>(priority); }
  /// Of one transfer or request, of which `hands` are under way where a link or store is full.
  double weight_of_each(double hands) const {
    const auto whole = static_cast<double>(weight);
    return weight_of == WeightOf::all ? whole / hands : whole;
  }
  friend bool operator==(const TrafficClass&, const TrafficClass&) = default;
};

/// The three parameters beside those of what causes the traffic: a job, a background load, a checkpoint.
template <class V>
void describe_traffic_class(TrafficClass& c, V& v) {
  v.count("weight", c.weight,
          {.low = 1,
           .high = 16,
           .min = 1,
           .max = 1000,
           .evidence = Evidence::assumed,
           .meaning = "Quality of service: each of its transfers and requests (or all together, see weight_of) is "
                      "served like so many of weight 1 where links or the store are full",
           .log_scale = true,
           .decided = true});
  v.choice("priority", c.priority, kPriorityNames,
           {.evidence = Evidence::assumed,
            .meaning = "Quality of service: strict priority on links and store; a lower class has what the higher ones "
                       "leave, and never less than a thousandth",
            .decided = true});
  v.choice("weight_of", c.weight_of, kWeightOfNames,
           {.evidence = Evidence::assumed, .meaning = "What the weight belongs to", .decided = true});
}

}  // namespace headrace::models
