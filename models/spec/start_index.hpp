// How a job learns at its start which objects its dataset consists of: LIST requests page by page, by every node or by
// one, or a manifest that was made before; and the index of all samples that a shuffle keeps in memory.
#pragma once

#include <cstdint>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class IndexMode : std::uint8_t { every_node, one_leader, manifest };
inline constexpr ChoiceName<IndexMode> kIndexModeNames[] = {
    {IndexMode::every_node, "every_node", "each node lists the whole dataset"},
    {IndexMode::one_leader, "one_leader", "one node lists, and sends the list over the fabric"},
    {IndexMode::manifest, "manifest", "one node reads a prepared list and sends it to the others, without LIST"}};

struct StartIndex {
  IndexMode mode = IndexMode::every_node;
  std::uint64_t keys_per_page = 1000;
  double round_trip_s = 0.1;
  double set_up_s = 0.0;  ///< of one listing, before its first page
  std::uint64_t parallel = 1;
  double manifest_bytes_per_object = 64.0;
  std::uint64_t fan_out = 2;
  double entry_bytes = 100.0;
};

void describe(StartIndex& i, Visitor& v);

}  // namespace headrace::models
