#include "models/path/packed_sequences.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/base/purposes.hpp"
#include "sim/iid_sum.hpp"
#include "sim/random_stream.hpp"

namespace headrace::models {

namespace {

/// A sequence that is being filled.
struct OpenSequence {
  double tokens = 0.0;
  double bytes = 0.0;
  std::uint64_t samples = 0;
};

/// Bounded first fit over a fixed series of draws.
class Packer {
 public:
  explicit Packer(const SequencePacking& packing) : packing_(packing) {}

  void add(double bytes) {
    const double tokens = std::min(bytes / packing_.bytes_per_token, packing_.tokens);
    const auto roomy = std::find_if(open_.begin(), open_.end(), [&](const OpenSequence& sequence) {
      return sequence.tokens + tokens <= packing_.tokens;
    });
    if (roomy != open_.end()) return put(*roomy, tokens, bytes);
    if (open_.size() == packing_.open) {
      closed_.push_back(open_.front());
      open_.erase(open_.begin());
    }
    put(open_.emplace_back(), tokens, bytes);
  }

  /// All that were closed; where too few were, also those that are still open.
  std::vector<OpenSequence> sequences() {
    constexpr std::size_t kEnough = 64;
    if (closed_.size() < kEnough) closed_.insert(closed_.end(), open_.begin(), open_.end());
    return std::move(closed_);
  }

 private:
  static void put(OpenSequence& sequence, double tokens, double bytes) {
    sequence.tokens += tokens;
    sequence.bytes += bytes;
    ++sequence.samples;
  }

  const SequencePacking& packing_;
  std::vector<OpenSequence> open_;
  std::vector<OpenSequence> closed_;
};

/// Means over midpoints of equal probability.
double mean_tokens_kept(const SequencePacking& packing, const sim::Distribution& bytes) {
  constexpr int kPoints = 4096;
  double sum = 0.0;
  for (int i = 0; i < kPoints; ++i)
    sum += std::min(bytes.quantile((i + 0.5) / kPoints) / packing.bytes_per_token, packing.tokens);
  return sum / kPoints;
}

/// The law of the bytes, with the given mean.
sim::Distribution law_of(std::vector<OpenSequence> sequences, double mean) {
  constexpr std::size_t kPoints = 64;
  std::sort(sequences.begin(), sequences.end(),
            [](const OpenSequence& a, const OpenSequence& b) { return a.bytes < b.bytes; });
  std::vector<sim::QuantilePoint> points;
  for (std::size_t i = 0; i <= kPoints; ++i)
    points.push_back({static_cast<double>(i) / kPoints, sequences[(sequences.size() - 1) * i / kPoints].bytes});
  const sim::Distribution law = sim::Distribution::empirical(std::move(points));
  return law.scaled(mean / law.mean());
}

PackedSequences first_fit(const SequencePacking& packing, const sim::Distribution& bytes) {
  constexpr double kLeastDraws = 8192.0;
  constexpr double kMostDraws = 65536.0;
  const double per_sequence = std::max(1.0, packing.tokens * packing.bytes_per_token / bytes.mean());
  const double wanted = 16.0 * per_sequence * static_cast<double>(packing.open);
  const auto draws = static_cast<std::uint64_t>(std::clamp(wanted, kLeastDraws, kMostDraws));
  Packer packer(packing);
  for (std::uint64_t i = 0; i < draws; ++i) packer.add(bytes.quantile(sim::uniform({0, 0, kDrawPacking, 0}, i)));
  std::vector<OpenSequence> sequences = packer.sequences();
  double tokens = 0.0;
  double samples = 0.0;
  for (const OpenSequence& sequence : sequences) {
    tokens += sequence.tokens;
    samples += static_cast<double>(sequence.samples);
  }
  const auto count = static_cast<double>(sequences.size());
  PackedSequences packed;
  packed.samples = samples / count;
  packed.fill = tokens / (count * packing.tokens);
  packed.bytes = law_of(std::move(sequences), packed.samples * bytes.mean());
  return packed;
}

}  // namespace

PackedSequences packed_sequences(const SequencePacking& packing, const sim::Distribution& bytes) {
  PackedSequences packed;
  packed.bytes = bytes;
  const double mean_tokens = bytes.mean() / packing.bytes_per_token;
  if (!(mean_tokens > 0.0)) return packed;
  if (packing.rule == PackingRule::split) {
    packed.samples = packing.tokens / mean_tokens;
    packed.bytes = sim::Distribution::constant(packing.tokens * packing.bytes_per_token);
    return packed;
  }
  const double kept = mean_tokens_kept(packing, bytes);
  packed.cut = std::max(0.0, 1.0 - kept / mean_tokens);
  packed.fill = kept / packing.tokens;
  if (packing.rule == PackingRule::pad) return packed;
  const PackedSequences fitted = first_fit(packing, bytes);
  packed.samples = fitted.samples;
  packed.fill = fitted.fill;
  packed.bytes = fitted.bytes;
  return packed;
}

void pack_samples(IngestPath& path, const SequencePacking& packing, double raw_per_byte) {
  const PackedSequences packed = packed_sequences(packing, path.sample_bytes.scaled(raw_per_byte));
  path.sample_bytes = packed.bytes.scaled(1.0 / raw_per_byte);
  path.samples_packed = packed.samples;
  path.packed_fill = packed.fill;
  path.packed_cut = packed.cut;
  path.opens_per_sample *= packed.samples;
  path.requests_per_sample *= packed.samples;
  path.memory_bytes_per_sample *= packed.samples;
  path.samples_per_epoch /= packed.samples;
}

void pack_cpu(IngestPath& path) {
  if (path.samples_packed == 1.0) return;
  const sim::Distribution one = path.cpu_s_per_sample;
  path.cpu_s_per_sample = one.scaled(path.samples_packed);
  if (one.is_constant() || path.samples_packed < 2.0) return;
  const double whole = std::floor(path.samples_packed + 0.5);
  const sim::IidSum sum(one, static_cast<std::uint32_t>(whole));
  constexpr int kPoints = 64;
  std::vector<sim::QuantilePoint> points;
  for (int i = 0; i <= kPoints; ++i) {
    const double p = static_cast<double>(i) / kPoints;
    points.push_back({p, sum.quantile(std::clamp(p, 0.125 / kPoints, 1.0 - 0.125 / kPoints))});
  }
  const sim::Distribution law = sim::Distribution::empirical(std::move(points));
  path.cpu_s_per_sample = law.scaled(path.samples_packed * one.mean() / law.mean());
}

}  // namespace headrace::models
