#include "models/hops/amounts.hpp"

#include <algorithm>

#include "models/base/purposes.hpp"

namespace headrace::models {

using sim::Distribution;

const std::array<Draw, kDrawCount> kBatchDraws = {{
    {Quantity::cpu_s, Quantity::decoded, [](const IngestPath& p) -> const Distribution& { return p.cpu_s_per_sample; },
     kDrawHost, 1, true},
    {Quantity::open_s, Quantity::opens, [](const IngestPath& p) -> const Distribution& { return p.metadata_latency_s; },
     kDrawStoreLatency, 0, true},
    {Quantity::request_s, Quantity::requests,
     [](const IngestPath& p) -> const Distribution& { return p.request_latency_s; }, kDrawStoreLatency, 1, true},
    {Quantity::cached_read_s, Quantity::hits,
     [](const IngestPath& p) -> const Distribution& { return p.cache_latency_s; }, kDrawHost, 0, true},
    {Quantity::missed_bytes, Quantity::misses,
     [](const IngestPath& p) -> const Distribution& { return p.sample_bytes; }, kDrawSizes, 0, true},
    {Quantity::peer_s, Quantity::peer,
     [](const IngestPath& p) -> const Distribution& { return p.tiers.peer_latency_s; }, kDrawTierLatency, 0, false},
    {Quantity::shared_s, Quantity::shared,
     [](const IngestPath& p) -> const Distribution& { return p.tiers.shared_latency_s; }, kDrawTierLatency, 1, false},
    {Quantity::shared_bytes, Quantity::shared,
     [](const IngestPath& p) -> const Distribution& { return p.sample_bytes; }, kDrawTierSizes, 1, false},
    {Quantity::peer_bytes, Quantity::peer, [](const IngestPath& p) -> const Distribution& { return p.sample_bytes; },
     kDrawTierSizes, 0, false},
    {Quantity::page_bytes, Quantity::page, [](const IngestPath& p) -> const Distribution& { return p.sample_bytes; },
     kDrawTierSizes, 2, false},
    {Quantity::hit_bytes, Quantity::hits, [](const IngestPath& p) -> const Distribution& { return p.sample_bytes; },
     kDrawSizes, 1, true},
}};

void DerivedAmounts::add_to(Amounts& amounts) const {
  using enum Quantity;
  const double relayed = amounts[peer] + amounts[shared];
  double others = amounts[page] + amounts[shared];
  amounts[stored_bytes] = amounts[missed_bytes] * stored_per_missed_;
  amounts[decoded_bytes] = amounts[missed_bytes];
  if (holds_tensors_) {
    amounts[cached_hit_bytes] = amounts[hits] * cached_bytes_;
    amounts[cached_peer_bytes] = amounts[peer] * cached_bytes_;
  } else {
    amounts[cached_hit_bytes] = amounts[hit_bytes];
    amounts[cached_peer_bytes] = amounts[peer_bytes];
    amounts[decoded_bytes] += amounts[hit_bytes];
    others += amounts[peer];
  }
  amounts[decoded_bytes] += others * mean_bytes_;
  amounts[relayed_bytes] = relayed * mean_bytes_;
  amounts[tensor_bytes] = amounts[samples] * tensor_bytes_;
  amounts[filled_bytes] = amounts[filled] * cached_bytes_;
}

Amounts mean_amounts(const IngestPath& path, const WindowShares& shares, double loaders) {
  using enum Quantity;
  Amounts amounts;
  const double all = loaders * path.batch_samples;
  amounts[samples] = all;
  amounts[hits] = all * shares.hit;
  const double missed = all - amounts[hits] - all * shares.tiers.read();
  amounts[misses] = missed > kRoundedShare * all ? missed : 0.0;
  amounts[page] = all * shares.tiers.page;
  amounts[peer] = all * shares.tiers.peer;
  amounts[shared] = all * shares.tiers.shared;
  amounts[filled] = all * shares.tiers.fill;
  amounts[decoded] = all * (path.holds_tensors ? 1.0 - shares.hit - shares.tiers.peer : 1.0);
  amounts[opens] = amounts[misses] * path.opens_per_sample;
  amounts[requests] = amounts[misses] * path.requests_per_sample;
  amounts[batches] = loaders;
  for (const Draw& draw : kBatchDraws)
    if (amounts[draw.of] > 0.0) amounts[draw.sum] = amounts[draw.of] * draw.law(path).mean();
  DerivedAmounts(path).add_to(amounts);
  return amounts;
}

}  // namespace headrace::models
