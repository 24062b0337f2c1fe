// How many requests must be under way to fill a link whose store answers late, and how many workers keep a GPU fed.
#include <array>
#include <cmath>

#include "models/hops/resource_floors.hpp"
#include "models/sizing/sizing.hpp"
#include "models/twins/closed_networks.hpp"
#include "models/twins/request_limits.hpp"

namespace headrace::models {

namespace {

constexpr std::string_view kStreamInputs = "a latency, a sample size and a NIC or store bandwidth";
constexpr std::string_view kLaw = "closed network: Little's law";

constexpr std::array kWorkersFigures = {
    SizingDescription{"sample_wait_s", "s", "o L_m + r L",
                      "Time in which a sample is opened and asked for, before its first byte.", "definition",
                      "stores/latency or stores/metadata/latency"},
    SizingDescription{"workers_without_transfer", "", "C W / S",
                      "Requests under way that fill a node's link if the transfer took no time: N S / L = C.", kLaw,
                      kStreamInputs},
    SizingDescription{"workers_to_fill_link", "", "C (W + S/C) / S",
                      "Requests under way on a node that fill its link, transfer counted, if all times were constant.",
                      kLaw, kStreamInputs, true},
    SizingDescription{"workers_with_random_waits", "", "least N with U(N) >= .95",
                      "Requests under way on a node that keep its link 95 % busy when latencies are random.",
                      "exact mean-value analysis (M. Reiser, S. S. Lavenberg, JACM 27(2), 1980)", kStreamInputs},
    SizingDescription{"ingest_limit_bytes_per_s", "B/s", "min(C, N S / (W + S/C))",
                      "What the workers of a node bring in at most.", kLaw, kStreamInputs},
    SizingDescription{"batch_time_s", "s", "sum over stages", "Mean time of a batch in its worker without contention.",
                      "models/engines-and-blame", "a dataset and a store"},
    SizingDescription{"workers_to_keep_up", "", "ceil(X / T)",
                      "Workers of one loader that keep up on average: rho = X / (N T) at most 1.", kLaw,
                      "a dataset and a store", true},
};

/// Mean-value analysis counts up to this many workers; beyond, random latencies average out.
constexpr double kMostCounted = 20000.0;

void fill_workers(const SizingCase& c, SizingSheetWriter& sheet) {
  const IngestPath& path = c.path;
  const double wait_s =
      path.opens_per_sample * path.metadata_latency_s.mean() + path.requests_per_sample * path.request_latency_s.mean();
  const double bytes = path.mean_sample_bytes() * path.miss_bytes_factor;
  const double link = c.node_link_bytes_per_s();
  const double batch_s = mean_batch_time_s(path);
  const SizingInput w{"W", "sample_wait_s", wait_s, "s"};
  const SizingInput s{"S", c.dataset_key + "/sample_bytes", bytes, "B"};
  const SizingInput rate{"C", c.node_link_key(), link, "B/s"};
  if (wait_s > 0.0)
    sheet.add("sample_wait_s", wait_s,
              {{"o", c.dataset_key + "/order", path.opens_per_sample, ""},
               {"L_m", c.store_key + "/metadata/latency", path.metadata_latency_s.mean(), "s"},
               {"r", c.dataset_key + "/request_bytes", path.requests_per_sample, ""},
               {"L", c.store_key + "/latency", path.request_latency_s.mean(), "s"}});
  if (wait_s > 0.0 && link > 0.0 && bytes > 0.0) {
    const double needed = link / twins::latency_bound_throughput_bytes_per_s(1.0, bytes, wait_s, link);
    const double asking = c.loaders_per_node() * path.workers * path.store_lanes;
    sheet.add("workers_without_transfer", link / twins::folklore_throughput_bytes_per_s(1.0, bytes, wait_s),
              {rate, w, s});
    sheet.add("workers_to_fill_link", needed, {rate, w, s});
    if (needed < kMostCounted)
      sheet.add("workers_with_random_waits", twins::workers_for_utilization(bytes / link, wait_s, 0.95), {rate, w, s});
    sheet.add("ingest_limit_bytes_per_s", twins::latency_bound_throughput_bytes_per_s(asking, bytes, wait_s, link),
              {rate, {"N", c.job_key + "/loader/workers", asking, ""}, s, w});
  }
  sheet.add("batch_time_s", batch_s, {{"B", c.job_key + "/step/batch", static_cast<double>(path.batch_samples), ""}});
  sheet.add("workers_to_keep_up", std::ceil(batch_s / c.step_s()),
            {{"X", "batch_time_s", batch_s, "s"}, {"T", c.job_key + "/step", c.step_s(), "s"}});
}

}  // namespace

const SizingRoom kWorkersRoom{"workers", "Workers and requests under way", kWorkersFigures, fill_workers};

}  // namespace headrace::models
