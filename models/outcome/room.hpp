// Rooms and rates of machines and stores that a configuration must fit into.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace headrace::models {

enum class Room : std::uint8_t {
  host_memory,
  gpu_memory,
  offloaded_states,
  checkpoint_memory,  ///< of the nodes
  checkpoint_store,
  local_drives,
  cores,
  request_limit,
  site_power,  ///< of the machine room
  site_space,
};

struct RoomTraits {
  std::string_view name;
  std::string_view unit;
};

/// In the order of Room.
inline constexpr std::array kRoomTraits = {
    RoomTraits{"host memory", "B"},
    RoomTraits{"GPU memory", "B"},
    RoomTraits{"offloaded states", "B"},
    RoomTraits{"checkpoints in host memory", "B"},
    RoomTraits{"capacity of the checkpoint store", "B"},
    RoomTraits{"local drives", "B"},
    RoomTraits{"cores", "cores"},
    RoomTraits{"request limit", "requests/s"},
    RoomTraits{"power of the room", "kW"},
    RoomTraits{"space of the room", "rack units"},
};
static_assert(kRoomTraits.size() == static_cast<std::size_t>(Room::site_space) + 1);

constexpr const RoomTraits& traits(Room room) { return kRoomTraits[static_cast<std::size_t>(room)]; }

}  // namespace headrace::models
