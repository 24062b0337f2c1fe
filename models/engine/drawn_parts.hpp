// Random parts of batch times, drawn once where they are used again: the runs of one estimate differ in the constant
// part alone, and estimates of designs that are compared share their seed, so their uniforms are the same numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/engine/production_draws.hpp"
#include "sim/random_stream.hpp"
#include "sim/time.hpp"

namespace headrace::models {

/// The random parts, in ns, of the first `batches` batches of all loaders, batch by batch: for ProductionLaw::drawn_ns,
/// and to the bit what ProductionDraws draws. nullptr for a law without a table, or where they are too many to keep.
std::shared_ptr<const std::vector<sim::TimeNs>> drawn_parts(const ProductionLaw& law, const sim::StreamKey& key,
                                                            std::uint32_t loaders, std::uint64_t batches);

}  // namespace headrace::models
