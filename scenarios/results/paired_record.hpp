// The part of an outcome that a paired difference needs, as bytes: what a ranking keeps of a run, so that any two of a
// thousand points can be paired later without holding them all in memory.
#pragma once

#include <string>
#include <string_view>

#include "models/outcome/outcome.hpp"

namespace headrace::scenarios {

/// CBOR (RFC 8949); numbers keep every bit.
std::string paired_record(const models::Outcome& outcome);

/// An outcome that models::paired_difference() takes as it would have taken the original. Throws std::runtime_error for
/// bytes that are no such record.
models::Outcome outcome_of_paired_record(std::string_view bytes);

}  // namespace headrace::scenarios
