#include "models/spec/transport.hpp"

#include "models/describe/describe.hpp"

namespace headrace::models {

void describe(RequestGoodput& g, Visitor& v) {
  v.quantity(
      "request", g.request_bytes, Unit::bytes,
      {.low = 512, .high = 1e9, .above = 0, .meaning = "Bytes of a request", .log_scale = true, .required = true});
  v.fraction("share", g.share,
             {.low = 0.01,
              .high = 1,
              .above = 0,
              .max = 1,
              .meaning = "Share of the transport's goodput that a node reaches with such requests",
              .required = true});
}

void describe(ConnectionGoodput& g, Visitor& v) {
  v.number("connections", g.connections,
           {.low = 1,
            .high = 10000,
            .min = 1,
            .meaning = "Connections of a node that are busy at the same time",
            .log_scale = true,
            .required = true});
  v.fraction("share", g.share,
             {.low = 0.01,
              .high = 1,
              .above = 0,
              .max = 1,
              .meaning = "Share of the transport's goodput that they reach together",
              .required = true});
}

void describe(Transport& t, Visitor& v) {
  v.fraction("efficiency", t.efficiency,
             {.low = 0.6,
              .high = 1.0,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Goodput of the transport over the rate of the links (headers, pauses, retransmission)"});
  v.limit("per_core", t.core_bytes_per_s, Unit::bytes_per_second,
          {.low = 1e9,
           .high = 2e10,
           .min = 0,
           .evidence = Evidence::assumed,
           .meaning = "Bytes that one core of the host can receive; 0: no core is needed (RDMA)",
           .log_scale = true});
  v.quantity("cpu_per_request", t.cpu_s_per_request, Unit::seconds,
             {.low = 0,
              .high = 1e-3,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Core time of the host per request: system calls, wake-ups, HTTP"});
  v.quantity("latency", t.latency_s, Unit::seconds,
             {.low = 0,
              .high = 1e-3,
              .min = 0,
              .evidence = Evidence::assumed,
              .meaning = "Time that the transport adds to every open and every request"});
  v.flag("rdma", t.rdma,
         {.evidence = Evidence::assumed, .meaning = "The adapter writes directly to memory; needed for GPUDirect"});
  v.list("by_request", t.by_request,
         {.meaning = "Goodput over bytes of a request, in order of bytes; absent: the same for all requests",
          .unseen_empty = true});
  v.list("by_connections", t.by_connections,
         {.meaning = "Goodput over connections of a node, in order of their number; absent: the same for any number",
          .unseen_empty = true});
  v.constraint("requests of a curve rise",
               std::adjacent_find(t.by_request.begin(), t.by_request.end(),
                                  [](const RequestGoodput& a, const RequestGoodput& b) {
                                    // Larger requests take no less time.
                                    return a.request_bytes >= b.request_bytes ||
                                           a.request_bytes / a.share > b.request_bytes / b.share;
                                  }) == t.by_request.end(),
               "the points of by_request must have rising bytes, and no request may be faster than a smaller one: sort "
               "them, or measure again",
               {"by_request"});
  v.constraint("connections of a curve rise",
               std::adjacent_find(t.by_connections.begin(), t.by_connections.end(),
                                  [](const ConnectionGoodput& a, const ConnectionGoodput& b) {
                                    return a.connections >= b.connections;
                                  }) == t.by_connections.end(),
               "the points of by_connections must have rising numbers: sort them", {"by_connections"});
}

void describe(WideAreaLink& w, Visitor& v) {
  v.quantity("rtt", w.rtt_s, Unit::seconds,
             {.low = 1e-3,
              .high = 0.3,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Round trip to the store; added to every open and every request",
              .log_scale = true});
  v.quantity("window", w.window_bytes, Unit::bytes,
             {.low = 65536,
              .high = 1e9,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Outstanding bytes of one connection: the socket buffer",
              .log_scale = true});
  v.fraction("loss", w.loss,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the segments that are lost; 0: only the window limits"});
  v.quantity("segment", w.segment_bytes, Unit::bytes,
             {.low = 536,
              .high = 9000,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Payload of one segment; 1460 B of an Ethernet frame, 8960 B of a jumbo frame",
              .decided = true});
}

}  // namespace headrace::models
