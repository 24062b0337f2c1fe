#include "tests/validation/store_client.hpp"

#include <string>

namespace headrace::testing {

namespace {

std::string exponential_time(const std::string& path, double mean_s) {
  return set(path + "={\"exponential\": {\"mean\": \"", mean_s, "s\"}}");
}

}  // namespace

double pieces_per_s(const StoreClient& client) {
  Strings figures{set("/jobs/0/loader/workers=", client.workers),
                  set("/jobs/0/loader/lanes=", client.lanes),
                  set("/jobs/0/step/batch=", client.batch),
                  "/jobs/0/step/step_time=1 ns",
                  set("/datasets/0/sample_bytes=", client.piece_bytes, "B"),
                  set("/stores/0/bandwidth=", client.store_bytes_per_s, "B/s"),
                  set("/stores/0/front_end=", client.front_end_bytes_per_s, "B/s"),
                  set("/stores/0/stream=", client.stream_bytes_per_s, "B/s"),
                  set("/cluster/pools/0/nic/bandwidth=", client.nic_bytes_per_s, "B/s"),
                  set("/stores/0/metadata/servers=", client.metadata_servers)};
  if (client.first_byte_s > 0.0) figures.push_back(exponential_time("/stores/0/latency", client.first_byte_s));
  if (!(client.first_byte_s > 0.0)) figures.push_back("/stores/0/latency=0 s");
  if (client.cpu_s > 0.0) figures.push_back(exponential_time("/jobs/0/loader/cpu_per_sample", client.cpu_s));
  if (client.open_s > 0.0) figures.push_back(exponential_time("/stores/0/metadata/latency", client.open_s));
  return mean(simulated(shipped("dataloader-50ms", figures), 12000), "samples_per_s");
}

}  // namespace headrace::testing
