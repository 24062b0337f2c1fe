// What the host costs between NIC and GPU, and what preprocessing beforehand saves. Sources: definitions (rates of a
// pipeline whose stages run side by side, or one after the other). Deviations: none.
#pragma once

namespace headrace::models::twins {

struct DevicePaths {
  double host_s = 0.0;    ///< store to DRAM, DRAM to GPU, memory written and read: serial
  double direct_s = 0.0;  ///< peer to peer over PCIe once
};
DevicePaths bounce_against_direct(double bytes, double pcie_bytes_per_s, double memory_bytes_per_s);
/// One step of B samples when stages run side by side: the slowest of compute, cores and link.
struct PreprocessingTimes {
  double on_the_fly_s = 0.0;    ///< max(T, B t / H, B S / W)
  double preprocessed_s = 0.0;  ///< max(T, B S m / W)
};
PreprocessingTimes preprocessing_times(double compute_s, double samples, double cpu_s_per_sample, double cores,
                                       double sample_bytes, double size_factor, double link_bytes_per_s);
/// Step of a training process that loads its own batches: T + X.
double synchronous_step_s(double compute_s, double load_s);
/// Cores that receive `bytes_per_s` when one core receives at `receive` and decrypts at `decrypt` bytes per second.
double cores_for_ingest(double bytes_per_s, double receive_bytes_per_s, double decrypt_bytes_per_s);

}  // namespace headrace::models::twins
