#include "models/spec/background.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(Bursts& b, Visitor& v) {
  v.quantity(
      "on", b.on_s, Unit::seconds,
      {.low = 0.1, .high = 3600, .above = 0, .meaning = "Mean time of activity", .log_scale = true, .required = true});
  v.quantity("off", b.off_s, Unit::seconds,
             {.low = 0.1,
              .high = 86400,
              .above = 0,
              .meaning = "Mean time of rest between two bursts",
              .log_scale = true,
              .required = true});
}

void describe(Background& b, Visitor& v) {
  v.name("name", b.name, Kind::background, {.meaning = "Name of the load", .required = true});
  v.reference("store", b.store, Kind::store, {.meaning = "Store that serves it", .required = true});
  v.reference("pool", b.pool, Kind::pool,
              {.evidence = Evidence::assumed,
               .meaning = "Pool whose leaf uplinks the load uses, spread evenly; absent: only the store is loaded"});
  v.count("clients", b.clients,
          {.low = 1,
           .high = 10000,
           .min = 1,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "Clients that read or write at the same time, each with one outstanding request; their number "
                      "sets their share of what they use together with jobs",
           .log_scale = true});
  v.quantity("bandwidth", b.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e13,
              .above = 0,
              .meaning = "Demand of all clients together while they are active",
              .log_scale = true,
              .required = true});
  v.quantity("request", b.request_bytes, Unit::bytes,
             {.low = 4096,
              .high = 1e9,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Bytes of one request",
              .log_scale = true});
  v.number(
      "opens_per_request", b.opens_per_request,
      {.low = 0, .high = 10, .min = 0, .evidence = Evidence::assumed, .meaning = "Metadata operations per request"});
  v.limit("stream", b.stream_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e6,
           .high = 1e11,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Rate of one client's connection; 0: the store's stream",
           .log_scale = true});
  v.limit("limit", b.limit_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e6,
           .high = 1e13,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Quality of service: largest bandwidth at the store or fabric; 0: no limit",
           .log_scale = true,
           .decided = true});
  v.choice("direction", b.direction, kBackgroundDirectionNames,
           {.evidence = Evidence::assumed, .meaning = "read or write; writes use the store's write bandwidth"});
  v.optional_record("bursts", b.bursts, {.meaning = "Active and idle times; absent: always active"});
  describe_traffic_class(b.traffic, v);
}

}  // namespace headrace::models
