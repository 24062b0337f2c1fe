// What whole batches at a station change: two short simulations of a job, batch by batch and sample by sample.
#pragma once

#include <cstdint>

#include "models/hops/path.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// Warns where whole batches make the mean step more than 1 % longer or shorter than samples do, and that by more than
/// the noise of both runs. True if they were compared: samples of few ranks that share a station are, if one request
/// of a worker is under way at a time.
bool warn_by_pilot(const IngestPath& path, std::uint64_t seed, Outcome& outcome);

}  // namespace headrace::models
