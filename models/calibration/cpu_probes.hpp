// What a core does to bytes: copies, checksums, decompression, image decoding; on one core and on all. What is not
// linked is not measured.
#pragma once

#include <stop_token>
#include <vector>

#include "models/calibration/arms.hpp"
#include "models/calibration/timed_work.hpp"

namespace headrace::models::calibration {

/// Rates in bytes per second: copied, checked, or coming out of a decoder.
std::vector<Arm> cpu_arms(unsigned cores, const std::stop_token& stop);

/// Names of what this build cannot measure.
std::vector<std::string> missing_codecs();

/// CRC-32C (Castagnoli) as the processor computes it, one chain.
std::uint32_t crc32c(const std::byte* data, std::size_t bytes);

/// The work of copying a block of memory that lies in no cache; for contention too.
Work copy_work(std::size_t bytes, unsigned threads);
/// Work that a core does on its own: the checksum of a block in its cache.
Work checksum_work();

}  // namespace headrace::models::calibration
