#include "sim/fluid_tree.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include "sim/assert.hpp"
#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr TimeNs kSecond = kNanosecondsPerSecond;

FluidTreeSpec one_link(double bytes_per_s) { return {bytes_per_s, {{kInf}}, {{0, kInf}}}; }

struct End {
  std::uint64_t user;
  TimeNs at;
  friend bool operator==(const End&, const End&) = default;
};

/// Runs to the end and returns who finished when.
std::vector<End> drain(FluidTree& tree) {
  std::vector<End> ends;
  while (tree.next_completion() < kNever) {
    const TimeNs now = tree.next_completion();
    tree.complete(now, [&](std::uint64_t user) { ends.push_back({user, now}); });
    tree.settle(now);
  }
  return ends;
}

}  // namespace

TEST_CASE("fluid tree: small caps are granted, the rest is shared") {
  FluidTree tree(one_link(10.0));
  std::vector<FlowId> flows;
  for (const double cap : {1.0, 2.0, 9.0, 9.0}) flows.push_back(tree.start(0, 0, 100.0, cap, 0));
  tree.settle(0);
  CHECK(tree.rate_bytes_per_s(flows[0]) == Approx(1.0).epsilon(1e-14));
  CHECK(tree.rate_bytes_per_s(flows[1]) == Approx(2.0).epsilon(1e-14));
  CHECK(tree.rate_bytes_per_s(flows[2]) == Approx(3.5).epsilon(1e-14));
  CHECK(tree.rate_bytes_per_s(flows[3]) == Approx(3.5).epsilon(1e-14));
}

TEST_CASE("fluid tree: processor sharing of one link by hand") {
  // 1 unit/s; A (2 units) from 0 s, B (1 unit) from 1 s: A has 1 left at 1 s, both run at 1/2 and end at 3 s.
  // C (0.25 units) joins at 2 s: A, B and C have .5, .5, .25 left; C ends at 2.75 s, A and B (.25 left) at 3.25 s.
  FluidTree tree(one_link(1.0));
  std::vector<End> ends;
  const auto run_to = [&](TimeNs at) {
    while (tree.next_completion() <= at) {
      const TimeNs now = tree.next_completion();
      tree.complete(now, [&](std::uint64_t user) { ends.push_back({user, now}); });
      tree.settle(now);
    }
  };
  tree.start(0, 0, 2.0, kInf, 'A');
  tree.settle(0);
  run_to(1 * kSecond);
  tree.start(1 * kSecond, 0, 1.0, kInf, 'B');
  tree.settle(1 * kSecond);
  CHECK(tree.next_completion() == 3 * kSecond);
  run_to(2 * kSecond);
  tree.start(2 * kSecond, 0, 0.25, kInf, 'C');
  tree.settle(2 * kSecond);
  run_to(kNever - 1);
  CHECK(ends == std::vector<End>{{'C', 2'750'000'000}, {'A', 3'250'000'000}, {'B', 3'250'000'000}});
}

TEST_CASE("fluid tree: oversubscription limits one leaf and leaves the rest to the other") {
  // Pool 10; leaf 0 has an uplink of 2 and two nodes, leaf 1 an uplink of 20 and two nodes with NICs of 3 and 100.
  FluidTree tree({10.0, {{2.0}, {20.0}}, {{0, 5.0}, {0, 5.0}, {1, 3.0}, {1, 100.0}}});
  std::vector<FlowId> flows;
  for (std::uint32_t node = 0; node < 4; ++node) flows.push_back(tree.start(0, node, 1000.0, kInf, node));
  tree.settle(0);
  CHECK(tree.rate_bytes_per_s(flows[0]) == Approx(1.0).epsilon(1e-14));
  CHECK(tree.rate_bytes_per_s(flows[1]) == Approx(1.0).epsilon(1e-14));
  CHECK(tree.rate_bytes_per_s(flows[2]) == Approx(3.0).epsilon(1e-14));
  CHECK(tree.rate_bytes_per_s(flows[3]) == Approx(5.0).epsilon(1e-14));
  tree.cancel(0, flows[3]);
  tree.settle(0);
  CHECK(tree.rate_bytes_per_s(flows[2]) == Approx(3.0).epsilon(1e-14));
  CHECK(tree.rate_bytes_per_s(flows[0]) == Approx(1.0).epsilon(1e-14));
}

TEST_CASE("fluid tree: a flow at its cap ends at the rounded-up transfer time, exactly") {
  FluidTree tree({1e12, {{1e11}}, {{0, 25e9}}});
  const double cap = 3e9;
  const double bytes = 32e6;  // 10 666 666.67 ns
  tree.start(17, 0, bytes, cap, 1);
  tree.settle(17);
  CHECK(tree.next_completion() == 17 + transfer_ns(bytes, cap));
  // Not due one nanosecond before, due then.
  const TimeNs end = 17 + transfer_ns(bytes, cap);
  int done = 0;
  tree.complete(end - 1, [&](std::uint64_t) { ++done; });
  tree.settle(end - 1);
  CHECK(done == 0);
  tree.complete(end, [&](std::uint64_t) { ++done; });
  CHECK(done == 1);
}

TEST_CASE("fluid tree: 1e5 sizes at their cap, alone or in company, follow transfer_ns to the nanosecond") {
  FluidTree tree({1e12, {{1e12}}, {{0, 5e11}, {0, 5e11}}});
  std::uint64_t wrong = 0;
  TimeNs now = 0;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const double bytes = static_cast<double>(1 + (i * 7'919'317) % 64'000'000);
    const double cap = 1e9 + static_cast<double>(i % 7) * 1e9 / 3.0;
    std::vector<End> expected = {{0, now + transfer_ns(bytes, cap)}, {1, now + transfer_ns(bytes + 5.0, cap)}};
    tree.start(now, 0, bytes, cap, 0);
    tree.start(now, static_cast<std::uint32_t>(i % 2), bytes + 5.0, cap, 1);
    tree.settle(now);
    if (drain(tree) != expected) ++wrong;
    now = expected[1].at;
  }
  CHECK(wrong == 0);
}

TEST_CASE("fluid tree: flows of one instant end in the order of their starts") {
  FluidTree tree({1e10, {{1e10}, {1e10}}, {{0, 1e10}, {1, 1e10}, {0, 1e10}}});
  for (std::uint64_t i = 0; i < 30; ++i) tree.start(0, static_cast<std::uint32_t>((i * 7) % 3), 1e6, 1e6 + 0.0, i);
  tree.settle(0);
  CHECK(tree.counters().settles == 1);
  const std::vector<End> ends = drain(tree);
  REQUIRE(ends.size() == 30);
  for (std::uint64_t i = 0; i < 30; ++i) CHECK(ends[i] == End{i, kSecond});
  CHECK(tree.counters().settles == 2);  // thirty starts in one, thirty ends in one
}

TEST_CASE("fluid tree: without any finite capacity flows run at their caps") {
  FluidTree tree({kInf, {{kInf}}, {{0, 1e18}, {0, kInf}}});
  tree.start(5, 0, 1e6, 1e9, 'a');
  tree.start(5, 1, 7e9, kInf, 'b');  // nothing limits it: over at once
  const FlowId gone = tree.start(5, 1, 1e3, 1.0, 'c');
  tree.settle(5);
  CHECK(tree.next_completion() == 5);
  CHECK(tree.rate_bytes_per_s(gone) == Approx(1.0));
  CHECK(tree.active_flows() == 3);
  std::vector<End> ends;
  tree.complete(5, [&](std::uint64_t user) { ends.push_back({user, 5}); });
  CHECK(ends == std::vector<End>{{'b', 5}});
  CHECK(tree.cancel(5, gone));
  CHECK_FALSE(tree.cancel(5, gone));
  CHECK(tree.next_completion() == 5 + 1'000'000);
  CHECK(drain(tree) == std::vector<End>{{'a', 1'000'005}});
  CHECK(tree.usage(1'000'005).pool.bytes == 1e6 + 7e9);
}

TEST_CASE("fluid tree: an empty flow ends at once, at its own instant") {
  FluidTree tree(one_link(1e9));
  tree.start(3, 0, 0.0, 1e8, 1);
  tree.start(3, 0, 100.0, 1e9, 2);
  tree.settle(3);
  CHECK(drain(tree) == std::vector<End>{{1, 3}, {2, 103}});
}

TEST_CASE("fluid tree: cancelling gives the rest back and counts what had moved") {
  FluidTree tree(one_link(2e9));
  tree.start(0, 0, 2e9, kInf, 1);
  const FlowId other = tree.start(0, 0, 2e9, kInf, 2);
  tree.settle(0);
  CHECK(tree.next_completion() == 2 * kSecond);
  CHECK(tree.cancel(kSecond, other));
  CHECK_FALSE(tree.is_active(other));
  tree.settle(kSecond);
  CHECK(tree.next_completion() == 1'500'000'000);
  tree.check_conservation(1'200'000'000);
  CHECK(drain(tree) == std::vector<End>{{1, 1'500'000'000}});
  CHECK(tree.usage(1'500'000'000).pool.bytes == Approx(3e9));
}

TEST_CASE("fluid tree: a callback may start and cancel, and a cancelled flow never calls back") {
  FluidTree tree(one_link(1e9));
  std::vector<FlowId> flows;
  for (std::uint64_t i = 0; i < 4; ++i) flows.push_back(tree.start(0, 0, 250.0, kInf, i));
  tree.settle(0);
  std::vector<std::uint64_t> done;
  tree.complete(1000, [&](std::uint64_t user) {
    done.push_back(user);
    if (user == 0) {
      CHECK(tree.cancel(1000, flows[2]));
      tree.start(1000, 0, 500.0, kInf, 9);
    }
  });
  tree.settle(1000);
  CHECK(done == std::vector<std::uint64_t>{0, 1, 3});
  CHECK(drain(tree) == std::vector<End>{{9, 1500}});
}

TEST_CASE("fluid tree: usage of every link") {
  // Leaf 0 (uplink 4) has nodes 0 and 1 with NICs of 3; leaf 1 has node 2; the pool never fills.
  FluidTree tree({100.0, {{4.0}, {kInf}}, {{0, 3.0}, {0, 3.0}, {1, 1.0}}});
  tree.start(0, 0, 3.0, kInf, 0);  // alone on its NIC: 3/s
  tree.start(0, 2, 5.0, 0.5, 2);   // at its cap, its NIC half used
  tree.settle(0);
  FluidTreeUsage usage = tree.usage(kSecond / 2);
  CHECK(usage.nics[0].bytes == Approx(1.5));
  CHECK(usage.nics[0].saturated_ns == kSecond / 2);
  CHECK(usage.nics[2].saturated_ns == 0);
  CHECK(usage.pool.bytes == Approx(1.75));
  CHECK(usage.pool.active_flows == 2);
  tree.start(kSecond / 2, 1, 4.0, kInf, 1);  // 1.5 left in node 0; both run at 2/s, the uplink's level
  tree.settle(kSecond / 2);
  usage = tree.usage(kSecond);
  CHECK(usage.leaves[0].saturated_ns == kSecond / 2);
  CHECK(usage.nics[0].saturated_ns == kSecond / 2);
  CHECK(usage.leaves[0].bytes == Approx(3.5));
  CHECK(usage.leaves[1].bytes == Approx(0.5));
  drain(tree);
  usage = tree.usage(10 * kSecond);
  CHECK(usage.leaves[0].saturated_ns == 750'000'000);  // until node 0 ends at 1.25 s
  CHECK(usage.nics[1].saturated_ns == 833'333'334);    // then node 1 moves its last 2.5 at 3/s
  CHECK(usage.nics[0].saturated_ns == kSecond / 2);
  CHECK(usage.pool.saturated_ns == 0);
  CHECK(usage.pool.bytes == 12.0);
}

TEST_CASE("fluid tree: wrong use is refused") {
  CHECK_THROWS_AS(FluidTree({0.0, {{1.0}}, {{0, 1.0}}}), std::invalid_argument);
  CHECK_THROWS_AS(FluidTree({1.0, {{1.0}}, {{1, 1.0}}}), std::invalid_argument);
  FluidTree tree(one_link(1e9));
  CHECK_THROWS_AS(tree.start(0, 0, 1.0, 0.0, 0), InternalError);
  CHECK_THROWS_AS(tree.start(0, 0, -1.0, 1.0, 0), InternalError);
  tree.start(10, 0, 1000.0, kInf, 0);
  CHECK_THROWS_AS(tree.settle(11), InternalError);  // time passes over a change
  tree.settle(10);
  CHECK_THROWS_AS(tree.start(9, 0, 1.0, 1.0, 0), InternalError);
  CHECK_THROWS_AS(tree.start(1011, 0, 1.0, 1.0, 0), InternalError);  // time passes a completion
}
