#include "tests/twins/goodput.hpp"

#include <algorithm>

namespace headrace::models::twins {

double goodput_of_request_size(double request_bytes, double half_bytes) {
  return request_bytes / (request_bytes + half_bytes);
}

double goodput_of_windows(double connections, double window_bytes, double rtt_s, double full_bytes_per_s) {
  return std::min(1.0, connections * window_bytes / (rtt_s * full_bytes_per_s));
}

}  // namespace headrace::models::twins
