// Random trees in lock-step with progressive filling: after every settle all rates are compared, and the yardstick
// moves the bytes of every flow itself and says when each was due. Fixed seeds and exact properties: nothing can fail
// by chance.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sim/fluid_tree.hpp"
#include "tests/catch.hpp"
#include "tests/stations/progressive_filling.hpp"

using namespace headrace::sim;

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : generator_(seed) {}
  std::uint64_t below(std::uint64_t n) { return generator_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  /// A rate in bytes/s of the order of one byte per nanosecond, often one that others have too. A multiple of 1/64, so
  /// that whether caps fill a link exactly is not left to rounding.
  double rate() {
    static constexpr std::array<double, 9> kUsual = {0.0625, 0.125, 0.1875, 0.25, 0.375, 0.5, 1.0, 2.0, 3.25};
    if (!one_in(3)) return kUsual[below(kUsual.size())] * 1e9;
    return static_cast<double>(1 + below(256)) / 64.0 * 1e9;
  }

 private:
  std::mt19937_64 generator_;
};

FluidTreeSpec random_spec(Draws& draws) {
  FluidTreeSpec spec;
  spec.pool_bytes_per_s = draws.one_in(4) ? kUnlimited : 4.0 * draws.rate();
  const bool open = draws.one_in(10);  // no finite link for some nodes
  if (open) spec.pool_bytes_per_s = kUnlimited;
  const std::uint64_t leaves = 1 + draws.below(5);
  const bool equal_nics = draws.one_in(2);
  const double nic = draws.rate();
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    spec.leaves.push_back({draws.one_in(open ? 2 : 4) ? kUnlimited : 2.0 * draws.rate()});
    const std::uint64_t nodes = 1 + draws.below(6);
    for (std::uint64_t i = 0; i < nodes; ++i) {
      spec.nodes.push_back({leaf, equal_nics ? nic : draws.one_in(open ? 2 : 12) ? kUnlimited : draws.rate()});
    }
  }
  std::shuffle(spec.nodes.begin(), spec.nodes.end(), std::mt19937_64(draws.below(1000)));  // any order of leaves
  return spec;
}

enum class Service { alike, weighted, weighted_in_classes };

void tell_apart(Draws& draws, Service service, FluidTreeSpec& spec) {
  static constexpr std::array<std::uint32_t, 6> kWeights = {1, 1, 2, 3, 8, 100};
  if (service == Service::alike) return;
  for (auto& node : spec.nodes) {
    node.weight = kWeights[draws.below(kWeights.size())];
    if (service == Service::weighted_in_classes) node.priority = static_cast<std::uint32_t>(draws.below(3));
  }
}

struct Arrival {
  TimeNs at;
  std::uint32_t node;
  double bytes;
  double cap;
  bool cancels;  // takes out some active flow at the same instant
};

enum class Load {
  usual,      // microseconds, a few caps or a cap per flow
  slow,       // the same a million times slower, so that clocks are re-based
  many_caps,  // long, every flow with a cap of its own, so that classes are reclaimed
};

std::vector<Arrival> random_arrivals(Draws& draws, const FluidTreeSpec& spec, Load load) {
  static constexpr std::array<TimeNs, 4> kGaps = {5, 50, 500, 5000};
  const double slower = load == Load::slow ? 0x1p20 : 1.0;
  const auto gap = load == Load::many_caps ? 40'000 : static_cast<std::uint64_t>(kGaps[draws.below(4)]);
  std::vector<double> caps;
  const std::uint64_t kinds = 1 + draws.below(3);
  for (std::uint64_t i = 0; i < kinds; ++i) caps.push_back(draws.one_in(4) ? kUnlimited : draws.rate());
  const bool cap_per_flow = draws.one_in(4);
  const bool cancels = draws.one_in(2);
  std::vector<Arrival> arrivals;
  TimeNs at = 0;
  for (std::uint64_t n = load == Load::many_caps ? 3000 : 20 + draws.below(100); n > 0; --n) {
    const TimeNs pause = static_cast<TimeNs>(draws.below(gap)) + (draws.one_in(20) ? 20'000 : 0);
    if (draws.one_in(3)) at += static_cast<TimeNs>(static_cast<double>(pause) * slower);
    const auto node = static_cast<std::uint32_t>(draws.below(spec.nodes.size()));
    const double bytes = draws.one_in(2) ? 1000.0 : static_cast<double>(draws.below(3000));
    double cap = cap_per_flow ? draws.rate() : caps[draws.below(caps.size())];
    if (load == Load::many_caps) cap = 1e7 + static_cast<double>(draws.below(std::uint64_t{1} << 32));
    arrivals.push_back({at, node, bytes * slower, cap, cancels && draws.one_in(6)});
  }
  return arrivals;
}

/// What the yardstick knows of an active flow.
struct Twin {
  std::size_t index;
  FlowId id;
  long double rest;
  double rate = 0.0;
  double cap = 0.0;
  bool always_at_cap = true;
};

class LockStep {
 public:
  explicit LockStep(std::uint64_t seed, Load load = Load::usual, Service service = Service::alike)
      : draws_(seed), spec_(random_spec(draws_)) {
    tell_apart(draws_, service, spec_);
    for (std::uint32_t priority = 0; priority < kClasses; ++priority)
      trees_.push_back(std::make_unique<FluidTree>(spec_));
    // Clocks of a pool that have run for seconds move weights and remainders by their last bits.
    if (service != Service::alike && load == Load::slow) tolerance_ns_ = 30.0L;
    arrivals_ = random_arrivals(draws_, spec_, load);
    capacities_.push_back(spec_.pool_bytes_per_s);
    for (const auto& leaf : spec_.leaves) capacities_.push_back(leaf.bytes_per_s);
    for (const auto& node : spec_.nodes) capacities_.push_back(node.nic_bytes_per_s);
  }

  /// Empty if tree and yardstick agree all the way.
  std::string run() {
    while (error_.empty()) {
      const TimeNs arrival = next_ < arrivals_.size() ? arrivals_[next_].at : kNever;
      TimeNs now = arrival;
      for (const auto& tree : trees_) now = std::min(now, tree->next_completion());
      if (now == kNever) break;
      for (Twin& twin : active_) {
        if (twin.rate < kUnlimited)
          twin.rest -= static_cast<long double>(twin.rate) * static_cast<long double>(now - now_) * 1e-9L;
      }
      now_ = now;
      ++instants_;
      end_due();
      arrive();
      settle();
      compare_rates();
      if (instants_ > 40 * arrivals_.size()) fail("the tree wakes up without end");
    }
    if (error_.empty() && !active_.empty()) fail("a flow never ended");
    if (error_.empty() && counters().settles > instants_) fail("an instant was settled twice");
    if (error_.empty()) check_bytes();
    return error_;
  }

  const FluidTree& tree() const { return *trees_[0]; }
  const FluidTreeCounters& counters() const { return tree().counters(); }
  std::uint64_t rates_compared() const { return rates_compared_; }
  std::uint64_t ends_at_cap() const { return ends_at_cap_; }

 private:
  static constexpr std::uint32_t kClasses = 3;  // empty ones cost nothing and change nothing

  FluidTree& tree_of(std::uint32_t node) { return *trees_[spec_.nodes[node].priority]; }

  void settle() {  // class 0 comes first here
    trees_[0]->settle(now_);
    for (std::uint32_t i = 1; i < kClasses; ++i) trees_[i]->settle_below(now_, *trees_[i - 1]);
  }

  void fail(const std::string& what) {
    if (error_.empty()) error_ = what + " at " + std::to_string(now_) + " ns";
  }

  void end_due() {
    std::vector<std::size_t> ended;
    for (const auto& tree : trees_) tree->collect_due(now_);
    for (const auto& tree : trees_) {
      const auto before = static_cast<std::ptrdiff_t>(ended.size());
      tree->tell_due([&ended](std::uint64_t user) { ended.push_back(user); });
      if (!std::is_sorted(ended.begin() + before, ended.end())) fail("flows of one instant ended out of order");
    }
    for (const std::size_t index : ended) {
      const auto twin =
          std::find_if(active_.begin(), active_.end(), [index](const Twin& t) { return t.index == index; });
      if (twin == active_.end()) return fail("a flow ended twice");
      check_end(*twin);
      bytes_ += arrivals_[index].bytes;
      active_.erase(twin);
    }
    for (const Twin& twin : active_) {
      if (twin.rate > 0.0 && twin.rest * 1e9L < -(1.0L + tolerance_ns_) * twin.rate) fail("a flow was due");
    }
  }

  void check_end(const Twin& twin) {
    const Arrival& arrival = arrivals_[twin.index];
    const TimeNs at_cap = arrival.at + transfer_ns(arrival.bytes, twin.cap);
    // transfer_ns may round an exact integer up by one; a flow that left its cap in its very last instant did not.
    const long double least_ns = static_cast<long double>(arrival.bytes) * 1e9L / static_cast<long double>(twin.cap);
    if (static_cast<long double>(now_ - arrival.at) < least_ns - tolerance_ns_) fail("a flow was faster than its cap");
    if (twin.always_at_cap) {
      ++ends_at_cap_;
      if (now_ != at_cap) fail("a flow at its cap did not end at the rounded-up transfer time");
    }
    if (twin.rate == kUnlimited) return;
    const long double late_ns = arrival.bytes == 0.0 ? 0.0L : -twin.rest * 1e9L / static_cast<long double>(twin.rate);
    if (late_ns < -tolerance_ns_ || late_ns > 1.0L + tolerance_ns_)
      fail("a flow ended " + std::to_string(static_cast<double>(late_ns)) + " ns late");
  }

  void arrive() {
    for (; next_ < arrivals_.size() && arrivals_[next_].at == now_; ++next_) {
      const Arrival& arrival = arrivals_[next_];
      const auto& node = spec_.nodes[arrival.node];
      const double cap =
          std::min({arrival.cap, node.nic_bytes_per_s, spec_.leaves[node.leaf].bytes_per_s, spec_.pool_bytes_per_s});
      const FlowId id = tree_of(arrival.node).start(now_, arrival.node, arrival.bytes, arrival.cap, next_);
      active_.push_back({next_, id, arrival.bytes, 0.0, cap, true});
      if (!arrival.cancels) continue;
      const auto victim = active_.begin() + static_cast<std::ptrdiff_t>(draws_.below(active_.size()));
      FluidTree& tree = tree_of(victim->id.node);
      if (!tree.cancel(now_, victim->id)) fail("an active flow could not be cancelled");
      if (tree.cancel(now_, victim->id)) fail("a flow was cancelled twice");
      bytes_ += arrivals_[victim->index].bytes - static_cast<double>(std::max(0.0L, victim->rest));
      active_.erase(victim);
    }
  }

  void compare_rates() {
    std::uint64_t flows = 0;
    for (const auto& tree : trees_) flows += tree->active_flows();
    if (flows != active_.size()) return fail("the number of active flows differs");
    const std::vector<double> rates = fair_rates();
    for (std::size_t i = 0; i < active_.size(); ++i) {
      Twin& twin = active_[i];
      twin.rate = rates[i];
      ++rates_compared_;
      if (rates[i] < twin.cap * (1.0 - 1e-12)) twin.always_at_cap = false;
      const double rate = tree_of(twin.id.node).rate_bytes_per_s(twin.id);
      if (rate != rates[i] && !(std::abs(rate - rates[i]) <= 1e-9 * rates[i])) {
        fail("rate " + std::to_string(rate) + " instead of " + std::to_string(rates[i]));
      }
    }
    if (instants_ % 16 == 0)
      for (const auto& tree : trees_) tree->check_conservation(now_);
  }

  /// Of the active flows: class by class into what the classes before leave, as the tree guarantees it.
  std::vector<double> fair_rates() {
    const auto leaves = static_cast<std::uint32_t>(spec_.leaves.size());
    std::vector<double> rates(active_.size());
    std::vector<double> rest = capacities_;
    for (std::uint32_t priority = 0; priority < kClasses; ++priority) {
      std::vector<std::size_t> members;
      flows_.clear();
      for (std::size_t i = 0; i < active_.size(); ++i) {
        const Arrival& arrival = arrivals_[active_[i].index];
        const auto& node = spec_.nodes[arrival.node];
        if (node.priority != priority) continue;
        members.push_back(i);
        flows_.push_back(
            {{0, 1 + node.leaf, 1 + leaves + arrival.node}, arrival.cap, static_cast<double>(node.weight)});
      }
      const std::vector<double> in_class = progressive_filling(rest, flows_);
      for (std::size_t m = 0; m < members.size(); ++m) {
        rates[members[m]] = in_class[m];
        for (const std::uint32_t link : flows_[m].route)
          if (rest[link] < kUnlimited) rest[link] -= in_class[m];
      }
      for (std::uint32_t link = 0; link <= leaves; ++link)
        if (capacities_[link] < kUnlimited) rest[link] = std::max(rest[link], kLeastRest * capacities_[link]);
    }
    return rates;
  }

  void check_bytes() {
    FluidTreeUsage usage = trees_[0]->usage(now_);
    for (std::uint32_t i = 1; i < kClasses; ++i) usage += trees_[i]->usage(now_);
    if (std::abs(usage.pool.bytes - bytes_) > 1e-6 * bytes_ + 1.0) fail("bytes were lost");
    double leaves = 0.0;
    for (const LinkUsage& leaf : usage.leaves) leaves += leaf.bytes;
    if (std::abs(leaves - bytes_) > 1e-6 * bytes_ + 1.0) fail("bytes were lost in a leaf");
    if (usage.pool.active_flows != 0) fail("a flow is still counted");
  }

  Draws draws_;
  FluidTreeSpec spec_;
  std::vector<std::unique_ptr<FluidTree>> trees_;
  long double tolerance_ns_ = 1e-3L;
  std::vector<Arrival> arrivals_;
  std::vector<double> capacities_;
  std::vector<Twin> active_;
  std::vector<RoutedFlow> flows_;
  std::size_t next_ = 0;
  TimeNs now_ = 0;
  std::uint64_t instants_ = 0;
  std::uint64_t rates_compared_ = 0;
  std::uint64_t ends_at_cap_ = 0;
  double bytes_ = 0.0;
  std::string error_;
};

void run_trees(std::uint64_t first_seed, std::uint64_t trees) {
  FluidTreeCounters total;
  std::uint64_t rates = 0;
  std::uint64_t at_cap = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + trees; ++seed) {
    LockStep lock_step(seed);
    const std::string error = lock_step.run();
    if (!error.empty()) FAIL("tree " << seed << ": " << error);
    total.settles += lock_step.counters().settles;
    total.pool_crossings += lock_step.counters().pool_crossings;
    total.leaf_switches += lock_step.counters().leaf_switches;
    total.stale_keys += lock_step.counters().stale_keys;
    total.idle_wakes += lock_step.counters().idle_wakes;
    rates += lock_step.rates_compared();
    at_cap += lock_step.ends_at_cap();
  }
  INFO(total.settles << " settles, " << total.pool_crossings << " crossings, " << total.leaf_switches << " switches, "
                     << total.stale_keys << " stale keys, " << total.idle_wakes << " idle wakes, " << rates
                     << " rates, " << at_cap << " ends at the cap");
  // The trees reach every kind of change; without that agreement would say little.
  CHECK(total.pool_crossings > trees);
  CHECK(total.leaf_switches > trees);
  CHECK(total.stale_keys > trees / 2);
  CHECK(total.idle_wakes > trees / 10);
  CHECK(at_cap > trees);
  CHECK(rates > 100 * trees);
}

}  // namespace

TEST_CASE("fluid tree: clocks that are re-based lose nothing") {
  std::uint64_t rebases = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    LockStep lock_step(seed, Load::slow);
    const std::string error = lock_step.run();
    if (!error.empty()) FAIL("tree " << seed << ": " << error);
    rebases += lock_step.counters().rebases;
  }
  CHECK(rebases > 1000);
}

TEST_CASE("fluid tree: weights agree with weighted progressive filling") {
  std::uint64_t rates = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    LockStep lock_step(seed, Load::usual, Service::weighted);
    const std::string error = lock_step.run();
    if (!error.empty()) FAIL("tree " << seed << ": " << error);
    rates += lock_step.rates_compared();
  }
  CHECK(rates > 60'000);
}

TEST_CASE("fluid tree: a class has what those before it leave, link by link") {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    LockStep lock_step(seed, Load::usual, Service::weighted_in_classes);
    const std::string error = lock_step.run();
    if (!error.empty()) FAIL("tree " << seed << ": " << error);
  }
}

TEST_CASE("fluid tree: weights and classes bear clocks that have run for long") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    LockStep lock_step(seed, Load::slow, seed % 2 == 0 ? Service::weighted : Service::weighted_in_classes);
    const std::string error = lock_step.run();
    if (!error.empty()) FAIL("tree " << seed << ": " << error);
  }
}

TEST_CASE("fluid tree: a cap per flow does not pile up classes") {
  std::uint64_t reclaims = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LockStep lock_step(seed, Load::many_caps);
    const std::string error = lock_step.run();
    if (!error.empty()) FAIL("tree " << seed << ": " << error);
    reclaims += lock_step.counters().reclaims;
    CHECK(lock_step.tree().class_capacity() < 3000 / 2);
  }
  CHECK(reclaims > 20);
}

TEST_CASE("fluid tree: 3000 random trees agree with progressive filling", "[long_2]") { run_trees(1, 3'000); }

TEST_CASE("fluid tree: 20000 random trees agree with progressive filling", "[.nightly]") { run_trees(100'000, 20'000); }
