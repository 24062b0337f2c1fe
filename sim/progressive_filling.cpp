#include "sim/progressive_filling.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/assert.hpp"

namespace headrace::sim {
namespace {

struct Link {
  double rest = 0.0;  // capacity that no stopped flow has taken
  std::vector<std::uint32_t> flows;
  std::size_t rising = 0;

  double share() const { return rest / static_cast<double>(rising); }
};

class Filling {
 public:
  Filling(const std::vector<double>& capacities, const std::vector<RoutedFlow>& flows)
      : flows_(flows), links_(capacities.size()), rates_(flows.size(), -1.0), by_cap_(flows.size()) {
    for (std::size_t i = 0; i < links_.size(); ++i) links_[i].rest = capacities[i];
    for (std::uint32_t f = 0; f < flows.size(); ++f) {
      for (const std::uint32_t link : flows[f].route) {
        HEADRACE_ASSERT(link < links_.size(), "a route names a link that does not exist");
        links_[link].flows.push_back(f);
        ++links_[link].rising;
      }
    }
    std::iota(by_cap_.begin(), by_cap_.end(), 0u);
    std::stable_sort(by_cap_.begin(), by_cap_.end(), [&flows](std::uint32_t a, std::uint32_t b) {
      return flows[a].cap_bytes_per_s < flows[b].cap_bytes_per_s;
    });
  }

  std::vector<double> run() {
    std::size_t next_cap = 0;
    while (true) {
      while (next_cap < by_cap_.size() && rates_[by_cap_[next_cap]] >= 0.0) ++next_cap;
      if (next_cap == by_cap_.size()) return std::move(rates_);
      const double cap = flows_[by_cap_[next_cap]].cap_bytes_per_s;
      Link* const tightest = tightest_link();
      if (tightest == nullptr || cap <= tightest->share()) {
        stop(by_cap_[next_cap], cap);
        continue;
      }
      const double level = std::max(0.0, tightest->share());
      for (const std::uint32_t f : tightest->flows) {
        if (rates_[f] < 0.0) stop(f, level);
      }
    }
  }

 private:
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
      if (link.rest < std::numeric_limits<double>::infinity()) link.rest -= rate;
    }
  }

  const std::vector<RoutedFlow>& flows_;
  std::vector<Link> links_;
  std::vector<double> rates_;
  std::vector<std::uint32_t> by_cap_;
};

}  // namespace

std::vector<double> progressive_filling(const std::vector<double>& capacities_bytes_per_s,
                                        const std::vector<RoutedFlow>& flows) {
  return Filling(capacities_bytes_per_s, flows).run();
}

}  // namespace headrace::sim
