#include "models/hops/registry.hpp"

#include <algorithm>
#include <cmath>  // std::floor

namespace headrace::models {

std::span<const Hop* const> hops() {
#define HEADRACE_HOP_ADDRESS(hop) &(hop),
  static constexpr std::array kHops = {HEADRACE_HOPS(HEADRACE_HOP_ADDRESS)};
#undef HEADRACE_HOP_ADDRESS
  static_assert(kHops.size() <= kMostHops);
  return kHops;
}

ShortList<StagedTerm, kMostHops> terms_of(const IngestPath& path) {
  ShortList<StagedTerm, kMostHops> terms;
  for (const Hop* hop : hops())
    if (const std::optional<Term> term = hop->term(path)) terms.push_back({*term, hop->stage});
  return terms;
}

ShortList<Stage, kMostHops> stages_limited_by(const IngestPath& path, Resource resource) {
  ShortList<Stage, kMostHops> stages;
  if (const std::optional<Stage> stage = traits(resource).stage) return {*stage};
  for (const StagedTerm& term : terms_of(path))
    if (std::any_of(term.asks.begin(), term.asks.end(), [&](const Ask& ask) { return ask.resource == resource; }))
      stages.push_back(term.stage);
  return stages;
}

Term medium_term(const IngestPath& path, ShortList<TermPart, 3> bytes) {
  Term term;
  term.parts = bytes;
  term.rate = path.cache.capacity_per_s;
  term.discipline = Discipline::station;
  term.contended = path.cache.contended;
  term.asks = {{Resource::cache}};
  term.capacity_per_s = or_no_limit(path.cache.capacity_per_s);
  term.cap_per_s = or_no_limit(path.cache.per_worker_per_s);
  return term;
}

Term core_term(const IngestPath& path, ShortList<TermPart, 3> cpu_s) {
  Term term;
  term.parts = cpu_s;
  term.rate = 1.0;
  term.slowed = true;
  term.discipline = Discipline::station;
  term.contended = path.cpu.contended;
  term.asks = {{Resource::cores}};
  term.capacity_per_s = or_no_limit(path.cpu.capacity_per_s);
  term.cap_per_s = or_no_limit(path.cpu.per_worker_per_s);
  return term;
}

std::uint32_t whole_servers(std::optional<double> capacity_per_s, double mean_s) {
  if (!capacity_per_s) return 1;
  return static_cast<std::uint32_t>(std::max(1.0, std::floor(*capacity_per_s * mean_s + 0.5)));
}

}  // namespace headrace::models
