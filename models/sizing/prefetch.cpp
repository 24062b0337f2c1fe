// How far loaders must be ahead to bear a batch in a thousand, and how far memory lets them be.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/engine/start_up.hpp"
#include "models/hops/batch_time_law.hpp"
#include "models/outcome/gpu_memory.hpp"
#include "models/outcome/host_memory.hpp"
#include "models/sizing/sizing.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kRule =
    "rule of thumb: a buffer that lasts as long as the slowest batch; it ignores the load, see models/loader";

constexpr std::array kPrefetchFigures = {
    SizingDescription{"batch_time_p999_s", "s", "q(.999) of the batch's time",
                      "Time of a batch in its worker that one in a thousand exceeds, when nothing is shared.",
                      "models/estimate: distribution of the time of a batch", "a store and a dataset"},
    SizingDescription{"prefetch_in_order", "", "ceil(q / T)",
                      "Ready batches that are needed with delivery in order: the slowest batch delays all after it.",
                      kRule, "a store and a dataset", true},
    SizingDescription{"prefetch_any_order", "", "ceil(q / (N T))",
                      "The same, if the first ready batch is taken: the other workers continue.", kRule,
                      "a store and a dataset"},
    SizingDescription{"outstanding_that_fit_host", "", "floor((M - R) / (n B S))",
                      "Batches K of each loader that fit into the free memory of a node.", "definition",
                      "cluster/pools/host/memory", true},
    SizingDescription{"device_prefetch_that_fits", "", "floor((H - R) / (B S))",
                      "Batches that fit into the memory of a GPU in addition to the model.", "definition",
                      "cluster/pools/gpu/hbm"},
};

void fill_prefetch(const SizingCase& c, SizingSheetWriter& sheet) {
  const IngestPath& path = c.path;
  const double slow_s = batch_time_law(path).quantile(0.999);
  const SizingInput q{"q", "batch_time_p999_s", slow_s, "s"};
  const SizingInput t{"T", c.job_key + "/step", c.step_s(), "s"};
  const auto workers = static_cast<double>(path.workers);
  sheet.add("batch_time_p999_s", slow_s,
            {{"B", c.job_key + "/step/batch", static_cast<double>(path.batch_samples), ""}});
  sheet.add("prefetch_in_order", std::ceil(slow_s / c.step_s()), {q, t});
  sheet.add("prefetch_any_order", std::ceil(slow_s / (workers * c.step_s())),
            {q, {"N", c.job_key + "/loader/workers", workers, ""}, t});
  const double sample = path.memory_bytes_per_sample;
  const double batch_bytes = path.batch_samples * sample;
  const SizingInput b{"B", c.job_key + "/step/batch", static_cast<double>(path.batch_samples), ""};
  const SizingInput s{"S", c.dataset_key + "/decoded_bytes_per_sample", sample, "B"};
  if (c.pool.host.memory_bytes > 0.0 && !c.pool.host.gpudirect && batch_bytes > 0.0) {
    const auto start = start_up_of(c.scenario, path, false, 0);
    const Requirement room = host_memory(c.pool, c.job.loader, path, start ? start->index_bytes_per_node : 0.0);
    const double loaders = std::ceil(c.loaders_per_node());
    const double rest = room.needed_bytes() - loaders * path.outstanding * batch_bytes;
    sheet.add("outstanding_that_fit_host",
              std::max(0.0, std::floor((room.available_bytes - rest) / (loaders * batch_bytes))),
              {{"M", c.pool_key + "/host/memory", room.available_bytes, "B"},
               {"R", "host_memory_needed_bytes", rest, "B"},
               {"n", c.job_key + "/readers", loaders, ""},
               b,
               s});
  }
  const Requirement gpu = gpu_memory_of(path, c.pool, c.job);
  const double on_gpu = static_cast<double>(c.job.step.batch) * sample;
  if (!(gpu.available_bytes > 0.0) || !(on_gpu > 0.0)) return;
  double rest = 0.0;
  for (const Need& need : gpu.needs) rest += need.what == "prefetched batches" ? 0.0 : need.bytes;
  sheet.add("device_prefetch_that_fits", std::max(0.0, std::floor((gpu.available_bytes - rest) / on_gpu)),
            {{"H", c.pool_key + "/gpu/hbm", gpu.available_bytes, "B"},
             {"R", "gpu_memory_bytes", rest, "B"},
             {"B", c.job_key + "/step/batch", static_cast<double>(c.job.step.batch), ""},
             s});
}

}  // namespace

const SizingRoom kPrefetchRoom{"prefetch", "How far to be ahead", kPrefetchFigures, fill_prefetch};

}  // namespace headrace::models
