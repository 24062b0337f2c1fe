// What a path asks for when samples of varying length are packed into sequences.
//
// Sources: M. Krell et al., Efficient sequence packing without cross-contamination, 2021 (packing against padding);
// E. Coffman, K. So, M. Hofri, A. Yao, A stochastic model of bin packing, Information and Control 44, 1980 (next fit);
// D. Johnson, Fast algorithms for bin packing, JCSS 8, 1974 (next-k fit).
#pragma once

#include "models/path/ingest_path.hpp"
#include "models/spec/sequence_packing.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

/// What packing makes of samples.
struct PackedSequences {
  double samples = 1.0;     ///< in a sequence, mean
  double fill = 1.0;        ///< tokens of samples over those of sequences; the rest is padding
  double cut = 0.0;         ///< share of the samples' tokens that is cut off
  sim::Distribution bytes;  ///< of the samples in a sequence, read whole
};

/// For samples of `bytes`. Deterministic: `fit` packs a fixed series of draws, with a standard error of about 0.3 % in
/// `fill`.
PackedSequences packed_sequences(const SequencePacking& packing, const sim::Distribution& bytes);

/// Makes a sample of the path a sequence, as far as reads are concerned. `raw_per_byte`: bytes of `sample_bytes` per
/// byte on the way.
void pack_samples(IngestPath& path, const SequencePacking& packing, double raw_per_byte);
/// The CPU work of a sample made that of a sequence.
void pack_cpu(IngestPath& path);

}  // namespace headrace::models
