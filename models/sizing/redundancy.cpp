// Copies against erasure codes: what a TB costs, and how long a lost drive takes to come back.
#include <array>

#include "models/outcome/tier_metrics.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr double kTerabyte = 1e12;
constexpr double kGigabyte = 1e9;
constexpr std::string_view kPriced = "stores/redundancy and stores/price/capacity";
constexpr std::string_view kRebuilt = "stores/redundancy, with drives/count or redundancy/degraded";

constexpr std::array kRedundancyFigures = {
    SizingDescription{"replicated_usd_per_tb_month", "USD", "r p", "One TB of data in whole copies for a month.",
                      "definition", kPriced},
    SizingDescription{"erasure_coded_usd_per_tb_month", "USD", "(k + m)/k p",
                      "One TB of data in an erasure code for a month.", "definition", kPriced, true},
    SizingDescription{"replicated_rebuild_s", "s", "lost / (C (1 - d) share)",
                      "Time until lost drives are rebuilt from copies: one read per byte.", "models/store", kRebuilt},
    SizingDescription{"erasure_coded_rebuild_s", "s", "k lost / (C (1 - d) share)",
                      "The same from an erasure code: k reads per byte.", "models/store", kRebuilt},
    SizingDescription{"storage_usd_per_month", "USD", "V o p", "The dataset in its store for a month.", "definition",
                      "stores/price/capacity", true},
    SizingDescription{"storage_usd_per_gbps_month", "USD", "Q o p / C",
                      "The whole store for a month, per GB/s that it reads.", "definition",
                      "stores/price/capacity and stores/capacity"},
};

void add_prices(const SizingCase& c, SizingSheetWriter& sheet) {
  const double price = c.store.price.capacity_usd_per_byte_month;
  if (!(price > 0.0)) return;
  const double kept = c.store.redundancy ? c.store.redundancy->overhead() : 1.0;
  const SizingInput p{"p", c.store_key + "/price/capacity", price, "USD/B month"};
  const SizingInput o{"o", c.store_key + "/redundancy", kept, ""};
  sheet.add("storage_usd_per_month", c.stored_bytes() * kept * price,
            {{"V", c.dataset_key, c.stored_bytes(), "B"}, o, p});
  if (c.store.capacity_bytes > 0.0)
    sheet.add("storage_usd_per_gbps_month",
              c.store.capacity_bytes * kept * price / (c.store.bandwidth_bytes_per_s / kGigabyte),
              {{"Q", c.store_key + "/capacity", c.store.capacity_bytes, "B"},
               o,
               p,
               {"C", c.store_key + "/bandwidth", c.store.bandwidth_bytes_per_s, "B/s"}});
}

void fill_redundancy(const SizingCase& c, SizingSheetWriter& sheet) {
  add_prices(c, sheet);
  if (!c.store.redundancy) return;
  const std::string key = c.store_key + "/redundancy";
  Redundancy copies = *c.store.redundancy;
  copies.scheme = RedundancyScheme::replication;
  Redundancy coded = copies;
  coded.scheme = RedundancyScheme::erasure;
  const double price = c.store.price.capacity_usd_per_byte_month;
  const SizingInput p{"p", c.store_key + "/price/capacity", price, "USD/B month"};
  const SizingInput k{"k", key + "/data", static_cast<double>(coded.data), ""};
  if (price > 0.0) {
    sheet.add("replicated_usd_per_tb_month", copies.overhead() * kTerabyte * price,
              {{"r", key + "/copies", static_cast<double>(copies.copies), ""}, p});
    sheet.add("erasure_coded_usd_per_tb_month", coded.overhead() * kTerabyte * price,
              {k, {"m", key + "/parity", static_cast<double>(coded.parity), ""}, p});
  }
  const bool counted = c.store.drives && c.store.drives->count > 1;
  const bool degraded = copies.degraded > 0.0;
  if (!degraded && !counted) return;
  const double lost = degraded ? copies.degraded : 1.0 / static_cast<double>(c.store.drives->count);
  copies.degraded = coded.degraded = lost;
  const double rate = c.store.bandwidth_bytes_per_s;
  const SizingInput d{"d", degraded ? key + "/degraded" : c.store_key + "/drives/count", lost, "1"};
  const SizingInput share{"share", key + "/rebuild_share", copies.rebuild_share, "1"};
  const SizingInput all{"C", c.store_key + "/bandwidth", rate, "B/s"};
  const auto lost_bytes = [&](const Redundancy& r) {
    return SizingInput{"lost", c.dataset_key, c.stored_bytes() * r.overhead() * lost, "B"};
  };
  sheet.add("replicated_rebuild_s", rebuild_time_s(copies, c.stored_bytes(), rate),
            {lost_bytes(copies), all, d, share});
  sheet.add("erasure_coded_rebuild_s", rebuild_time_s(coded, c.stored_bytes(), rate),
            {k, lost_bytes(coded), all, d, share});
}

}  // namespace

const SizingRoom kRedundancyRoom{"redundancy", "Keeping the data", kRedundancyFigures, fill_redundancy};

}  // namespace headrace::models
