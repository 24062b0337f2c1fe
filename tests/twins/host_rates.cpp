#include "tests/twins/host_rates.hpp"

#include <algorithm>

namespace headrace::models::twins {

DevicePaths bounce_against_direct(double bytes, double pcie_bytes_per_s, double memory_bytes_per_s) {
  const double pcie_s = bytes / pcie_bytes_per_s;
  return {.host_s = 2.0 * pcie_s + bytes / memory_bytes_per_s, .direct_s = pcie_s};
}

PreprocessingTimes preprocessing_times(double compute_s, double samples, double cpu_s_per_sample, double cores,
                                       double sample_bytes, double size_factor, double link_bytes_per_s) {
  const double link_s = samples * sample_bytes / link_bytes_per_s;
  return {.on_the_fly_s = std::max({compute_s, samples * cpu_s_per_sample / cores, link_s}),
          .preprocessed_s = std::max(compute_s, link_s * size_factor)};
}

double synchronous_step_s(double compute_s, double load_s) { return compute_s + load_s; }

double cores_for_ingest(double bytes_per_s, double receive_bytes_per_s, double decrypt_bytes_per_s) {
  const double receive = receive_bytes_per_s > 0.0 ? 1.0 / receive_bytes_per_s : 0.0;
  const double decrypt = decrypt_bytes_per_s > 0.0 ? 1.0 / decrypt_bytes_per_s : 0.0;
  return bytes_per_s * (receive + decrypt);
}

}  // namespace headrace::models::twins
