// How documents say what a machine room must hold: visitors as in models/outcome/outcome_description.hpp.
#pragma once

#include "models/outcome/machine_room.hpp"

namespace headrace::models {

template <class V>
void describe(RoomFacts& room, V& v) {
  v.number("site_power_w", room.site_power_w, "power of owned machines and stores, with that of the site, in W");
  v.number("rack_units", room.rack_units, "rack units of owned machines and stores");
  v.number("node_drive_writes_per_day", room.node_drive_writes_per_day,
           "capacities of a node's drives written per day; null: none, or no capacity is stated");
  v.number("store_drive_writes_per_day", room.store_drive_writes_per_day,
           "capacities written per day of the store that is written most; null: none, or no capacity is stated");
}

}  // namespace headrace::models
