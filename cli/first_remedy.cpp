#include "cli/first_remedy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/load.hpp"
#include "models/answer/queueing_estimate.hpp"

namespace headrace::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What can be changed, and what it says; false where the draft has no such part.
struct Change {
  std::string (*say)();
  bool (*make)(Json& draft, const models::Scenario& scenario);
};

constexpr std::uint64_t kPacked = 1000;

bool pack_samples(Json& draft, const models::Scenario& /*scenario*/) {
  Json& data = draft["datasets"][0];
  if (data["samples_per_file"] != 1) return false;
  const auto files = data["files"].get<std::uint64_t>();
  data["files"] = (files + kPacked - 1) / kPacked;
  data["samples_per_file"] = kPacked;
  data["catalogue"] = "tar";
  data.erase("order");
  return true;
}

bool spread_prefixes(Json& draft, const models::Scenario& scenario) {
  if (!(scenario.stores[0].limit.requests_per_s_per_prefix > 0.0)) return false;
  draft["stores"][0]["limit"]["prefixes"] = 10 * scenario.stores[0].limit.prefixes;
  return true;
}

bool double_store(Json& draft, const models::Scenario& scenario) {
  draft["stores"][0]["bandwidth"] = fmt::format("{} B/s", 2.0 * scenario.stores[0].bandwidth_bytes_per_s);
  return true;
}

bool double_network(Json& draft, const models::Scenario& scenario) {
  if (!draft.contains("fabric")) return false;
  const models::Nic& nic = scenario.cluster.pools[0].nic;
  draft["cluster"]["pools"][0]["nic"] = {{"bandwidth", fmt::format("{} B/s", 2.0 * nic.bandwidth_bytes_per_s)},
                                         {"rails", nic.rails}};
  return true;
}

bool double_workers(Json& draft, const models::Scenario& scenario) {
  draft["jobs"][0]["loader"]["workers"] = 2 * scenario.jobs[0].loader.workers;
  return true;
}

bool cache_on_nvme(Json& draft, const models::Scenario& /*scenario*/) {
  Json& pool = draft["cluster"]["pools"][0];
  if (pool.contains("cache") || !draft.contains("fabric")) return false;
  pool["drives"] = {{"capacity", "15 TB"}};
  pool["cache"] = {
      {"policy", "lru"}, {"medium", "nvme"}, {"bytes", "13 TB"}, {"bandwidth", "12 GB/s"}, {"latency", "100 us"}};
  return true;
}

constexpr Change kChanges[] = {
    {[] { return fmt::format("pack {} samples into each file", kPacked); }, pack_samples},
    {[] { return std::string("spread the objects over ten times the prefixes"); }, spread_prefixes},
    {[] { return std::string("double the workers of each GPU"); }, double_workers},
    {[] { return std::string("double the bandwidth of the store"); }, double_store},
    {[] { return std::string("double the network of each node"); }, double_network},
    {[] { return std::string("cache the data on 15 TB of NVMe in each node"); }, cache_on_nvme},
};

std::optional<double> idle_with(const Json& draft, const scenarios::Catalogue& catalogue) {
  const auto loaded = load_text("your answers", draft.dump(), catalogue);
  if (!loaded) return std::nullopt;
  const models::Outcome outcome = models::queueing_estimate(loaded->value, 1);
  const models::Metric* idle = outcome.find("gpu_idle_fraction");
  return idle == nullptr ? std::nullopt : std::optional(idle->mean);
}

}  // namespace

std::optional<Remedy> first_remedy(const std::string& draft, double idle_fraction,
                                   const scenarios::Catalogue& catalogue) {
  constexpr double least_gain = 0.01;
  const auto loaded = load_text("your answers", draft, catalogue);
  if (!loaded) return std::nullopt;
  std::optional<Remedy> best;
  for (const Change& change : kChanges) {
    Json changed = Json::parse(draft);
    if (!change.make(changed, loaded->value)) continue;
    const std::optional<double> idle = idle_with(changed, catalogue);
    if (idle && *idle < (best ? best->idle_fraction : idle_fraction - least_gain)) best = Remedy{change.say(), *idle};
  }
  return best;
}

}  // namespace headrace::cli
