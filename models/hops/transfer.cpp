// Bytes from the store: over its bandwidth, front end, spine, leaf uplink and NIC at once, which flows share by max-min
// (Bertsekas and Gallager, Data Networks, 1992); over the drive of the node where the store is local.
// docs/models/fabric.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kTransfer = {"transfer", Stage::transfer, "bytes from the store / rate of one worker",
                       [](const IngestPath& path) -> std::optional<Term> {
                         Term term;
                         term.parts = {{Quantity::stored_bytes, 1.0}};
                         term.rate = path.flow_cap_bytes_per_s;
                         term.contended = true;
                         term.cap_per_s = or_no_limit(path.flow_cap_bytes_per_s);
                         if (path.local_store) {
                           term.discipline = Discipline::station;
                           term.asks = {{Resource::local_drive}};
                           term.capacity_per_s = or_no_limit(path.device.capacity_per_s);
                           term.cap_per_s = or_no_limit(path.device.per_worker_per_s);
                           return term;
                         }
                         term.discipline = Discipline::flow;
                         const double given = path.host.store_share;
                         term.asks = {{Resource::store_bandwidth, given},
                                      {Resource::store_front_end, given},
                                      {Resource::spine},
                                      {Resource::leaf_uplink},
                                      {Resource::nic}};
                         return term;
                       }};

}  // namespace headrace::models
