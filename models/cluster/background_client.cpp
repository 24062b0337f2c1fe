#include "models/cluster/background_client.hpp"

#include <algorithm>

#include "models/base/purposes.hpp"
#include "sim/portable_math.hpp"

namespace headrace::models {

BackgroundRun::BackgroundRun(const BackgroundPlan& plan, sim::Simulation& simulation, StoreServices& services,
                             std::uint64_t seed, std::uint32_t replication)
    : plan_(plan), simulation_(simulation), services_(services), seed_(seed), replication_(replication) {
  if (plan.bursts) {
    // Begins in the middle of its life: active with the share of time that it is active. What is left of an exponential
    // time is exponential.
    const double u = sim::uniform({seed_, replication_, kDrawBurst, plan.draw_entity}, 0);
    const double mean_s = u < plan.bursts->active_share() ? plan.bursts->on_s : 0.0;
    bursts_drawn_ = 1;
    bursts_.push_back({0, sim::duration_ns(mean_s * exponential(kDrawBurst, plan.draw_entity, bursts_drawn_++))});
  }
  for (std::uint32_t client = 0; client < plan.clients; ++client)
    simulation_.spawn(run_client(client), "background client", client);
}

/// One client, for ever. The first train falls evenly into the first gap, so that clients do not march in step.
sim::Process BackgroundRun::run_client(std::uint32_t client) {
  const std::uint32_t node = plan_.first_node + client % plan_.nodes;
  const double phase = sim::uniform({seed_, replication_, kDrawBackgroundGap, plan_.draw_entity + client}, 0);
  sim::TimeNs due_ns = after_active(0, sim::duration_ns(phase * plan_.mean_gap_s));
  for (std::uint64_t train = 1;; ++train) {
    co_await simulation_.until(due_ns);
    const sim::TimeNs begin_ns = simulation_.now();
    if (services_.metadata.fcfs)
      co_await simulation_.until(services_.metadata.fcfs->book(begin_ns, sim::duration_ns(plan_.train_opens_s)));
    else if (plan_.train_opens_s > 0.0 && services_.metadata.shared.station() != nullptr)
      co_await services_.metadata.shared.station()->serve(plan_.train_opens_s);
    else if (plan_.train_opens_s > 0.0 && services_.metadata.shared.link() != nullptr)
      co_await services_.metadata.shared.link()->transfer(plan_.service_user, plan_.train_opens_s, 1.0);
    else
      co_await simulation_.delay(sim::duration_ns(plan_.train_opens_s));
    co_await simulation_.until(admitted_ns(simulation_.now()));
    if (services_.requests.fcfs)
      co_await simulation_.until(
          services_.requests.fcfs->book(simulation_.now(), sim::duration_ns(plan_.train_requests_s)));
    else if (services_.requests.shared.station() != nullptr)
      co_await services_.requests.shared.station()->serve(plan_.requests_per_train);
    else if (services_.requests.shared.link() != nullptr)
      co_await services_.requests.shared.link()->transfer(plan_.service_user, plan_.requests_per_train,
                                                          plan_.request_cap_per_s);
    else
      co_await simulation_.delay(sim::duration_ns(plan_.train_requests_s));
    co_await services_.network->transfer(node, plan_.train_bytes, plan_.flow_cap_bytes_per_s);
    ++totals_.trains;
    totals_.sojourn_ns += simulation_.now() - begin_ns;
    const sim::TimeNs late_ns = std::max<sim::TimeNs>(0, simulation_.now() - due_ns);
    const sim::TimeNs lost_ns = std::max<sim::TimeNs>(0, late_ns - sim::duration_ns(plan_.mean_gap_s));
    due_ns = after_active(due_ns + lost_ns, gap_ns(client, train));
  }
}

double BackgroundRun::bytes_per_s() const {
  const sim::TimeNs elapsed_ns = simulation_.now() - totals_since_ns_;
  const double bytes = static_cast<double>(totals_.trains) * plan_.requests_per_train * plan_.request_bytes;
  return elapsed_ns > 0 ? bytes / sim::seconds(elapsed_ns) : 0.0;
}

/// When the load will have been active for `duration_ns` from `from_ns` on; bursts are those of the load, not of its
/// clients.
sim::TimeNs BackgroundRun::after_active(sim::TimeNs from_ns, sim::TimeNs duration_ns) {
  if (!plan_.bursts) return from_ns + duration_ns;
  const sim::TimeNs oldest_ns = std::min(from_ns, simulation_.now() - sim::duration_ns(plan_.mean_gap_s));
  while (bursts_.size() > 1 && bursts_.front().end_ns < oldest_ns) bursts_.pop_front();
  for (std::size_t i = 0;; ++i) {
    if (i == bursts_.size()) draw_burst();
    const Burst& burst = bursts_[i];
    const sim::TimeNs begin_ns = std::max(from_ns, burst.begin_ns);
    if (begin_ns + duration_ns < burst.end_ns) return begin_ns + duration_ns;
    duration_ns -= std::max<sim::TimeNs>(0, burst.end_ns - begin_ns);
  }
}

void BackgroundRun::draw_burst() {
  const auto next_ns = [this](double mean_s) {
    return sim::duration_ns(mean_s * exponential(kDrawBurst, plan_.draw_entity, bursts_drawn_++));
  };
  const sim::TimeNs begin_ns = bursts_.back().end_ns + next_ns(plan_.bursts->off_s);
  bursts_.push_back({begin_ns, begin_ns + next_ns(plan_.bursts->on_s)});
}

/// The requests of background clients wait for the store's limit without a 503: they do not come in herds.
sim::TimeNs BackgroundRun::admitted_ns(sim::TimeNs now_ns) {
  return services_.limit ? services_.limit->reserve(now_ns, plan_.requests_per_train) : now_ns;
}

sim::TimeNs BackgroundRun::gap_ns(std::uint32_t client, std::uint64_t train) const {
  return sim::duration_ns(plan_.mean_gap_s * exponential(kDrawBackgroundGap, plan_.draw_entity + client, train));
}

double BackgroundRun::exponential(sim::Purpose purpose, std::uint32_t entity, std::uint64_t index) const {
  return -sim::plog1p(-sim::uniform({seed_, replication_, purpose, entity}, index));
}

}  // namespace headrace::models
