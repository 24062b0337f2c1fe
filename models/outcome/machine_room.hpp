// What a machine room must hold: power with that of the site, rack units, and what drives take of writes per day
// against what they are rated for. Machines that are rented stand in a room of somebody else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/outcome/room.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct MachineRoom {
  double gpu_node_w = 0.0;  ///< owned GPUs and nodes under load, without the site's own
  double store_w = 0.0;
  double site_w = 0.0;  ///< both with the site's own: times PUE
  double rack_units = 0.0;
  double node_rack_units = 0.0;  ///< part of it
};

MachineRoom machine_room(const Scenario& scenario);

/// What stands beside every cost; 0 or nothing: nothing is owned, nothing is written, or no capacity is stated.
struct RoomFacts {
  double site_power_w = 0.0;
  double rack_units = 0.0;
  /// Capacities written per day, by cache fills and checkpoints.
  std::optional<double> node_drive_writes_per_day;   ///< of the nodes of the first job
  std::optional<double> store_drive_writes_per_day;  ///< of the store that is written most

  bool empty() const;
};

/// Reads the outcome's fill rate of caches and bytes and interval of checkpoints.
RoomFacts room_facts(const Scenario& scenario, const Outcome& outcome);

/// A limit of prices/total_cost and what the machines take of it.
struct SiteLimit {
  Room room = Room::site_power;
  double needed = 0.0;
  std::optional<double> limit;
  std::string_view fix;
};

/// Empty where prices/total_cost is absent.
std::vector<SiteLimit> site_limits(const Scenario& scenario);

/// Which limit of prices/total_cost the room exceeds: "the power of the room is above its limit: 12 kW of 10 kW";
/// empty: none.
std::string room_excess(const Scenario& scenario);

/// PUE and price of a kilowatt hour at the site.
double site_pue(const Scenario& scenario);
double site_usd_per_kwh(const Scenario& scenario);

/// Where machines or stores are owned or a total cost is asked for: metrics of the room beside those that the outcome
/// has, and a warning for each limit that is exceeded.
void add_machine_room(const Scenario& scenario, Outcome& outcome);

}  // namespace headrace::models
