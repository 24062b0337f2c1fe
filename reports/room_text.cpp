#include "reports/room_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "models/outcome/room_description.hpp"
#include "reports/document_reader.hpp"

namespace headrace::reports {

using models::RoomFacts;

RoomFacts room_in(const nlohmann::ordered_json& document) {
  RoomFacts room;
  DocumentReader(document).record("room", room, {});
  return room;
}

std::string power_text(const RoomFacts& room) {
  return room.site_power_w > 0.0 ? fmt::format("{:.4g} kW", room.site_power_w / 1e3) : std::string();
}

std::string rack_units_text(const RoomFacts& room) {
  return room.rack_units > 0.0 ? fmt::format("{:.4g}", std::ceil(room.rack_units - 1e-9)) : std::string();
}

std::string drive_writes_text(const RoomFacts& room) {
  std::string text;
  if (room.node_drive_writes_per_day) text = fmt::format("{:.2g} times (nodes)", *room.node_drive_writes_per_day);
  if (room.store_drive_writes_per_day)
    text += fmt::format("{}{:.2g} times (store)", text.empty() ? "" : ", ", *room.store_drive_writes_per_day);
  return text;
}

std::vector<std::pair<std::string, std::string>> room_rows(const RoomFacts& room) {
  std::vector<std::pair<std::string, std::string>> rows;
  const auto add = [&](const char* name, std::string text) {
    if (!text.empty()) rows.emplace_back(name, std::move(text));
  };
  add("power of owned machines and stores", power_text(room));
  add("rack units of owned machines and stores", rack_units_text(room));
  add("drive writes a day, in capacities", drive_writes_text(room));
  return rows;
}

std::vector<std::array<std::string, 3>> room_rows(const RoomFacts& room, const RoomFacts* other) {
  const auto own = room_rows(room);
  const auto there = other == nullptr ? decltype(own)() : room_rows(*other);
  std::vector<std::array<std::string, 3>> rows;
  for (const auto& [name, text] : own) rows.push_back({name, text, other == nullptr ? "" : "none"});
  for (const auto& [name, text] : there) {
    const auto beside =
        std::find_if(rows.begin(), rows.end(), [&name = name](const auto& row) { return row[0] == name; });
    if (beside == rows.end())
      rows.push_back({name, "none", text});
    else
      (*beside)[2] = text;
  }
  return rows;
}

std::string room_sentence(const RoomFacts& room) {
  const std::string power = power_text(room);
  const std::string units = rack_units_text(room);
  const std::string writes = drive_writes_text(room);
  std::string text;
  if (!power.empty()) text = power;
  if (!units.empty()) text += fmt::format("{}{} rack units", text.empty() ? "" : " and ", units);
  if (!text.empty()) text = "What is owned takes " + text + "; what is paid by the hour is not counted.";
  if (!writes.empty()) text += fmt::format("{}Drive writes a day, in capacities: {}.", text.empty() ? "" : " ", writes);
  return text;
}

}  // namespace headrace::reports
