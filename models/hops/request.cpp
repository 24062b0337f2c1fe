// Latency of requests to the store, and the requests per second that it serves: shared by max-min while batches are
// whole; served sample by sample, servers are whole, and the service time is stretched so that all of them together
// serve exactly the requests per second of the store. docs/models/store.md.
#include "models/hops/registry.hpp"

namespace headrace::models {

const Hop kRequest = {
    "store requests", Stage::request, "requests x latency / lanes of the store",
    [](const IngestPath& path) -> std::optional<Term> {
      const SharedResource& requests = path.requests;
      const bool by_sample = path.granularity.kind == Granularity::Kind::sample;
      const double mean_s = path.request_latency_s.mean();
      Term term;
      term.asks = {{Resource::store_requests, 1.0, Quantity::requests}};
      term.contended = requests.contended;
      term.discipline = !path.local_store ? Discipline::service : by_sample ? Discipline::queue : Discipline::station;
      term.capacity_per_s = or_no_limit(requests.capacity_per_s);
      term.cap_per_s = or_no_limit(path.request_cap_per_s());
      if (!(mean_s > 0.0)) {
        term.parts = {{Quantity::requests, 1.0}};
        if (by_sample) term.alone = ServedAlone{false, 1.0, requests.capacity_per_s};
        return term;
      }
      term.parts = {{Quantity::request_s, 1.0}};
      term.rate = path.store_lanes;
      term.amount_per_work = mean_s;
      term.alone = by_sample ? ServedAlone{false, static_cast<double>(whole_servers(requests.capacity_per_s, mean_s)),
                                           times(requests.capacity_per_s, mean_s)}
                             : ServedAlone{true, 1.0, requests.per_worker_per_s};
      return term;
    }};

}  // namespace headrace::models
