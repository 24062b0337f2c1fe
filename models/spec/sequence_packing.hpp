// Samples of varying length put into training sequences of a fixed number of tokens.
//
// What a step takes in is then sequences: `batch` counts them, and a sequence asks for the reads and the decoding of
// all the samples in it. Its compute time is that of its tokens, padding among them.
#pragma once

#include <cstdint>

#include "models/describe/declarations.hpp"

namespace headrace::models {

enum class PackingRule : std::uint8_t { split, pad, fit };
inline constexpr ChoiceName<PackingRule> kPackingRuleNames[] = {
    {PackingRule::split, "split", "samples one after the other, cut at the end of a sequence, without padding"},
    {PackingRule::pad, "pad", "one sample per sequence, padded or cut"},
    {PackingRule::fit, "fit", "whole samples into the first open sequence with enough space; longer samples are cut"}};

struct SequencePacking {
  double tokens = 4096.0;
  double bytes_per_token = 4.0;
  PackingRule rule = PackingRule::fit;
  std::uint64_t open = 64;
};

void describe(SequencePacking& p, Visitor& v);

}  // namespace headrace::models
