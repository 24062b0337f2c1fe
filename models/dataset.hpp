// The corpus that a job reads: files, samples in them, their sizes, and the order in which they are asked for.
#pragma once

#include <cstdint>
#include <string>

#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"

namespace headrace::models {

enum class SampleOrder : std::uint8_t { random, shard_sequential };
inline constexpr std::array<std::string_view, 2> kSampleOrderNames = {"random", "shard_sequential"};

struct Dataset {
  std::string name;
  std::string store;
  std::uint64_t files = 0;
  std::uint64_t samples_per_file = 1;
  describe::DistributionSpec sample_bytes = describe::DistributionSpec::constant(0.0);
  SampleOrder order = SampleOrder::random;
  double request_bytes = 0.0;  ///< largest single read; 0: one request per sample, or per shard buffer of 4 MiB
  double decoded_bytes_per_sample = 0.0;  ///< 0: as stored

  double samples() const { return static_cast<double>(files) * static_cast<double>(samples_per_file); }
  double bytes() const { return samples() * sample_bytes.mean(); }
  /// Bytes of one sample in host memory and over PCIe.
  double memory_bytes_per_sample() const {
    return decoded_bytes_per_sample > 0.0 ? decoded_bytes_per_sample : sample_bytes.mean();
  }
  /// Opens per sample: a random reader opens the file of each sample, a sequential one each file once.
  double opens_per_sample() const {
    return order == SampleOrder::random ? 1.0 : 1.0 / static_cast<double>(samples_per_file);
  }
};

template <class V>
void describe(Dataset& d, V& v) {
  using describe::Evidence;
  using describe::Kind;
  using describe::Unit;
  v.text("name", d.name, {.required = true, .meaning = "Name by which jobs refer to the dataset."});
  v.reference("store", d.store, Kind::store, {.required = true, .meaning = "Store that holds the files."});
  v.count("files", d.files, {.low = 1, .high = 1e9, .hard_low = 1, .required = true, .log_scale = true,
                             .meaning = "Files or objects in the dataset."});
  v.count("samples_per_file", d.samples_per_file,
          {.low = 1, .high = 1e6, .hard_low = 1, .evidence = Evidence::assumed, .log_scale = true,
           .meaning = "Samples packed into one file; 1 for one file per sample, thousands for shards."});
  v.distribution("sample_bytes", d.sample_bytes, Unit::bytes,
                 {.low = 4, .high = 1e9, .required = true, .log_scale = true,
                  .meaning = "Stored size of one sample: a size, or a distribution over samples."});
  v.choice("order", d.order, kSampleOrderNames,
           {.evidence = Evidence::assumed,
            .meaning = "random: every sample is sought on its own, in a fresh keyed permutation per epoch; "
                       "shard_sequential: shards in random order, samples in them one after the other."});
  v.quantity("request_bytes", d.request_bytes, Unit::bytes,
             {.low = 4096, .high = 1e9, .evidence = Evidence::assumed, .log_scale = true,
              .meaning = "Largest single read. 0: a random reader asks for a sample at once, a sequential one for 4 MiB."});
  v.quantity("decoded_bytes_per_sample", d.decoded_bytes_per_sample, Unit::bytes,
             {.low = 0, .high = 1e9, .evidence = Evidence::assumed, .log_scale = true,
              .meaning = "Size of a sample in memory after decoding, which host memory and PCIe carry. 0: as stored."});
}

}  // namespace headrace::models
