// Quality of service: what a flow of traffic counts for where it meets others at a link or a store.
#pragma once

#include <cstdint>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class Priority : std::uint8_t { low, normal, high };
inline constexpr ChoiceName<Priority> kPriorityNames[] = {
    {Priority::low, "low", "served with the capacity that the others leave"},
    {Priority::normal, "normal"},
    {Priority::high, "high", "served before all others"}};

enum class WeightOf : std::uint8_t { transfer, all };
inline constexpr ChoiceName<WeightOf> kWeightOfNames[] = {
    {WeightOf::transfer, "transfer", "each transfer and request has the weight: more of them get more"},
    {WeightOf::all, "all", "all transfers together have the weight, whatever their number: the guarantee of a tenant"}};

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
void describe_traffic_class(TrafficClass& c, Visitor& v);

}  // namespace headrace::models
