// What batches take up on their way: in a node's memory, in a GPU's, and beside them.
#include <array>
#include <cmath>

#include "models/engine/start_up.hpp"
#include "models/outcome/gpu_memory.hpp"
#include "models/outcome/host_memory.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::array kBuffersFigures = {
    SizingDescription{"batch_bytes", "B", "B S", "One batch of a loader in memory.", "definition",
                      "a dataset with a sample size"},
    SizingDescription{"host_batches_bytes", "B", "n K B S",
                      "Batches under way and ready in the memory of one node; pinned memory where the loader pins.",
                      "definition", "a dataset with a sample size"},
    SizingDescription{"host_memory_needed_bytes", "B", "sum of the parts",
                      "Batches, workers, shuffle buffers, caches and sample index of one node.", "models/loader",
                      "a dataset with a sample size", true},
    SizingDescription{"host_memory_headroom_bytes", "B", "M - needed",
                      "What is left of a node's memory. Below 0 the job is infeasible: it would swap, or be killed.",
                      "definition", "cluster/pools/host/memory"},
    SizingDescription{"sample_index_bytes", "B", "n e N_s",
                      "Index of all samples that the readers of one node shuffle.", "definition", "jobs/index"},
    SizingDescription{"gpu_prefetch_bytes", "B", "D B S", "Batches that wait in the memory of one GPU.", "definition",
                      "jobs/step/device_prefetch"},
    SizingDescription{"gpu_memory_headroom_bytes", "B", "H - needed",
                      "What is left of a GPU's memory. Below 0 the job is infeasible.", "models/gpu-memory",
                      "cluster/pools/gpu/hbm and jobs/model"},
};

void fill_buffers(const SizingCase& c, SizingSheetWriter& sheet) {
  const IngestPath& path = c.path;
  const double sample = path.memory_bytes_per_sample;
  const double batch = path.batch_samples * sample;
  const double loaders = std::ceil(c.loaders_per_node());
  const SizingInput n{"n", c.job_key + "/readers", loaders, ""};
  const SizingInput b{"B", c.job_key + "/step/batch", static_cast<double>(path.batch_samples), ""};
  const SizingInput s{"S", c.dataset_key + "/decoded_bytes_per_sample", sample, "B"};
  const SizingInput k{"K", c.job_key + "/loader/prefetch", static_cast<double>(path.outstanding), ""};
  sheet.add("batch_bytes", batch, {b, s});
  sheet.add("host_batches_bytes", c.pool.host.gpudirect ? 0.0 : loaders * path.outstanding * batch, {n, k, b, s});
  const auto start = start_up_of(c.scenario, path, false, 0);
  const double index_bytes = start ? start->index_bytes_per_node : 0.0;
  const Requirement host = host_memory(c.pool, c.job.loader, path, index_bytes);
  sheet.add("host_memory_needed_bytes", host.needed_bytes(), {n, k, b, s});
  if (host.available_bytes > 0.0)
    sheet.add("host_memory_headroom_bytes", host.available_bytes - host.needed_bytes(),
              {{"M", c.pool_key + "/host/memory", host.available_bytes, "B"},
               {"needed", "host_memory_needed_bytes", host.needed_bytes(), "B"}});
  if (c.job.index)
    sheet.add("sample_index_bytes", index_bytes,
              {n,
               {"e", c.job_key + "/index/entry_bytes", c.job.index->entry_bytes, "B"},
               {"N_s", c.dataset_key + "/samples_per_file", c.dataset.samples(), ""}});
  const auto depth = static_cast<double>(c.job.step.device_prefetch);
  if (depth > 0.0)
    sheet.add("gpu_prefetch_bytes", depth * static_cast<double>(c.job.step.batch) * sample,
              {{"D", c.job_key + "/step/device_prefetch", depth, ""}, b, s});
  const Requirement gpu = gpu_memory_of(path, c.pool, c.job);
  if (gpu.available_bytes > 0.0 && !gpu.needs.empty())
    sheet.add("gpu_memory_headroom_bytes", gpu.available_bytes - gpu.needed_bytes(),
              {{"H", c.pool_key + "/gpu/hbm", gpu.available_bytes, "B"},
               {"needed", "gpu_memory_bytes", gpu.needed_bytes(), "B"}});
}

}  // namespace

const SizingRoom kBuffersRoom{"buffers", "Memory for batches", kBuffersFigures, fill_buffers};

}  // namespace headrace::models
