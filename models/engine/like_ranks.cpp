#include "models/engine/like_ranks.hpp"

#include <algorithm>

#include "models/base/purposes.hpp"
#include "models/hops/path.hpp"

namespace headrace::models {

LikeRanks::LikeRanks(const IngestPath& whole, std::uint32_t simulated_nodes, const ItineraryMaker& itineraries,
                     std::uint64_t seed, std::uint32_t replication)
    : whole_(whole),
      itineraries_(itineraries),
      seed_(seed),
      replication_(replication),
      loaders_per_node_(whole.loaders / whole.nodes),
      simulated_nodes_(simulated_nodes),
      first_loader_(simulated_nodes * loaders_per_node_),
      times_(itineraries),
      ranks_(whole, whole.loaders - first_loader_, itineraries.behind_worker()),
      likes_(whole.nodes - simulated_nodes, 0),
      visits_(itineraries.most_visits()) {}

sim::TimeNs LikeRanks::arrive(sim::TimeNs compute_end_ns, std::span<const sim::TimeNs> waited_ns) {
  const bool waited = std::any_of(waited_ns.begin(), waited_ns.end(), [](sim::TimeNs ns) { return ns != 0; });
  if (!waited) {
    arrival_ = arrive_after(compute_end_ns, [](std::uint32_t) { return sim::TimeNs{0}; });
  } else {
    for (std::uint32_t node = 0; node < likes_.size(); ++node) {
      const double u = sim::uniform({seed_, replication_, kDrawLikeNode, whole_.draw_base + node}, batch_);
      likes_[node] = std::min(static_cast<std::uint32_t>(u * simulated_nodes_), simulated_nodes_ - 1);
    }
    arrival_ = arrive_after(compute_end_ns, [&](std::uint32_t loader) { return waited_ns[like(loader)]; });
  }
  ++batch_;
  return arrival_.last_ns;
}

/// Where workers keep up, few of the batches need be drawn.
template <class WaitTime>
RankRecursion::Arrival LikeRanks::arrive_after(sim::TimeNs compute_end_ns, const WaitTime& wait_ns) {
  const auto batch_ns = [&](std::uint32_t loader, std::uint32_t back, Closeness closeness) {
    return times_.of(first_loader_ + loader, batch_ - back, closeness);
  };
  return ranks_.arrive(compute_end_ns, RankRecursion::Batches{batch_ns, wait_ns, times_.only_exact()});
}

void LikeRanks::step_ends(sim::TimeNs end_ns) { ranks_.step_ends(end_ns); }

BatchTimeline LikeRanks::last_timeline(const BatchTimeline& like) {
  const std::uint32_t loader = first_loader_ + arrival_.loader;
  std::uint32_t count = itineraries_.make(loader, batch_ - 1, visits_);
  sim::TimeNs end_ns = arrival_.begin_ns;
  auto other = like.visits.begin();
  sim::TimeNs other_begin_ns = like.assigned_ns;
  for (std::uint32_t i = 0; i < count; ++i) {
    end_ns += visits_[i].service_ns();
    while (other != like.visits.end() && other->term() < visits_[i].term()) other_begin_ns = (other++)->end_ns;
    if (other != like.visits.end() && other->term() == visits_[i].term()) {
      end_ns += std::max<sim::TimeNs>(0, other->end_ns - other_begin_ns - other->service_ns());
      if (other->shared()) visits_[i].set_shared();
      other_begin_ns = (other++)->end_ns;
    }
    end_ns = std::min(end_ns, arrival_.ready_ns);  // what the other one waited for where this one does not stop
    visits_[i].end_ns = end_ns;
  }
  if (count > 0) visits_[count - 1].end_ns = arrival_.ready_ns;
  const BehindWorker& behind = itineraries_.behind_worker();
  if (behind.service_ns > 0) {
    visits_[count] = StageVisit(behind.stage, behind.holder == Holder::pin_thread, behind.service_ns, 0.0, behind.term);
    visits_[count++].end_ns = arrival_.last_ns;
  }
  return {arrival_.begin_ns, arrival_.last_ns, nullptr, {visits_.data(), count}};
}

}  // namespace headrace::models
