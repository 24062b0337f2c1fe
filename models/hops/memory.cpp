// Bytes over the memory of the host: passes over what the NIC receives and over the decoded batch. docs/models/host.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kMemory = {"host memory", Stage::memory,
                     "(tensor bytes x passes + received bytes x passes) / bandwidth of the memory",
                     [](const IngestPath& path) -> std::optional<Term> {
                       const HostCosts& host = path.host;
                       if (!host.memory.contended) return std::nullopt;
                       Term term;
                       term.parts = {{Quantity::tensor_bytes, host.batch_passes},
                                     {Quantity::missed_bytes, host.receive_passes},
                                     {Quantity::relayed_bytes, host.receive_passes}};
                       term.rate = host.memory.capacity_per_s;
                       term.discipline = Discipline::station;
                       term.contended = true;
                       term.asks = {{Resource::host_memory}};
                       term.capacity_per_s = or_no_limit(host.memory.capacity_per_s);
                       term.cap_per_s = or_no_limit(host.memory.per_worker_per_s);
                       return term;
                     }};

}  // namespace headrace::models
