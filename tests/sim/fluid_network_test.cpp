#include "sim/fluid_network.hpp"

#include <memory>
#include <vector>

#include "tests/catch.hpp"

using namespace headrace::sim;

namespace {

FluidTreeSpec two_nodes(double bytes_per_s) {
  return {bytes_per_s, {{bytes_per_s}}, {{0, bytes_per_s}, {0, bytes_per_s}}};
}

Process mover(FluidNetwork& network, std::uint32_t node, double bytes, double cap, std::vector<TransferResult>& log) {
  const TransferResult result = co_await network.transfer(node, bytes, cap);
  log.push_back(result);
}

Process late_mover(FluidNetwork& network, TimeNs delay, double bytes, std::vector<TransferResult>& log) {
  co_await network.simulation().delay(delay);
  const TransferResult first = co_await network.transfer(1, bytes);
  log.push_back(first);
  const TransferResult second = co_await network.transfer(0, bytes, 1e8);
  log.push_back(second);
}

struct Noted : TransferOwner {
  Noted(std::vector<std::uint64_t>& log, std::uint64_t its_name)
      : TransferOwner{&Noted::note}, done(log), name(its_name) {}
  static void note(TransferOwner& self) {
    auto& noted = static_cast<Noted&>(self);
    noted.done.push_back(noted.name);
  }
  std::vector<std::uint64_t>& done;
  std::uint64_t name;
};

}  // namespace

TEST_CASE("fluid network: processes share a link and learn when they started and ended") {
  Simulation simulation;
  FluidNetwork network(simulation, two_nodes(1e9));
  std::vector<TransferResult> log;
  simulation.spawn(mover(network, 0, 1000.0, kUnlimitedBytesPerS, log));
  simulation.spawn(late_mover(network, 500, 200.0, log));
  simulation.run();
  REQUIRE(log.size() == 3);
  CHECK((log[0].start == 500 && log[0].end == 900));   // 200 bytes at half the link
  CHECK((log[1].start == 0 && log[1].end == 1234));    // 300 left at 0.9 of it, rounded up
  CHECK((log[2].start == 900 && log[2].end == 2900));  // at its cap
  CHECK(log[0].completed());
  CHECK(network.active_flows() == 0);
  CHECK(network.usage().pool.bytes == 1400.0);
}

TEST_CASE("fluid network: a burst at one instant is settled once") {
  Simulation simulation;
  FluidNetwork network(simulation, two_nodes(1e9));
  std::vector<TransferResult> log;
  for (int i = 0; i < 100; ++i) simulation.spawn(mover(network, static_cast<std::uint32_t>(i % 2), 10.0, 1e9, log));
  simulation.run();
  REQUIRE(log.size() == 100);
  for (const TransferResult& result : log) CHECK(result.end == 1000);
  CHECK(network.tree().counters().settles == 2);
}

TEST_CASE("fluid network: a zero-byte transfer takes no time") {
  Simulation simulation;
  FluidNetwork network(simulation, two_nodes(1e9));
  std::vector<TransferResult> log;
  simulation.spawn(mover(network, 0, 0.0, 1e3, log));
  simulation.run();
  REQUIRE(log.size() == 1);
  CHECK(log[0].end == 0);
}

TEST_CASE("fluid network: owners are told of the end, unless it was cancelled") {
  Simulation simulation;
  FluidNetwork network(simulation, two_nodes(1e9));
  std::vector<std::uint64_t> done;
  Noted seven(done, 7), eight(done, 8), nine(done, 9), ten(done, 10);
  network.transfer(0, 100.0, 1e9, seven);
  const FlowId gone = network.transfer(1, 100.0, 1e9, eight);
  network.transfer(1, 50.0, 1e9, nine);
  CHECK(network.cancel(gone));
  CHECK_FALSE(network.cancel(gone));
  simulation.run_until(100);
  CHECK(done == std::vector<std::uint64_t>{9});
  network.transfer(1, 25.0, 1e9, ten);
  simulation.run();
  CHECK(done == std::vector<std::uint64_t>{9, 10, 7});
  CHECK(simulation.now() == 175);
}

TEST_CASE("fluid network: an interrupt gives the transfer up and frees its share") {
  Simulation simulation;
  FluidNetwork network(simulation, two_nodes(1e9));
  std::vector<TransferResult> log;
  const ProcessId first = simulation.spawn(mover(network, 0, 1000.0, 1e9, log));
  simulation.spawn(mover(network, 1, 1000.0, 1e9, log));
  simulation.run_until(400);
  CHECK(simulation.interrupt(first, 3));
  simulation.run();
  REQUIRE(log.size() == 2);
  CHECK((log[0].interrupted && log[0].reason == 3 && log[0].end == 400));
  CHECK((log[1].completed() && log[1].end == 1200));
  CHECK(network.usage().pool.bytes == Approx(1200.0));
}

TEST_CASE("fluid network: processes may be destroyed at any moment of a transfer") {
  for (TimeNs at = 0; at <= 1100; at += 50) {
    Simulation simulation;
    FluidNetwork network(simulation, two_nodes(1e9));
    std::vector<TransferResult> log;
    const ProcessId first = simulation.spawn(late_mover(network, 100, 300.0, log));
    simulation.spawn(mover(network, 0, 200.0, 1e9, log));
    simulation.run_until(at);
    simulation.destroy(first);
    simulation.run();
    network.tree().check_conservation(simulation.now());
    CHECK(network.active_flows() == 0);
    CHECK(simulation.live_processes() == 0);
  }
}

TEST_CASE("fluid network: tear-down in either order with transfers under way") {
  std::vector<TransferResult> log;
  SECTION("the network goes first") {
    Simulation simulation;
    auto network = std::make_unique<FluidNetwork>(simulation, two_nodes(1e9));
    simulation.spawn(mover(*network, 0, 1000.0, 1e9, log));
    simulation.spawn(late_mover(*network, 500, 1000.0, log));
    simulation.run_until(600);
    network.reset();
    simulation.run();
  }
  SECTION("the simulation goes first") {
    auto simulation = std::make_unique<Simulation>();
    FluidNetwork network(*simulation, two_nodes(1e9));
    simulation->spawn(mover(network, 0, 1000.0, 1e9, log));
    simulation->spawn(late_mover(network, 500, 1000.0, log));
    simulation->run_until(600);
    simulation.reset();
    CHECK(network.active_flows() == 0);
  }
  CHECK(log.empty());
}

TEST_CASE("fluid network: weights and priorities of nodes") {
  // A link of 1 GB/s: node 0 has weight 3, node 1 weight 1; node 2 comes first with at most 600 MB/s.
  FluidTreeSpec spec{1e9, {{}}, {{0, 1e9, 3, 1}, {0, 1e9, 1, 1}, {0, 1e9, 1, 2}}};
  Simulation simulation;
  FluidNetwork network(simulation, spec);
  std::vector<TransferResult> log;
  simulation.spawn(mover(network, 0, 600.0, kUnlimitedBytesPerS, log));
  simulation.spawn(mover(network, 1, 300.0, kUnlimitedBytesPerS, log));
  simulation.spawn(mover(network, 2, 600.0, 6e8, log));
  simulation.run();
  REQUIRE(log.size() == 3);
  // Up to 1000 ns the high one has 0.6 B/ns, the others 0.3 and 0.1. Then 0.75 and 0.25, with 300 and 200 bytes left.
  CHECK(log[0].end == 1000);
  CHECK(log[1].end == 1400);
  CHECK(log[2].end == 1500);  // 100 left, alone
  CHECK(network.active_flows() == 0);
  CHECK(network.usage().pool.bytes == Approx(1500.0));
}

TEST_CASE("fluid network: a class that is left nothing creeps on") {
  FluidTreeSpec spec{1e9, {{}}, {{0, 1e9, 1, 0}, {0, 1e9, 1, 5}}};
  Simulation simulation;
  FluidNetwork network(simulation, spec);
  std::vector<TransferResult> log;
  simulation.spawn(mover(network, 0, 2000.0, kUnlimitedBytesPerS, log));
  simulation.spawn(mover(network, 1, 1024000.0, kUnlimitedBytesPerS, log));
  simulation.run();
  CHECK(log[0].end == 1024000);
  CHECK(log[1].end == 1025000);  // a thousand bytes while the link was full, the rest after it
}

TEST_CASE("fluid network: interrupted transfers of a lower class give their bandwidth back") {
  FluidTreeSpec spec{1e9, {{}}, {{0, 1e9, 1, 0}, {0, 1e9, 1, 0}, {0, 5e8, 1, 1}}};
  Simulation simulation;
  FluidNetwork network(simulation, spec);
  std::vector<std::uint64_t> done;
  Noted low(done, 1);
  Noted gone(done, 2);
  Noted high(done, 3);
  network.transfer(0, 250.0, kUnlimitedBytesPerS, low);
  const FlowId id = network.transfer(1, 250.0, kUnlimitedBytesPerS, gone);
  network.transfer(2, 500.0, kUnlimitedBytesPerS, high);
  struct Cancel {
    FluidNetwork& network;
    FlowId id;
    static void now(void* self, std::uint64_t) {
      auto& cancel = *static_cast<Cancel*>(self);
      CHECK(cancel.network.cancel(cancel.id));
    }
  } cancel{network, id};
  simulation.schedule_at(400, Action{&Cancel::now, &cancel, 0});
  simulation.run();
  // 100 bytes by 400 ns at a quarter, then half a byte per nanosecond: at 700 ns, before the high one at 1000 ns.
  CHECK(done == std::vector<std::uint64_t>{1, 3});
  CHECK(simulation.now() == 1000);
}
