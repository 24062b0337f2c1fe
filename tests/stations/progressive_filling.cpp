#include "tests/stations/progressive_filling.hpp"

#include <algorithm>
#include <utility>

#include "sim/assert.hpp"

namespace headrace::sim {
namespace {

struct Link {
  double rest = 0.0;  // capacity that no stopped flow has taken
  std::vector<std::uint32_t> flows;
  std::size_t rising = 0;
  double rising_weight = 0.0;

  /// Of a flow of weight 1.
  double share() const { return rest / rising_weight; }
};

class Filling {
 public:
  Filling(const std::vector<double>& capacities, const std::vector<RoutedFlow>& flows)
      : flows_(flows), links_(capacities.size()), rates_(flows.size(), -1.0) {
    for (std::size_t i = 0; i < links_.size(); ++i) links_[i].rest = capacities[i];
    for (const RoutedFlow& flow : flows) {
      for (const std::uint32_t link : flow.route)
        HEADRACE_ASSERT(link < links_.size(), "a route names a link that does not exist");
      priorities_.push_back(flow.priority);
    }
    std::sort(priorities_.begin(), priorities_.end(), [](std::uint32_t a, std::uint32_t b) { return a > b; });
    priorities_.erase(std::unique(priorities_.begin(), priorities_.end()), priorities_.end());
  }

  std::vector<double> run() {
    for (const std::uint32_t priority : priorities_) fill(priority);
    return std::move(rates_);
  }

 private:
  void enter(std::uint32_t priority) {
    by_cap_.clear();
    for (Link& link : links_) {
      link.flows.clear();
      link.rising_weight = 0.0;
    }
    for (std::uint32_t f = 0; f < flows_.size(); ++f) {
      if (flows_[f].priority != priority) continue;
      by_cap_.push_back(f);
      for (const std::uint32_t l : flows_[f].route) {
        links_[l].flows.push_back(f);
        ++links_[l].rising;
        links_[l].rising_weight += flows_[f].weight;
      }
    }
    std::stable_sort(by_cap_.begin(), by_cap_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return level_at_cap(a) < level_at_cap(b); });
  }

  void fill(std::uint32_t priority) {
    enter(priority);
    std::size_t next_cap = 0;
    while (true) {
      while (next_cap < by_cap_.size() && rates_[by_cap_[next_cap]] >= 0.0) ++next_cap;
      if (next_cap == by_cap_.size()) return;
      const std::uint32_t next = by_cap_[next_cap];
      Link* const tightest = tightest_link();
      if (tightest == nullptr || level_at_cap(next) <= tightest->share()) {
        stop(next, flows_[next].cap_bytes_per_s);
        continue;
      }
      const double level = std::max(0.0, tightest->share());
      for (const std::uint32_t f : tightest->flows) {
        if (rates_[f] < 0.0) stop(f, level * flows_[f].weight);
      }
    }
  }

  double level_at_cap(std::uint32_t flow) const { return flows_[flow].cap_bytes_per_s / flows_[flow].weight; }

  Link* tightest_link() {
    Link* tightest = nullptr;
    for (Link& link : links_) {
      if (link.rising > 0 && (tightest == nullptr || link.share() < tightest->share())) tightest = &link;
    }
    return tightest;
  }

  void stop(std::uint32_t flow, double rate) {
    rates_[flow] = rate;
    for (const std::uint32_t l : flows_[flow].route) {
      Link& link = links_[l];
      --link.rising;
      link.rising_weight -= flows_[flow].weight;
      if (link.rest < std::numeric_limits<double>::infinity()) link.rest -= rate;
    }
  }

  const std::vector<RoutedFlow>& flows_;
  std::vector<Link> links_;
  std::vector<double> rates_;
  std::vector<std::uint32_t> priorities_;  // each once, falling
  std::vector<std::uint32_t> by_cap_;      // of the class that is being filled
};

}  // namespace

std::vector<double> progressive_filling(const std::vector<double>& capacities_bytes_per_s,
                                        const std::vector<RoutedFlow>& flows) {
  return Filling(capacities_bytes_per_s, flows).run();
}

}  // namespace headrace::sim
