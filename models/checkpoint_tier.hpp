// A faster place that takes checkpoints before their store does.
#pragma once

#include <cstdint>
#include <string>

#include "models/describe/describe.hpp"

namespace headrace::models {

/// Checkpoints go into the first tier, from there into the next one and at last into the checkpoint's store.
struct CheckpointTier {
  std::string store;
  bool peer = false;
  double survives = 0.0;
  std::uint64_t retained = 2;
};

template <class V>
void describe(CheckpointTier& t, V& v) {
  v.reference("store", t.store, Kind::store,
              {.meaning = "Store of this tier: dram and nvme are local to each node", .required = true});
  v.flag("peer", t.peer,
         {.evidence = Evidence::assumed,
          .meaning = "A local tier holds the copy of another node, so that all of it passes the NICs",
          .decided = true});
  v.fraction(
      "survives", t.survives,
      {.low = 0,
       .high = 1,
       .min = 0,
       .max = 1,
       .evidence = Evidence::assumed,
       .meaning = "Share of the failures after which the tier still holds the newest checkpoint: 0 for the memory "
                  "of the nodes alone, near 1 with a copy at a peer"});
  v.count("retained", t.retained,
          {.low = 1,
           .high = 10,
           .min = 1,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Checkpoints that a local tier has room for: the newest one, and the one that is being written",
           .decided = true});
}

}  // namespace headrace::models
