// Reads from the caches of other nodes: over the medium of the peer that serves (a node serves as much as it asks for),
// then over the network between the nodes. docs/models/cache-tiers.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kPeerMedium = {"peer cache, bytes", Stage::cache, "bytes from peers / bandwidth of the medium",
                         [](const IngestPath& path) -> std::optional<Term> {
                           if (!path.tiered()) return std::nullopt;
                           return medium_term(path, {{Quantity::cached_peer_bytes, 1.0}});
                         }};

const Hop kPeerTransfer = {"peer network", Stage::peer, "bytes from peers / rate of one worker",
                           [](const IngestPath& path) -> std::optional<Term> {
                             if (!path.tiered()) return std::nullopt;
                             Term term;
                             term.parts = {{Quantity::cached_peer_bytes, 1.0}};
                             term.rate = path.tiers.peer_bytes_per_s;
                             term.discipline = Discipline::flow;
                             term.contended = true;
                             term.asks = {{Resource::nic},
                                          {Resource::spine, path.tiers.across_leaves},
                                          {Resource::leaf_uplink, path.tiers.across_leaves}};
                             term.cap_per_s = or_no_limit(path.tiers.peer_bytes_per_s);
                             return term;
                           }};

const Hop kPeerLatency = {"peer cache, latency", Stage::peer, "samples from peers x latency / lanes",
                          [](const IngestPath& path) -> std::optional<Term> {
                            if (!path.tiered()) return std::nullopt;
                            Term term;
                            term.parts = {{Quantity::peer_s, 1.0}};
                            term.rate = path.lanes;
                            term.rounding = Rounding::nearest;
                            return term;
                          }};

}  // namespace headrace::models
