// Every room of the sizing sheet, and the sheet of a scenario.
#pragma once

#include <span>
#include <string_view>

#include "models/outcome/sizing_sheet.hpp"
#include "models/sizing/room.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

extern const SizingRoom kDemandRoom;
extern const SizingRoom kWorkersRoom;
extern const SizingRoom kPrefetchRoom;
extern const SizingRoom kBuffersRoom;
extern const SizingRoom kCacheRoom;
extern const SizingRoom kShardsRoom;
extern const SizingRoom kListingRoom;
extern const SizingRoom kStagingRoom;
extern const SizingRoom kPagesRoom;
extern const SizingRoom kCodecRoom;
extern const SizingRoom kPreprocessingRoom;
extern const SizingRoom kConversionRoom;
extern const SizingRoom kReductionRoom;
extern const SizingRoom kUploadRoom;
extern const SizingRoom kWanRoom;
extern const SizingRoom kGravityRoom;
extern const SizingRoom kRedundancyRoom;
extern const SizingRoom kEgressRoom;
extern const SizingRoom kCheckpointsRoom;
extern const SizingRoom kMoneyRoom;

/// In the order in which the sheet shows them.
std::span<const SizingRoom* const> sizing_rooms();

const SizingRoom* find_sizing_room(std::string_view key);

/// The figures of one room, or of all where none is named, for every job. Works out the flow bound of each job once and
/// a few of its variants; no draws, no simulation. @throws std::invalid_argument for a room that does not exist
SizingSheet sizing_sheet(const Scenario& scenario, std::string_view room = {});

}  // namespace headrace::models
