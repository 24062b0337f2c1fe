// What carries bytes from the store to a node: goodput, core time and latency of the protocol, and how far one
// connection over a wide-area link comes.
#pragma once

#include "models/describe/describe.hpp"

namespace headrace::models {

struct Transport {
  double efficiency = 1.0;
  double core_bytes_per_s = 0.0;  ///< what one core receives; 0: the adapter does the work
  double cpu_s_per_request = 0.0;
  double latency_s = 0.0;
  bool rdma = false;
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
