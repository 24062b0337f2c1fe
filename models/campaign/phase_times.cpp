#include "models/campaign/phase_times.hpp"

#include <algorithm>
#include <optional>

#include "models/base/limits.hpp"
#include "models/engine/start_up.hpp"
#include "models/interruptions/checkpoint_writes.hpp"
#include "models/interruptions/interruptions.hpp"
#include "models/path/ingest_path.hpp"
#include "models/path/tier_path.hpp"

namespace headrace::models {

namespace {

double pull_s(const CampaignImage& image, std::optional<double> nic_bytes_per_s, double nodes) {
  const double one_s = time_at(image.bytes, tightest({nic_bytes_per_s, image.registry_bytes_per_s}));
  const double unpack_s = time_at(image.bytes, image.unpack_bytes_per_s);
  if (image.fan_out > 0)
    return one_s + fan_out_s(image.bytes, nodes, static_cast<double>(image.fan_out), nic_bytes_per_s) + unpack_s;
  return std::max(one_s, time_at(image.bytes * nodes, image.registry_bytes_per_s)) + unpack_s;
}

/// Opens of so many processes, each one after the other, at servers that take a latency for each.
double opens_s(const CampaignImage& image, const Store* store, double processes) {
  if (store == nullptr) return 0.0;
  const double latency_s = mean_of(store->metadata.latency_s);
  const double one_s = image.import_opens * latency_s;
  return std::max(one_s, time_at(one_s * processes, store->metadata.servers));
}

void add_image(const Scenario& scenario, const IngestPath& path, const CampaignImage& image, PhaseTimes& times) {
  times.image_s = pull_s(image, path.bulk_nic_bytes_per_s, path.nodes);
  times.image_of_node_s = pull_s(image, path.bulk_nic_bytes_per_s, 1.0);
  const Store* store = detail::find_by_name(scenario.stores, image.imports_from);
  times.imports_s = image.import_s + opens_s(image, store, path.gpus);
  times.imports_of_node_s = image.import_s + opens_s(image, store, static_cast<double>(path.gpus) / path.nodes);
  times.imports_warm_s = image.import_s;
}

void add_checkpoint(const Scenario& scenario, const IngestPath& path, double first_step_s, PhaseTimes& times) {
  const Scenario timed = checkpoint_writes(scenario).scenario;
  const std::optional<Interruptions> found = interruptions_of(timed, path, first_step_s);
  if (!found) return;
  times.preempting = found->preempting;
  times.save_s = found->save_s;
  times.load_s = found->load_s;
  times.redone_s = found->redone_s;
}

}  // namespace

PhaseTimes phase_times(const Scenario& scenario, const Outcome& outcome, double epoch_work_s) {
  const IngestPath path = resolve_path(scenario, 0, {});
  const Campaign campaign = scenario.campaign.value_or(Campaign{});
  PhaseTimes times;
  const double first_step_s = mean_in(outcome.metrics, "time_to_first_step_s");
  times.listing_s = std::min(mean_in(outcome.metrics, "index_time_s"), first_step_s);
  times.staging_s = std::min(staging_time_s(scenario, 0), first_step_s - times.listing_s);
  times.staging_again_s = std::max(0.0, times.staging_s - staging_kept_s(scenario, 0));
  times.first_batch_s = first_step_s - times.listing_s - times.staging_s;
  if (scenario.faults) {
    times.detection_s = scenario.faults->detection_s;
    times.reschedule_s = scenario.faults->reschedule_s;
    if (scenario.faults->spot) times.replacement_s = scenario.faults->spot->replacement_s;
  }
  add_checkpoint(scenario, path, first_step_s, times);
  if (campaign.image) add_image(scenario, path, *campaign.image, times);
  times.epoch_work_s = epoch_work_s;
  times.skip_epoch_s =
      time_at(path.samples_per_epoch / path.loaders, stated_limit(campaign.fast_forward_samples_per_s));
  times.spare_nodes = campaign.spare_nodes;
  times.repair_s = campaign.repair_s;
  return times;
}

}  // namespace headrace::models
