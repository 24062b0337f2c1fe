#include "scenarios/bakeoff/offer.hpp"

#include "scenarios/document/schema_visitor.hpp"

namespace headrace::scenarios {

using models::Unit;
using models::Visitor;

void describe(Claim& c, Visitor& v) {
  v.text("parameter", c.parameter,
         {.meaning = "Key of the store that is claimed: bandwidth, metadata/latency", .required = true});
  v.choice("evidence", c.evidence, models::kEvidenceNames,
           {.evidence = models::Evidence::assumed,
            .meaning = "How it is known; without low and high: assumed is drawn up to a factor of 1.5 worse than "
                       "claimed, datasheet 1.1, published and measured are not drawn"});
  v.text("conditions", c.conditions, {.meaning = "Under which it holds: request size, clients, fill"});
  v.text("source", c.source, {.meaning = "Where it is claimed"});
  v.text("low", c.low, {.meaning = "Lower end of its plausible range, in the form of the figure"});
  v.text("high", c.high, {.meaning = "Upper end"});
  v.constraint("low with high", c.low.empty() == c.high.empty(), "a range has two ends", {"low", "high"});
}

void describe(ExpansionStep& e, Visitor& v) {
  v.quantity("capacity", e.capacity_bytes, Unit::bytes, {.min = 0, .meaning = "Usable capacity that a step adds"});
  v.quantity("bandwidth", e.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.min = 0, .meaning = "Read bandwidth that it adds"});
  v.quantity("capital", e.capital_usd, Unit::usd, {.min = 0, .meaning = "Its price"});
  v.number("rack_units", e.rack_units, {.min = 0, .meaning = "Rack units that it takes"});
  v.quantity("power", e.power_w, Unit::watts, {.min = 0, .meaning = "Power that it takes"});
}

namespace {

void describe_quote(Offer& o, Visitor& v) {
  v.text("name", o.name, {.meaning = "Name in the ranking", .required = true});
  v.text("vendor", o.vendor, {.meaning = "Who offers it"});
  v.text("as_of", o.as_of, {.meaning = "Day of the quote: 2026-10-01", .required = true});
  v.text("valid_until", o.valid_until, {.meaning = "Day until which the prices hold"});
  v.quantity("lead_time", o.lead_time_s, Unit::seconds,
             {.low = 1.2e6, .high = 1.6e7, .min = 0, .meaning = "From order to operation: 12 weeks", .decided = true});
}

}  // namespace

void describe(Offer& o, Visitor& v) {
  v.text("kind", o.kind, {.meaning = "offer"});
  v.text("format_version", o.format_version, {.meaning = "Version of this format"});
  describe_quote(o, v);
  v.count("units", o.units,
          {.low = 1, .high = 100, .min = 1, .meaning = "Storage nodes or controllers that deliver the bandwidth"});
  v.quantity("unit_bandwidth", o.unit_bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e9, .high = 1e12, .min = 0, .meaning = "Read bandwidth of one unit; 0: not claimed"});
  v.json("store", o.store_json,
         {.meaning = "The claims, prices (price, purchase), power and space: keys as of stores in a scenario, without "
                     "name",
          .required = true});
  v.json("degraded", o.degraded_json,
         {.meaning = "Keys of the store that differ while a drive, node or controller has failed", .required = true});
  v.fraction("degraded_time", o.degraded_time,
             {.low = 0.001,
              .high = 0.05,
              .evidence = models::Evidence::assumed,
              .meaning = "Share of the time in which a part of it has failed"});
  v.list("claims", o.claims, {.meaning = "How well each claim is known"});
  v.optional_record("expansion", o.expansion, {.meaning = "The least that can be added"});
}

nlohmann::ordered_json offer_schema() {
  Offer fresh;
  nlohmann::ordered_json schema = record_schema([&fresh](Visitor& visitor) { describe(fresh, visitor); },
                                                "https://headrace.dev/offer.schema.json", "Offer of a store");
  schema["properties"].erase("extends");
  schema["properties"].erase("replaces");
  return schema;
}

}  // namespace headrace::scenarios
