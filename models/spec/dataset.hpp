// The corpus that a job reads: files, samples in them, their sizes, and the order in which they are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/describe/declarations.hpp"
#include "models/describe/distribution_spec.hpp"
#include "models/spec/codec.hpp"
#include "models/spec/data_preparation.hpp"
#include "models/spec/stream_source.hpp"

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
  double columns_read = 1.0;                ///< share of a sample's bytes that the job asks for
  double parse_s_per_sample = 0.0;          ///< core time to take a sample out of its file and check it
  std::optional<double> parse_bytes_per_s;  ///< one core; none: parsing costs nothing per byte
  double skew = 0.0;                        ///< Zipf exponent of reuse; 0: every sample once per epoch
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

void describe(Dataset& d, Visitor& v);

}  // namespace headrace::models
