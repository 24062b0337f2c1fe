// What a scenario says about its future: what grows, when machines are exchanged, what can be bought. Only the verb
// growth reads it; quarter q begins 3 q months after `start`. Lead times count in quarters of 91.31 days.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/describe/declarations.hpp"

namespace headrace::models {

inline constexpr double kDaysOfQuarter = 365.25 / 4.0;

/// A number that is multiplied by 1 + rate every quarter.
struct GrowthTrend {
  std::string name;
  std::string parameter;
  double per_quarter = 0.0;
  double low = 0.0;  ///< with high; both 0: the rate is certain
  double high = 0.0;
  std::string source;
};

struct GrowthValue {
  std::string parameter;
  std::string value_json;
};

/// Values that change once: a generation of GPUs.
struct GrowthSwap {
  std::string name;
  std::uint64_t quarter = 0;
  std::uint64_t earliest = 0;  ///< with latest; both 0: the quarter is certain
  std::uint64_t latest = 0;
  std::vector<GrowthValue> set;
  std::string source;
};

struct GrowthAddition {
  std::string parameter;
  double share = 0.0;  ///< of today's value
};

enum class GrowthLayer : std::uint8_t { store, fabric, nic, workers, cache, capacity, gpus };
inline constexpr ChoiceName<GrowthLayer> kGrowthLayerNames[] = {
    {GrowthLayer::store, "store"},     {GrowthLayer::fabric, "fabric"}, {GrowthLayer::nic, "nic"},
    {GrowthLayer::workers, "workers"}, {GrowthLayer::cache, "cache"},   {GrowthLayer::capacity, "capacity"},
    {GrowthLayer::gpus, "GPUs"}};

/// A step by which a layer can be made larger, as often as needed.
struct GrowthPurchase {
  std::string name;
  GrowthLayer relieves = GrowthLayer::store;
  std::vector<GrowthAddition> adds;
  double price_usd = 0.0;
  std::string as_of;
  double price_per_quarter = 0.0;  ///< by which the price changes
  double price_low = 0.0;          ///< with price_high; both 0: certain
  double price_high = 0.0;
  double upkeep_usd = 0.0;  ///< per quarter: power, support
  double lead_time_s = 0.0;
  double lifetime_s = 4.0 * 31536000.0;  ///< over which its value falls to nothing
  std::string source;
};

struct Growth {
  std::string start;
  std::uint64_t quarters = 12;
  double full = 1.0;
  double discount_rate = 0.08;  ///< per year
  std::vector<GrowthTrend> trends;
  std::vector<GrowthSwap> swaps;
  std::vector<GrowthPurchase> purchases;
};

void describe(GrowthTrend& t, Visitor& v);
void describe(GrowthValue& g, Visitor& v);
void describe(GrowthSwap& s, Visitor& v);
void describe(GrowthAddition& a, Visitor& v);
void describe(GrowthPurchase& p, Visitor& v);
void describe(Growth& g, Visitor& v);

}  // namespace headrace::models
