// A client of one store with nothing to compute: `workers` that each read one piece after the other. The scenario is
// the shipped dataloader-50ms with other figures, so that rates come from the product's own store, metadata and NIC.
#pragma once

#include <optional>

#include "tests/validation/shipped.hpp"

namespace headrace::testing {

struct StoreClient {
  int workers = 1;
  int lanes = 1;                    ///< reads that one worker keeps in flight
  int batch = 1;                    ///< pieces that a worker reads before it hands over
  double piece_bytes = 1.0;         ///< of one read
  double first_byte_s = 0.0;        ///< mean of an exponential time
  double cpu_s = 0.0;               ///< of a piece, in its worker
  double stream_bytes_per_s = 0.0;  ///< 0: not a limit
  double store_bytes_per_s = 1e15;
  double front_end_bytes_per_s = 0.0;  ///< 0: not a limit
  double nic_bytes_per_s = 1e15;
  double open_s = 0.0;       ///< time of one metadata server for a piece; mean of an exponential time
  int metadata_servers = 0;  ///< 0: never saturates
};

/// Pieces per second, simulated; standard error below 1 %.
double pieces_per_s(const StoreClient& client);
inline double bytes_per_s(const StoreClient& client) { return pieces_per_s(client) * client.piece_bytes; }

}  // namespace headrace::testing
