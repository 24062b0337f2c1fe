// What carries bytes from the store to a node: goodput, core time and latency of the protocol, and how far one
// connection over a wide-area link comes.
#pragma once

#include <algorithm>
#include <vector>

#include "models/describe/describe.hpp"

namespace headrace::models {

/// A point of the curve of goodput over the bytes of a request.
struct RequestGoodput {
  double request_bytes = 0.0;
  double share = 1.0;
};

/// A point of the curve of goodput over the connections of a node.
struct ConnectionGoodput {
  double connections = 1.0;
  double share = 1.0;
};

struct Transport {
  double efficiency = 1.0;
  double core_bytes_per_s = 0.0;  ///< what one core receives; 0: the adapter does the work
  double cpu_s_per_request = 0.0;
  double latency_s = 0.0;
  bool rdma = false;
  std::vector<RequestGoodput> by_request;         ///< by rising bytes; models/goodput.hpp reads between the points
  std::vector<ConnectionGoodput> by_connections;  ///< by rising number
};

/// A store behind a long link. One connection carries at most window / rtt, and with loss what its congestion control
/// recovers to (M. Mathis et al., Computer Communication Review 27(3), 1997).
struct WideAreaLink {
  double rtt_s = 0.05;
  double window_bytes = 16e6;
  double loss = 0.0;
  double segment_bytes = 1460.0;
};

template <class V>
void describe(RequestGoodput& g, V& v) {
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

template <class V>
void describe(ConnectionGoodput& g, V& v) {
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
              .meaning = "Share of the transport's goodput that they bring together",
              .required = true});
}

template <class V>
void describe(Transport& t, V& v) {
  v.fraction("efficiency", t.efficiency,
             {.low = 0.6,
              .high = 1.0,
              .above = 0,
              .max = 1,
              .evidence = Evidence::assumed,
              .meaning = "Goodput of the transport over the rate of the links (headers, pauses, retransmission)"});
  v.quantity("per_core", t.core_bytes_per_s, Unit::bytes_per_second,
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
              .meaning = "What the transport adds to every open and every request"});
  v.flag("rdma", t.rdma,
         {.evidence = Evidence::assumed, .meaning = "The adapter writes into memory by itself; needed for GPUDirect"});
  v.list("by_request", t.by_request,
         {.meaning = "Goodput against the bytes of a request, by rising bytes; without it all requests reach the same",
          .unseen_empty = true});
  v.list(
      "by_connections", t.by_connections,
      {.meaning = "Goodput against the connections of a node, by rising number; without it any number brings the same",
       .unseen_empty = true});
  v.constraint(
      "requests of a curve rise",
      std::adjacent_find(t.by_request.begin(), t.by_request.end(),
                         [](const RequestGoodput& a, const RequestGoodput& b) {
                           // Larger requests take no less time.
                           return a.request_bytes >= b.request_bytes ||
                                  a.request_bytes / a.share > b.request_bytes / b.share;
                         }) == t.by_request.end(),
      "the points of by_request come by rising bytes, and no request is quicker than a smaller one: sort them, "
      "or measure again",
      {"by_request"});
  v.constraint("connections of a curve rise",
               std::adjacent_find(t.by_connections.begin(), t.by_connections.end(),
                                  [](const ConnectionGoodput& a, const ConnectionGoodput& b) {
                                    return a.connections >= b.connections;
                                  }) == t.by_connections.end(),
               "the points of by_connections come by rising number: sort them", {"by_connections"});
}

template <class V>
void describe(WideAreaLink& w, V& v) {
  v.quantity("rtt", w.rtt_s, Unit::seconds,
             {.low = 1e-3,
              .high = 0.3,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Round trip to the store; every open and every request takes one more",
              .log_scale = true});
  v.quantity("window", w.window_bytes, Unit::bytes,
             {.low = 65536,
              .high = 1e9,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Bytes of one connection that may be under way: the socket buffer",
              .log_scale = true});
  v.fraction("loss", w.loss,
             {.low = 0,
              .high = 1e-2,
              .min = 0,
              .below = 1,
              .evidence = Evidence::assumed,
              .meaning = "Share of the segments that are lost; 0: the window alone limits"});
  v.quantity("segment", w.segment_bytes, Unit::bytes,
             {.low = 536,
              .high = 9000,
              .above = 0,
              .evidence = Evidence::assumed,
              .meaning = "Payload of one segment; 1460 B of an Ethernet frame, 8960 B of a jumbo frame",
              .decided = true});
}

}  // namespace headrace::models
