// Load on a store or on the links to it that no job of the scenario causes: weights that pods load, image pulls, index
// builds, scrubs, backups, ETL.
//
// Clients, each of which sends trains of requests and waits for the end of one before the next: paced to the bandwidth
// that is stated, and slower where the store or a link gives less. They hold their fair share of what they use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/declarations.hpp"
#include "models/spec/traffic_class.hpp"

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
  std::optional<double> stream_bytes_per_s;
  std::optional<double> limit_bytes_per_s;
  BackgroundDirection direction = BackgroundDirection::read;
  std::optional<Bursts> bursts;
  TrafficClass traffic;

  /// Mean bandwidth that it asks for.
  double mean_bytes_per_s() const { return bandwidth_bytes_per_s * (bursts ? bursts->active_share() : 1.0); }
};

void describe(Bursts& b, Visitor& v);
void describe(Background& b, Visitor& v);

}  // namespace headrace::models
