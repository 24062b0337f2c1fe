// Training over a parallel file system under three ways of reading, sample by sample, as published with NoPFS.
//
// Source: N. Dryden, R. Boehringer, T. Ben-Nun, T. Hoefler, Clairvoyant prefetching for distributed machine learning
// I/O, SC 2021, section 4: a sample of s bytes takes s/c to train on, s/beta to preprocess and write to the staging
// buffer, s gamma/t(gamma) to fetch from a file system that gives t(gamma) to gamma nodes, s/r from memory. With p
// threads sample f is there at avail(f) = sum of the reads up to f over p, and training on it begins at max(avail(f),
// end of the one before); nodes meet after each batch. Read without staging, each sample's fetch and preprocessing
// precede its training. Deviations: staging buffers never fill; a clairvoyant cache holds the share `held` of the
// corpus from its second epoch on, evenly over the samples, and is as fast for its own samples as for those of peers
// behind `remote_bytes_per_s`.
#pragma once

#include <cstdint>
#include <span>

namespace headrace::models::twins {

enum class ReadPolicy : std::uint8_t {
  no_stall,     ///< every sample is there: the lower bound
  naive,        ///< read when it is needed
  staged,       ///< threads read ahead from the file system
  clairvoyant,  ///< as staged, and from the caches of the nodes once they hold a sample (NoPFS)
};

struct ReadPolicyCase {
  std::uint32_t nodes = 1;
  std::uint32_t batch = 1;  ///< samples of one node
  std::uint32_t epochs = 1;
  std::uint32_t threads = 1;             ///< p, of the staging buffer
  double compute_bytes_per_s = 0.0;      ///< c, of one node
  double preprocess_bytes_per_s = 0.0;   ///< beta
  double file_system_bytes_per_s = 0.0;  ///< t(gamma), for all nodes together
  double memory_bytes_per_s = 0.0;       ///< r
  double remote_bytes_per_s = 0.0;       ///< network between nodes
  double held = 1.0;                     ///< share of the corpus in all caches together
};

/// Seconds for all epochs. `sizes_bytes` are those of the corpus in the order of an epoch; later epochs begin elsewhere
/// in it. A last batch that is not full is dropped. @throws std::invalid_argument for fewer samples than one step takes
double run_time_s(const ReadPolicyCase& shape, ReadPolicy policy, std::span<const double> sizes_bytes);

}  // namespace headrace::models::twins
