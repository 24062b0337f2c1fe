// The max-plus engine and the event engine side by side, with nothing shared.
#pragma once

#include "models/cluster/cluster_run.hpp"
#include "models/engine/uncontended_run.hpp"
#include "tests/catch.hpp"

namespace headrace::models::test {

/// Every step of both begins and waits alike, to the nanosecond. Returns the event engine's log.
inline StepLog check_engines_agree(const IngestPath& path, std::uint64_t steps) {
  RunSwitches off;
  off.contention = false;
  const ItineraryMaker itineraries(path, 7, 0, off);
  UncontendedRun e1(path, itineraries);
  e1.run_to(steps);
  ClusterRun e2(path, 7, 0, off);
  e2.run_to(steps);
  REQUIRE(e2.log().steps() == steps);
  for (std::size_t i = 0; i < steps; ++i) {
    REQUIRE(e1.log().records[i].start_ns == e2.log().records[i].start_ns);
    REQUIRE(e1.log().records[i].wait_own_ns == e2.log().records[i].wait_own_ns);
    REQUIRE(e1.log().records[i].wait_peer_ns == e2.log().records[i].wait_peer_ns);
  }
  return e2.log();
}

}  // namespace headrace::models::test
