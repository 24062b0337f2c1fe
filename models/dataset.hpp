// The corpus that a job reads: files, samples in them, their sizes, and the order in which they are asked for.
#pragma once

#include <cstdint>
#include <string>

#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"

namespace headrace::models {

enum class SampleOrder : std::uint8_t { random, shard_sequential };
inline constexpr ChoiceName<SampleOrder> kSampleOrderNames[] = {{SampleOrder::random, "random"},
                                                                {SampleOrder::shard_sequential, "shard_sequential"}};

struct Dataset {
  std::string name;
  std::string store;
  std::uint64_t files = 0;
  std::uint64_t samples_per_file = 1;
  DistributionSpec sample_bytes = DistributionSpec::constant(0.0);
  SampleOrder order = SampleOrder::random;
  double request_bytes = 0.0;  ///< largest single read; 0: one request per sample, or per shard buffer of 4 MiB
  double decoded_bytes_per_sample = 0.0;  ///< 0: as stored

  double samples() const { return static_cast<double>(files) * static_cast<double>(samples_per_file); }
  double bytes() const { return samples() * mean_of(sample_bytes); }
  /// Bytes of one sample in host memory and over PCIe.
  double memory_bytes_per_sample() const {
    return decoded_bytes_per_sample > 0.0 ? decoded_bytes_per_sample : mean_of(sample_bytes);
  }
  /// Opens per sample: a random reader opens the file of each sample, a sequential one each file once.
  double opens_per_sample() const {
    return order == SampleOrder::random ? 1.0 : 1.0 / static_cast<double>(samples_per_file);
  }
};

template <class V>
void describe(Dataset& d, V& v) {
  v.name("name", d.name, Kind::dataset, {.meaning = "Name by which jobs refer to the dataset", .required = true});
  v.reference("store", d.store, Kind::store, {.meaning = "Store that holds the files", .required = true});
  v.count("files", d.files,
          {.low = 1,
           .high = 1e9,
           .min = 1,
           .meaning = "Files or objects in the dataset",
           .log_scale = true,
           .required = true});
  v.count("samples_per_file", d.samples_per_file,
          {.low = 1,
           .high = 1e6,
           .min = 1,
           .evidence = Evidence::assumed,
           .meaning = "Samples packed into one file; 1 for one file per sample, thousands for shards",
           .log_scale = true});
  v.distribution("sample_bytes", d.sample_bytes, Unit::bytes,
                 {.low = 4,
                  .high = 1e9,
                  .min = 0,
                  .meaning = "Stored size of one sample: a size, or a distribution over samples",
                  .log_scale = true,
                  .required = true});
  v.choice("order", d.order, kSampleOrderNames,
           {.evidence = Evidence::assumed,
            .meaning = "random: every sample is sought on its own, in a fresh keyed permutation per epoch; "
                       "shard_sequential: shards in random order, samples in them one after the other"});
  v.quantity(
      "request_bytes", d.request_bytes, Unit::bytes,
      {.low = 4096,
       .high = 1e9,
       .min = 0,
       .evidence = Evidence::assumed,
       .meaning = "Largest single read. 0: a random reader asks for a sample at once, a sequential one for 4 MiB",
       .log_scale = true,
       .decided = true});
  v.quantity("decoded_bytes_per_sample", d.decoded_bytes_per_sample, Unit::bytes,
             {.low = 0,
              .high = 1e9,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Size of a sample in memory after decoding, which host memory and PCIe carry. 0: as stored",
              .log_scale = true});
}

}  // namespace headrace::models
