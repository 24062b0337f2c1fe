// Samples of varying length put into training sequences of a fixed number of tokens.
//
// What a step takes in is then sequences: `batch` counts them, and a sequence asks for the reads and the decoding of
// all the samples in it. Its compute time is that of its tokens, padding among them.
//
// Sources: M. Krell et al., Efficient sequence packing without cross-contamination, 2021 (packing against padding);
// E. Coffman, K. So, M. Hofri, A. Yao, A stochastic model of bin packing, Information and Control 44, 1980 (next fit);
// D. Johnson, Fast algorithms for bin packing, JCSS 8, 1974 (next-k fit).
#pragma once

#include <cstdint>

#include "models/describe/describe.hpp"
#include "sim/distribution.hpp"

namespace headrace::models {

enum class PackingRule : std::uint8_t { split, pad, fit };
inline constexpr ChoiceName<PackingRule> kPackingRuleNames[] = {
    {PackingRule::split, "split", "samples one behind the other, cut where a sequence is full: nothing is padded"},
    {PackingRule::pad, "pad", "one sample per sequence, filled up or cut off"},
    {PackingRule::fit, "fit", "whole samples into the first of the open sequences that has room, longer ones cut off"}};

struct SequencePacking {
  double tokens = 4096.0;
  double bytes_per_token = 4.0;
  PackingRule rule = PackingRule::fit;
  std::uint64_t open = 64;
};

template <class V>
void describe(SequencePacking& p, V& v) {
  v.number("tokens", p.tokens,
           {.low = 512,
            .high = 131072,
            .min = 1,
            .max = 1e9,
            .evidence = Evidence::assumed,
            .meaning = "Tokens of one sequence",
            .log_scale = true,
            .decided = true});
  v.quantity("bytes_per_token", p.bytes_per_token, Unit::bytes,
             {.low = 2,
              .high = 8,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Bytes of `sample_bytes` per token: 2 or 4 of token numbers, about 4 of English text"});
  v.choice("rule", p.rule, kPackingRuleNames,
           {.evidence = Evidence::assumed, .meaning = "How samples come into sequences", .decided = true});
  v.count("open", p.open,
          {.low = 1,
           .high = 1000,
           .min = 1,
           .max = 1024,
           .evidence = Evidence::assumed,
           .meaning = "Sequences that are open at a time, with rule: fit; where a sample fits into none of them the "
                      "oldest is closed. 1: next fit",
           .log_scale = true,
           .decided = true});
}

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

struct IngestPath;
/// Makes a sample of the path a sequence, as far as reads are concerned. `raw_per_byte`: bytes of `sample_bytes` per
/// byte on the way.
void pack_samples(IngestPath& path, const SequencePacking& packing, double raw_per_byte);
/// The CPU work of a sample made that of a sequence.
void pack_cpu(IngestPath& path);

}  // namespace headrace::models
