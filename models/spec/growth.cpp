#include "models/spec/growth.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {
namespace {

constexpr double kMostPerQuarter = 10.0;

void describe_rate(std::string_view key, double& rate, std::string_view meaning, Visitor& v) {
  v.quantity(key, rate, Unit::fraction,
             {.low = -0.2, .high = 0.5, .above = -1, .max = kMostPerQuarter, .meaning = meaning});
}

bool is_range(double low, double middle, double high) {
  return (low == 0.0 && high == 0.0) || (low <= middle && middle <= high && low < high);
}

}  // namespace

void describe(GrowthTrend& t, Visitor& v) {
  v.text("name", t.name, {.meaning = "Name in reports; none: the parameter"});
  v.text("parameter", t.parameter, {.meaning = "JSON pointer of the number that grows", .required = true});
  describe_rate("per_quarter", t.per_quarter, "Growth in a quarter over the quarter before; negative: it shrinks", v);
  describe_rate("low", t.low, "Least plausible growth in a quarter, with high; neither: certain", v);
  describe_rate("high", t.high, "Largest plausible growth in a quarter", v);
  v.text("source", t.source, {.meaning = "Where the rates come from"});
  v.constraint("low <= per_quarter <= high", is_range(t.low, t.per_quarter, t.high),
               "the growth in a quarter lies outside its range", {"per_quarter", "low", "high"});
}

void describe(GrowthValue& g, Visitor& v) {
  v.text("parameter", g.parameter, {.meaning = "JSON pointer, as for --set", .required = true});
  v.json("value", g.value_json, {.meaning = "Value from then on", .required = true});
}

void describe(GrowthSwap& s, Visitor& v) {
  v.text("name", s.name, {.meaning = "Name in reports", .required = true});
  v.count("quarter", s.quarter, {.min = 1, .max = 80, .meaning = "Quarter that begins with it", .required = true});
  v.count("earliest", s.earliest, {.max = 80, .meaning = "Earliest plausible quarter, with latest; neither: certain"});
  v.count("latest", s.latest, {.max = 80, .meaning = "Latest plausible quarter"});
  v.list("set", s.set, {.min = 1, .meaning = "What changes", .required = true});
  v.text("source", s.source, {.meaning = "Where the figures come from"});
  v.constraint("earliest <= quarter <= latest",
               (s.earliest == 0 && s.latest == 0) || (s.earliest <= s.quarter && s.quarter <= s.latest),
               "the quarter of the exchange lies outside its range", {"quarter", "earliest", "latest"});
}

void describe(GrowthAddition& a, Visitor& v) {
  v.text("parameter", a.parameter, {.meaning = "JSON pointer of the number that becomes larger", .required = true});
  v.quantity("share", a.share, Unit::fraction,
             {.low = 0.05, .high = 2, .above = 0, .meaning = "By which share of its value today", .required = true});
}

void describe(GrowthPurchase& p, Visitor& v) {
  v.text("name", p.name, {.meaning = "Name in reports", .required = true});
  v.choice("relieves", p.relieves, kGrowthLayerNames, {.meaning = "Layer that it makes larger", .required = true});
  v.list("adds", p.adds, {.min = 1, .meaning = "What one such step adds", .required = true});
  v.quantity("price", p.price_usd, Unit::usd,
             {.low = 0, .high = 1e8, .min = 0, .meaning = "Price of one step today", .required = true});
  v.text("as_of", p.as_of, {.meaning = "Date of the price, YYYY-MM-DD"});
  describe_rate("price_per_quarter", p.price_per_quarter, "Change of the price in a quarter; negative: it falls", v);
  describe_rate("price_low", p.price_low, "Least plausible change, with price_high; neither: certain", v);
  describe_rate("price_high", p.price_high, "Largest plausible change", v);
  v.quantity("upkeep", p.upkeep_usd, Unit::usd,
             {.low = 0, .high = 1e7, .min = 0, .meaning = "Power and support of one step in a quarter"});
  v.quantity("lead_time", p.lead_time_s, Unit::seconds,
             {.low = 0, .high = 4e7, .min = 0, .meaning = "From the order until it serves"});
  v.quantity("lifetime", p.lifetime_s, Unit::seconds,
             {.low = 6e7,
              .high = 3e8,
              .above = 0,
              .meaning = "Over which the value of a step falls to nothing, in equal parts; what is left at the horizon "
                         "counts for it"});
  v.text("source", p.source, {.meaning = "Where the figures come from"});
  v.constraint("price_low <= price_per_quarter <= price_high", is_range(p.price_low, p.price_per_quarter, p.price_high),
               "the change of the price lies outside its range", {"price_per_quarter", "price_low", "price_high"});
}

void describe(Growth& g, Visitor& v) {
  v.text("start", g.start, {.meaning = "First day of quarter 0, which is today: YYYY-MM-DD", .required = true});
  v.count("quarters", g.quarters, {.low = 4, .high = 20, .min = 1, .max = 80, .meaning = "Quarters to look ahead"});
  v.quantity("full", g.full, Unit::fraction,
             {.low = 0.7, .high = 1, .above = 0, .max = 1, .meaning = "Busy share at which a layer counts as full"});
  v.quantity("discount_rate", g.discount_rate, Unit::fraction,
             {.low = 0, .high = 0.2, .above = -1, .max = 1, .meaning = "Discount of later money, per year"});
  v.list("trends", g.trends, {.meaning = "What grows"});
  v.list("swaps", g.swaps, {.meaning = "What is exchanged, and when"});
  v.list("purchases", g.purchases, {.meaning = "What can be bought"});
}

}  // namespace headrace::models
