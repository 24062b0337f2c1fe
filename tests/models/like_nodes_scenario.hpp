// A small scenario on many like nodes, of which some can stand for all.
#pragma once

#include "tests/models/small_scenario.hpp"

namespace headrace::models::test {

/// 320 ranks on 160 nodes under 80 leaves, which ask 50 GB/s of the store where nothing is waited for.
inline Scenario many_nodes(double store_bytes_per_s) {
  Scenario scenario = small_scenario(160);
  scenario.stores[0].bandwidth_bytes_per_s = store_bytes_per_s;
  scenario.stores[0].stream_bytes_per_s = 0.2e9;
  scenario.jobs[0].loader.workers = 8;
  return scenario;
}

}  // namespace headrace::models::test
