// The protocol that brings the bytes: the thread that reads receives, decrypts and copies them on a core of the node,
// one byte after the other (Q. Cai et al., SIGCOMM 2021), and each open and request costs round trips.
// docs/models/host.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kProtocolWork = {"protocol, core time", Stage::protocol,
                           "bytes from the store x core time per byte + requests x core time",
                           [](const IngestPath& path) -> std::optional<Term> {
                             if (!path.host.protocol_works) return std::nullopt;
                             return core_term(path, {{Quantity::stored_bytes, path.host.protocol_s_per_byte},
                                                     {Quantity::requests, path.host.protocol_s_per_request}});
                           }};

const Hop kProtocolDelay = {
    "protocol, latency", Stage::protocol, "(opens x delay + requests x delay) / lanes",
    [](const IngestPath& path) -> std::optional<Term> {
      if (!path.host.protocol_delays) return std::nullopt;
      Term term;
      term.parts = {{Quantity::opens, path.host.delay_per_open_s}, {Quantity::requests, path.host.delay_per_request_s}};
      term.rate = path.lanes;
      return term;
    }};

}  // namespace headrace::models
