// Load on a store or on the links to it that no job of the scenario causes: weights that pods load, image pulls, index
// builds, scrubs, backups, ETL.
//
// Clients, each of which sends trains of requests and waits for the end of one before the next: paced to the bandwidth
// that is stated, and slower where the store or a link gives less. They hold their fair share of what they use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/describe.hpp"
#include "models/traffic_class.hpp"

namespace headrace::models {

enum class BackgroundDirection : std::uint8_t { read, write };
inline constexpr ChoiceName<BackgroundDirection> kBackgroundDirectionNames[] = {{BackgroundDirection::read, "read"},
                                                                                {BackgroundDirection::write, "write"}};

/// Times of activity and of rest, both exponential: an interrupted Poisson process.
struct Bursts {
  double on_s = 0.0;
  double off_s = 0.0;

  double active_share() const { return on_s / (on_s + off_s); }
};

struct Background {
  std::string name;
  std::string store;
  std::string pool;  ///< whose uplinks it passes; none: only the store and its front end
  std::uint64_t clients = 1;
  double bandwidth_bytes_per_s = 0.0;
  double request_bytes = 1048576.0;
  double opens_per_request = 0.0;
  double stream_bytes_per_s = 0.0;
  double limit_bytes_per_s = 0.0;
  BackgroundDirection direction = BackgroundDirection::read;
  std::optional<Bursts> bursts;
  TrafficClass traffic;

  /// Mean bandwidth that it asks for.
  double mean_bytes_per_s() const { return bandwidth_bytes_per_s * (bursts ? bursts->active_share() : 1.0); }
};

template <class V>
void describe(Bursts& b, V& v) {
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

template <class V>
void describe(Background& b, V& v) {
  v.name("name", b.name, Kind::background, {.meaning = "Name of the load", .required = true});
  v.reference("store", b.store, Kind::store, {.meaning = "Store that serves it", .required = true});
  v.reference("pool", b.pool, Kind::pool,
              {.evidence = Evidence::assumed,
               .meaning = "Pool whose leaf uplinks it passes, spread evenly; without it only the store is loaded"});
  v.count("clients", b.clients,
          {.low = 1,
           .high = 10000,
           .min = 1,
           .max = 100000,
           .evidence = Evidence::assumed,
           .meaning = "Clients that read or write at the same time, each with one request under way: their share of "
                      "what they use together with jobs",
           .log_scale = true});
  v.quantity("bandwidth", b.bandwidth_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e13,
              .above = 0,
              .meaning = "Bandwidth that all clients together ask for while they are active",
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
  v.quantity("stream", b.stream_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e11,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "What one client's connection reaches; 0: what the store's stream reaches",
              .log_scale = true});
  v.quantity("limit", b.limit_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e6,
              .high = 1e13,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Quality of service: bandwidth that the store or fabric grants it at most; 0: no limit",
              .log_scale = true,
              .decided = true});
  v.choice("direction", b.direction, kBackgroundDirectionNames,
           {.evidence = Evidence::assumed, .meaning = "read or write; writes take the store's write bandwidth"});
  v.optional_record("bursts", b.bursts, {.meaning = "Active and resting times; without them always active"});
  describe_traffic_class(b.traffic, v);
}

}  // namespace headrace::models
