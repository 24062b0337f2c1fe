#include "cli/unpriced_differences.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/outcome/ownership.hpp"
#include "models/outcome/unpriced_parts.hpp"
#include "models/path/ingest_path.hpp"
#include "reports/humane.hpp"

namespace headrace::cli {
namespace {

void add_gpus(const models::Scenario& a, const models::Scenario& b, std::vector<std::string>& notes) {
  const std::string& model_a = pool_of(a, a.jobs.front()).gpu.model;
  const std::string& model_b = pool_of(b, b.jobs.front()).gpu.model;
  const double price_usd = gpu_hour_usd(a);
  if (model_a == model_b || a.prices.owned || !(price_usd > 0.0) || price_usd != gpu_hour_usd(b)) return;
  notes.push_back(fmt::format("an hour of {} counts as one of {}, ${:.2f}: set /prices/gpu_hour of each", model_b,
                              model_a, price_usd));
}

/// Whether a store that is bought or paid by contract costs the same before and after, whatever its bandwidth.
bool is_paid_alike(const models::Store& before, const models::Store& after, const models::Scenario& scenario) {
  if (!before.purchase || !after.purchase) return false;
  const bool by_bandwidth = scenario.prices.resources && scenario.prices.resources->store_hour_usd > 0.0;
  return !by_bandwidth && before.purchase->capital_usd == after.purchase->capital_usd &&
         before.purchase->contract_usd_per_hour == after.purchase->contract_usd_per_hour;
}

void add_stores(const models::Scenario& a, const models::Scenario& b, std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < b.stores.size(); ++i) {
    const models::Store& after = b.stores[i];
    const auto before = std::find_if(a.stores.begin(), a.stores.end(),
                                     [&](const models::Store& store) { return store.name == after.name; });
    const bool same = before == a.stores.end() || before->bandwidth_bytes_per_s == after.bandwidth_bytes_per_s;
    if (same) continue;
    const bool unpriced = models::has_unpriced_bandwidth(*before, a) && models::has_unpriced_bandwidth(after, b);
    if (!unpriced && !is_paid_alike(*before, after, b)) continue;
    notes.push_back(fmt::format(
        "{} of store '{}' cost what {} do: set /stores/{}/purchase, or /prices/resources/store_hour per GB/s",
        reports::humane(after.bandwidth_bytes_per_s, "B/s", 3), after.name,
        reports::humane(before->bandwidth_bytes_per_s, "B/s", 3), i));
  }
}

/// Machines that are owned have their drives in their capital.
void add_drives(const models::Scenario& a, const models::Scenario& b, std::vector<std::string>& notes) {
  const auto cached_bytes = [](const models::Scenario& scenario) {
    const models::NodeCache& cache = pool_of(scenario, scenario.jobs.front()).cache;
    const bool on_drives = cache.policy != models::CachePolicy::none && cache.medium == models::CacheMedium::nvme;
    return on_drives ? cache.bytes : 0.0;
  };
  const models::Prices& prices = b.prices;
  const bool priced = prices.owned || (prices.resources && prices.resources->drive_usd_per_byte_month > 0.0);
  const double before = cached_bytes(a);
  const double after = cached_bytes(b);
  if (priced || before == after) return;
  const std::string larger = reports::humane(std::max(before, after), "B", 3);
  const std::string as_much = std::min(before, after) > 0.0
                                  ? fmt::format("costs what {} does", reports::humane(std::min(before, after), "B", 3))
                                  : std::string("costs nothing");
  notes.push_back(
      fmt::format("the drives of a node have no price, so a cache of {} in each {}: set /prices/resources/drives",
                  larger, as_much));
}

}  // namespace

std::vector<std::string> unpriced_differences(const models::Scenario& a, const models::Scenario& b) {
  const bool none_a = models::has_unpriced_gpus(a);
  if (none_a != models::has_unpriced_gpus(b))
    return {fmt::format("the GPUs of {} have no price, so costs are not compared: set /prices", none_a ? 'A' : 'B')};
  std::vector<std::string> notes;
  add_gpus(a, b, notes);
  add_stores(a, b, notes);
  add_drives(a, b, notes);
  return notes;
}

}  // namespace headrace::cli
