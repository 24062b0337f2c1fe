// What a machine room must hold, in words: the same beside every cost.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/outcome/machine_room.hpp"

namespace headrace::reports {

/// What a document, or a part of one, has under "room"; nothing known where it has none.
models::RoomFacts room_in(const nlohmann::ordered_json& document);

/// Of what is owned; empty where all is rented, in rooms of others.
std::string power_text(const models::RoomFacts& room);
std::string rack_units_text(const models::RoomFacts& room);

/// "nodes 0.3, store 0.02": capacities of drives that are written per day; empty where none are.
std::string drive_writes_text(const models::RoomFacts& room);

/// Name and value of each fact that there is.
std::vector<std::pair<std::string, std::string>> room_rows(const models::RoomFacts& room);

/// The same with the value of another room beside it, each "none" where only the other has one. nullptr: nothing is
/// known of another.
std::vector<std::array<std::string, 3>> room_rows(const models::RoomFacts& room, const models::RoomFacts* other);

/// "What is owned takes 12 kW and 24 rack units. Drive writes a day, in capacities: nodes 0.3."; empty where nothing is
/// known.
std::string room_sentence(const models::RoomFacts& room);

}  // namespace headrace::reports
