// What carries bytes from the store to a node: goodput, core time and latency of the protocol, and how far one
// connection over a wide-area link comes.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "models/describe/declarations.hpp"

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
  std::optional<double> core_bytes_per_s;  ///< what one core receives; none: the adapter does the work
  double cpu_s_per_request = 0.0;
  double latency_s = 0.0;
  bool rdma = false;
  std::vector<RequestGoodput> by_request;         ///< by rising bytes; models/path/goodput.hpp reads between the points
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

void describe(RequestGoodput& g, Visitor& v);
void describe(ConnectionGoodput& g, Visitor& v);
void describe(Transport& t, Visitor& v);
void describe(WideAreaLink& w, Visitor& v);

}  // namespace headrace::models
