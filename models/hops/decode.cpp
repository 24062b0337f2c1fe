// CPU work on samples, on the cores that the workers of a node share: decompress, parse, decode, augment, page faults.
// docs/models/host.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kDecode = {"decode", Stage::decode, "decoded samples x core time + decoded bytes x core time per byte",
                     [](const IngestPath& path) -> std::optional<Term> {
                       if (path.host.remote.capacity_per_s) return std::nullopt;
                       return core_term(path,
                                        {{Quantity::cpu_s, 1.0},
                                         {Quantity::decoded_bytes, path.host.decode_s_per_byte},
                                         {Quantity::decoded, path.host.decode_s_per_sample + path.fault_s_per_sample}});
                     }};

const Hop kRemoteDecode = {"decode, remote pool", Stage::decode, "decoded samples / rate of one machine",
                           [](const IngestPath& path) -> std::optional<Term> {
                             const SharedResource& remote = path.host.remote;
                             if (!remote.capacity_per_s) return std::nullopt;
                             Term term;
                             term.parts = {{Quantity::decoded, 1.0}};
                             term.rate = remote.per_worker_per_s;
                             term.discipline = Discipline::station;
                             term.contended = remote.contended;
                             term.asks = {{Resource::remote_pool}};
                             term.capacity_per_s = *remote.capacity_per_s;
                             term.cap_per_s = or_no_limit(remote.per_worker_per_s);
                             return term;
                           }};

}  // namespace headrace::models
