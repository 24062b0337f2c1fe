// What GPUs ask for that never wait, and what an epoch takes if nothing but storage limits it.
#include <algorithm>
#include <array>

#include "models/hops/resource_floors.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kFlow = "conservation of flow";

constexpr std::array kDemandFigures = {
    SizingDescription{"demand_bytes_per_s", "B/s", "n B S / T",
                      "Bytes that the loaders take in when no GPU ever waits.", kFlow, "a dataset and a step time",
                      false},
    SizingDescription{"demand_bits_per_s", "b/s", "8 n B S / T", "The same as networks count it.", kFlow,
                      "a dataset and a step time", true},
    SizingDescription{"node_demand_bytes_per_s", "B/s", "n B S / (T m)", "The same of one node.", kFlow,
                      "a dataset and a step time", false},
    SizingDescription{"demand_requests_per_s", "1/s", "n B r / T", "Read requests per second without caches.", kFlow,
                      "a dataset and a step time", false},
    SizingDescription{"demand_opens_per_s", "1/s", "n B o / T", "Files opened per second without caches.", kFlow,
                      "a dataset and a step time", false},
    SizingDescription{"demand_cores_per_node", "", "n B t / (T m)",
                      "Cores of a node that receive, decode and augment when no GPU ever waits.", kFlow,
                      "jobs/loader/cpu_per_sample, a codec, a transport or a parser", false},
    SizingDescription{"epoch_of_storage_s", "s", "E max over resources of (work of a step / capacity)",
                      "Time of an epoch if GPUs took no time: bytes over the slowest stage.", kFlow,
                      "capacities of store, NIC or cores", true},
};

void fill_demand(const SizingCase& c, SizingSheetWriter& sheet) {
  const IngestPath& path = c.path;
  const double step_s = c.step_s();
  const double samples = static_cast<double>(path.loaders) * path.batch_samples;
  const double bytes_per_s = samples * path.mean_sample_bytes() / step_s;
  const SizingInput n{"n", c.job_key + "/readers", static_cast<double>(path.loaders), ""};
  const SizingInput b{"B", c.job_key + "/step/batch", static_cast<double>(path.batch_samples), ""};
  const SizingInput s{"S", c.dataset_key + "/sample_bytes", path.mean_sample_bytes(), "B"};
  const SizingInput t{"T", c.job_key + "/step", step_s, "s"};
  const SizingInput m{"m", c.pool_key + "/nodes", static_cast<double>(path.nodes), ""};
  sheet.add("demand_bytes_per_s", bytes_per_s, {n, b, s, t});
  sheet.add("demand_bits_per_s", 8.0 * bytes_per_s, {n, b, s, t});
  sheet.add("node_demand_bytes_per_s", bytes_per_s / path.nodes, {n, b, s, t, m});
  sheet.add("demand_requests_per_s", samples * path.requests_per_sample / step_s,
            {n, b, {"r", c.dataset_key + "/request_bytes", path.requests_per_sample, ""}, t});
  sheet.add("demand_opens_per_s", samples * path.opens_per_sample / step_s,
            {n, b, {"o", c.dataset_key + "/order", path.opens_per_sample, ""}, t});
  const double core_s = batch_demand(path, Resource::cores) / path.batch_samples;
  if (core_s > 0.0)
    sheet.add("demand_cores_per_node", samples * core_s / (step_s * path.nodes),
              {n, b, {"t", c.job_key + "/loader/cpu_per_sample", core_s, "s"}, t, m});
  double longest_s = 0.0;
  for (const ResourceFloor& floor : resource_floors(path))
    if (floor.resource != Resource::workers) longest_s = std::max(longest_s, floor.step_time_s);
  if (longest_s > 0.0)
    sheet.add("epoch_of_storage_s", longest_s * path.steps_per_epoch(),
              {{"E", c.dataset_key + "/files", path.steps_per_epoch(), "steps"}, {"max", "stations", longest_s, "s"}});
}

}  // namespace

const SizingRoom kDemandRoom{"demand", "What the GPUs ask for", kDemandFigures, fill_demand};

}  // namespace headrace::models
