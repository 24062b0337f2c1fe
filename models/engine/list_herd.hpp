// Many clients that list a dataset page by page at the start of a job, against a store that limits requests: each asks
// for its next page a round trip after the last answer, is told 503 where the bucket is empty, and backs off.
//
// An event simulation of every request up to kWholePages of them. Beyond, the clients are alike and their pages many,
// so the rate at which they get pages is simulated for each number of partitions that the store passes through, and the
// pages are divided by it.
#pragma once

#include <cstdint>

#include "models/spec/store.hpp"

namespace headrace::models {

struct ListHerd {
  std::uint32_t clients = 1;      ///< that each ask for one page at a time
  double pages_per_client = 1.0;  ///< a whole number
  double round_trip_s = 0.1;
  RequestLimit limit;
};

struct HerdAnswer {
  double time_s = 0.0;     ///< until the last client has its last page
  double throttled = 0.0;  ///< 503 answers
};

inline constexpr double kWholePages = 200'000.0;

/// Deterministic for a seed.
HerdAnswer simulate_list_herd(const ListHerd& herd, std::uint64_t seed);

/// What no herd can beat: max(pages x round trip, drain of the bucket), with the partitions doubling where they do.
double list_herd_bound_s(const ListHerd& herd);

}  // namespace headrace::models
