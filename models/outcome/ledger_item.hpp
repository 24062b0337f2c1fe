// What an epoch is charged for, one row each: name and unit in documents, and whether the amount grows with the time
// that the epoch takes. A saved outcome is read back by these rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

enum class LedgerItem : std::uint8_t {
  gpu_hours,
  node_hours,
  owned_capital,
  owned_support,
  owned_energy,
  storage,
  requests,
  egress,
  remote_workers,
  flash_tier,
  tier_moves,
  worker_cores,
  ingest_memory,
  cache_drives,
  node_network,
  store_bandwidth,
  copy_storage,
  copy_requests,
  copy_egress,
  checkpoint_storage,
  store_capacity
};

struct LedgerItemDescription {
  std::string_view name;
  std::string_view unit;
  bool by_time;
};

/// In the order of LedgerItem.
inline constexpr std::array kLedgerItems = {
    LedgerItemDescription{"gpu hours", "h", true},
    LedgerItemDescription{"node hours", "h", true},
    LedgerItemDescription{"capital of owned GPUs and nodes", "h", true},
    LedgerItemDescription{"support of owned machines", "h", true},
    LedgerItemDescription{"energy of owned machines", "kWh", true},
    LedgerItemDescription{"storage share", "B month", true},
    LedgerItemDescription{"requests", "requests", false},
    LedgerItemDescription{"egress", "B", false},
    LedgerItemDescription{"remote workers", "h", true},
    LedgerItemDescription{"flash tier", "B month", true},
    LedgerItemDescription{"moves between tiers", "B", true},
    LedgerItemDescription{"cores of workers", "h", true},
    LedgerItemDescription{"host memory of ingest", "B month", true},
    LedgerItemDescription{"drives of the cache", "B month", true},
    LedgerItemDescription{"network of nodes", "100 Gb/s h", true},
    LedgerItemDescription{"store bandwidth", "GB/s h", true},
    LedgerItemDescription{"storage share of the copy", "B month", true},
    LedgerItemDescription{"requests to the copy", "requests", false},
    LedgerItemDescription{"egress of the copy", "B", false},
    LedgerItemDescription{"checkpoint storage", "B month", true},
    LedgerItemDescription{"store capacity", "h", true},
};
/// Of a campaign alone: no epoch has hours that no job uses.
inline constexpr std::string_view kFreeGpuHours = "GPU hours that no job uses";
inline constexpr std::string_view kSpareNodes = "spare nodes, with their GPUs";

static_assert(kLedgerItems.size() == static_cast<std::size_t>(LedgerItem::store_capacity) + 1);

inline std::string_view item_name(LedgerItem item) { return kLedgerItems[static_cast<std::size_t>(item)].name; }

inline LedgerLine ledger_line(LedgerItem item, double quantity, double usd) {
  const LedgerItemDescription& row = kLedgerItems[static_cast<std::size_t>(item)];
  return {std::string(row.name), quantity, std::string(row.unit), usd, row.by_time};
}

/// Nothing where it is an item of another version.
inline std::optional<LedgerItem> item_of(const LedgerLine& line) {
  const auto row = std::find_if(kLedgerItems.begin(), kLedgerItems.end(),
                                [&](const LedgerItemDescription& item) { return item.name == line.item; });
  if (row == kLedgerItems.end()) return std::nullopt;
  return static_cast<LedgerItem>(row - kLedgerItems.begin());
}

/// Items of other versions that are counted in hours or months do.
inline bool grows_with_time(const LedgerLine& line) {
  const std::optional<LedgerItem> item = item_of(line);
  if (!item) return line.unit == "h" || line.unit == "B month";
  return kLedgerItems[static_cast<std::size_t>(*item)].by_time;
}

inline bool is_egress(const LedgerLine& line) {
  const std::optional<LedgerItem> item = item_of(line);
  return item == LedgerItem::egress || item == LedgerItem::copy_egress;
}

}  // namespace headrace::models
