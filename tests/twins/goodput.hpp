// Goodput by two laws: of requests that each cost a fixed time, and of connections that each carry a window per round
// trip.
//
// Sources: R. W. Hockney, The communication challenge for MPP, Parallel Computing 20(3), 1994 (half-performance
// length); window over round-trip time: V. Jacobson, R. Braden, D. Borman, RFC 1323, 1992, section 1.1. Deviations:
// none.
#pragma once

namespace headrace::models::twins {

/// Share of the full rate that requests of so many bytes reach; `half_bytes` reach a half.
double goodput_of_request_size(double request_bytes, double half_bytes);

/// Share of the full rate that so many connections of one window per round trip bring.
double goodput_of_windows(double connections, double window_bytes, double rtt_s, double full_bytes_per_s);

}  // namespace headrace::models::twins
