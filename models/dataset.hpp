// The corpus that a job reads: files, samples in them, their sizes, and the order in which they are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/codec.hpp"
#include "models/data_preparation.hpp"
#include "models/describe/describe.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/stream_source.hpp"

namespace headrace::models {

enum class SampleOrder : std::uint8_t { random, shard_sequential, fixed };
inline constexpr ChoiceName<SampleOrder> kSampleOrderNames[] = {{SampleOrder::random, "random"},
                                                                {SampleOrder::shard_sequential, "shard_sequential"},
                                                                {SampleOrder::fixed, "fixed"}};

struct Dataset {
  std::string name;
  std::string store;
  std::uint64_t files = 0;
  std::uint64_t samples_per_file = 1;
  DistributionSpec sample_bytes = DistributionSpec::constant(0.0);
  SampleOrder order = SampleOrder::random;
  double request_bytes = 0.0;  ///< largest single read; 0: one request per sample, or per shard buffer of 4 MiB
  double decoded_bytes_per_sample = 0.0;  ///< 0: as stored
  Codec codec;
  double columns_read = 1.0;        ///< share of a sample's bytes that the job asks for
  double parse_s_per_sample = 0.0;  ///< core time to take a sample out of its file and check it
  double parse_bytes_per_s = 0.0;   ///< one core; 0: parsing costs nothing per byte
  double skew = 0.0;                ///< Zipf exponent of reuse; 0: every sample once per epoch
  std::optional<StreamSource> stream;
  std::optional<DataOrigin> origin;
  std::optional<ObjectUpload> upload;
  std::optional<DataReduction> reduction;
  std::optional<FormatConversion> conversion;

  double samples() const { return static_cast<double>(files) * static_cast<double>(samples_per_file); }
  /// As stored, compressed.
  double bytes() const { return samples() * mean_of(sample_bytes) / codec.ratio; }
  /// Bytes of one sample in host memory and over PCIe.
  double memory_bytes_per_sample() const {
    return decoded_bytes_per_sample > 0.0 ? decoded_bytes_per_sample : mean_of(sample_bytes) * columns_read;
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
                  .meaning = "Size of one sample before `codec`: a size, or a distribution over samples",
                  .log_scale = true,
                  .required = true});
  v.choice(
      "order", d.order, kSampleOrderNames,
      {.evidence = Evidence::assumed,
       .meaning = "random: every sample is sought on its own, in a fresh keyed permutation per epoch; "
                  "shard_sequential: shards in random order, samples in them one after the other; fixed: files one "
                  "after the other, the same way in every epoch"});
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
  v.record("codec", d.codec, {.meaning = "Compression of the stored samples", .catalogue = "codec"});
  v.fraction("columns_read", d.columns_read,
             {.low = 0.01,
              .high = 1,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of a sample's bytes that is read, where the format can leave columns out",
              .decided = true});
  v.quantity("parse_per_sample", d.parse_s_per_sample, Unit::seconds,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Core time to take a sample out of its file: headers, checksums, schema validation"});
  v.quantity("parse", d.parse_bytes_per_s, Unit::bytes_per_second,
             {.low = 1e7,
              .high = 1e10,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Uncompressed bytes that one core parses per second; 0: costs nothing per byte",
              .log_scale = true});
  v.number(
      "skew", d.skew,
      {.low = 0,
       .high = 1.2,
       .min = 0,
       .max = 4,
       .evidence = Evidence::assumed,
       .meaning = "Zipf exponent of how often samples are drawn, independently with replacement. 0: every sample once "
                  "per epoch"});
  v.optional_record("stream", d.stream, {.meaning = "New data that arrive while the job trains; without it none"});
  v.optional_record("origin", d.origin, {.meaning = "The site where the data arise; without it the cluster's"});
  v.optional_record("upload", d.upload,
                    {.meaning = "How the data are uploaded into their store, for the sizing sheet"});
  v.optional_record("reduction", d.reduction,
                    {.meaning = "What deduplication and filters would leave, for the sizing sheet"});
  v.optional_record("conversion", d.conversion,
                    {.meaning = "Another format that the data could be converted to, for the sizing sheet"});
  v.constraint("samples have bytes", mean_of(d.sample_bytes) > 0.0, "samples of no bytes cannot be read",
               {"sample_bytes"});
  v.constraint("skew needs a random order", d.skew <= 0.0 || d.order == SampleOrder::random,
               "samples that are drawn by a popularity (skew) come in no order: set order to random", {"skew"});
}

}  // namespace headrace::models
