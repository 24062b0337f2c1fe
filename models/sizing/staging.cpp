// Copying data ahead: into the store, or into the caches.
#include <array>

#include "models/path/cache_stack.hpp"
#include "models/path/tier_path.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::array kStagingFigures = {
    SizingDescription{"dataset_bytes", "B", "f k S / r", "The first dataset of the job as it is stored.", "definition",
                      "a dataset", true},
    SizingDescription{"store_fill_s", "s", "V / min(source, links, writes)",
                      "Time of copying it to its store before the first step.", "models/cache-tiers", "a store", true},
    SizingDescription{"cache_fill_s", "s", "V_c / min(store, NICs, writes)",
                      "Time of filling the caches before the first step.", "models/cache-tiers",
                      "cluster/pools/cache with a policy and bytes"},
    SizingDescription{
        "cache_fill_bytes", "B", "V (n + s)",
        "What caches take in for that: the nodes' n copies of the data together, the shared cache the share s.",
        "models/cache-tiers", "cluster/pools/cache with a policy and bytes"},
};

/// The job with its own staging's source and limit, but this mode.
Scenario staged_by(const SizingCase& c, StagingMode mode) {
  Scenario scenario = c.scenario;
  std::optional<Staging>& staging = scenario.jobs.front().staging;
  if (!staging) staging = Staging{};
  staging->mode = mode;
  return scenario;
}

void fill_staging(const SizingCase& c, SizingSheetWriter& sheet) {
  const Dataset& data = c.dataset;
  const SizingInput v{"V", "dataset_bytes", data.bytes(), "B"};
  sheet.add("dataset_bytes", data.bytes(),
            {{"f", c.dataset_key + "/files", static_cast<double>(data.files), ""},
             {"k", c.dataset_key + "/samples_per_file", static_cast<double>(data.samples_per_file), ""},
             {"S", c.dataset_key + "/sample_bytes", mean_of(data.sample_bytes), "B"},
             {"r", c.dataset_key + "/codec/ratio", data.codec.ratio, ""}});
  const double copy_s = staging_time_s(staged_by(c, StagingMode::prestage_store), 0);
  const double write =
      c.store.write_bandwidth_bytes_per_s > 0.0 ? c.store.write_bandwidth_bytes_per_s : c.store.bandwidth_bytes_per_s;
  if (copy_s > 0.0) sheet.add("store_fill_s", copy_s, {v, {"writes", c.store_key + "/write_bandwidth", write, "B/s"}});
  if (c.pool.cache.policy == CachePolicy::none && !c.store.cache) return;
  const Scenario cached = staged_by(c, StagingMode::prestage_caches);
  const double bytes = staged_bytes(cached, 0);
  if (!(bytes > 0.0)) return;
  sheet.add(
      "cache_fill_s", staging_time_s(cached, 0),
      {{"V_c", "cache_fill_bytes", bytes, "B"},
       {"store", c.store_key + "/bandwidth", c.path.pool_bytes_per_s.value_or(c.store.bandwidth_bytes_per_s), "B/s"}});
  const CacheStack stack = cache_stack(cached, 0);
  std::vector<SizingInput> inputs{v, {"n", c.pool_key + "/cache/bytes", stack.node_copies(), ""}};
  if (stack.shared_fraction > 0.0) inputs.push_back({"s", c.store_key + "/cache/bytes", stack.shared_fraction, ""});
  sheet.add("cache_fill_bytes", bytes, std::move(inputs));
}

}  // namespace

const SizingRoom kStagingRoom{"staging", "Copying ahead", kStagingFigures, fill_staging};

}  // namespace headrace::models
