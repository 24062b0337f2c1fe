#include "models/spec/checkpoint_tier.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(CheckpointTier& t, Visitor& v) {
  v.reference("store", t.store, Kind::store,
              {.meaning = "Store of this tier: dram and nvme are local to each node", .required = true});
  v.flag("peer", t.peer,
         {.evidence = Evidence::assumed,
          .meaning = "A local tier keeps the copy of another node, which is sent over the NICs",
          .decided = true});
  v.fraction("survives", t.survives,
             {.low = 0,
              .high = 1,
              .min = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the failures after which the tier still has the newest checkpoint: 0 for the memory "
                         "of the nodes only, near 1 with a copy at a peer"});
  v.count("retained", t.retained,
          {.low = 1,
           .high = 10,
           .min = 1,
           .max = 1000000,
           .evidence = Evidence::assumed,
           .meaning = "Checkpoints that a local tier keeps: the newest one, and the one being written",
           .decided = true});
}

}  // namespace headrace::models
