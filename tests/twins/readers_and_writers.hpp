// Readers and writers on one store by hand: readers are closed customers, each away from the store for a time (latency,
// decoding) before it asks for its next batch; writers always ask. The store is shared equally among all that ask.
//
// Sources: a closed network of a delay and a processor-sharing station, F. Baskett, K. M. Chandy, R. R. Muntz, F. G.
// Palacios, JACM 22(2), 1975 (exact, whatever the laws of times and bytes; writers that never leave make it a station
// with rates that depend on its queue); its limit for many customers, A. W. Berger, Y. Kogan, IEEE/ACM Trans.
// Networking 8(5), 2000. Deviations: none.
#pragma once

namespace headrace::models::twins {

struct ReadersAndWriters {
  double store_bytes_per_s = 0.0;
  int readers = 0;
  double away_s = 0.0;  ///< of a reader, between two batches
  double batch_bytes = 0.0;
  double writers = 0.0;
};

/// Bytes per second of all writers. Many customers: of n readers at the store, n / (n + writers) of it times
/// away_s / batch_bytes are the others, so that n solves n^2 + n (writers + m - readers) = readers writers, with m =
/// away_s x store / batch_bytes.
double fluid_writes_bytes_per_s(const ReadersAndWriters& network);
/// Exact, by the balance between neighbouring numbers of readers at the store.
double exact_writes_bytes_per_s(const ReadersAndWriters& network);

}  // namespace headrace::models::twins
