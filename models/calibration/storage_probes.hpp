// Reads and writes of the data file: at random past the page cache over block size, depth and layout of the buffers; in
// sequence, direct and buffered; with arrivals at their own times; and the writing of the file itself.
#pragma once

#include <cstdint>
#include <vector>

#include "models/calibration/arms.hpp"
#include "models/calibration/scratch.hpp"

namespace headrace::models::calibration {

/// The file that is read, opened in each way that works.
struct DataFile {
  OpenFile direct;    ///< not open: the file system has no direct I/O
  OpenFile buffered;  ///< read-only, through the page cache
  std::uint64_t bytes = 0;

  int best() const { return direct.is_open() ? direct.get() : buffered.get(); }
};

struct RandomCell {
  std::uint32_t block_bytes;
  std::uint32_t depth;
  BufferLayout layout;
};

inline constexpr double kNoiseWindowFactor = 6.0;

/// Which cells a budget measures.
std::vector<RandomCell> quick_random_cells();
std::vector<RandomCell> normal_random_cells();
std::vector<RandomCell> full_random_cells();

/// `engine` and `file` must outlive the arms.
std::vector<Arm> random_read_arms(IoEngine& engine, const DataFile& file, const std::vector<RandomCell>& cells,
                                  const std::stop_token& stop);

/// One cell of 4 KiB at depth 8 in windows of six times the usual length: how much the same work differs.
std::vector<Arm> noise_arms(IoEngine& engine, const DataFile& file, const std::stop_token& stop);

/// Direct at 128 KiB and 1 MiB (and 4 MiB); buffered with pages dropped before each window; and buffered again over
/// pages that are in memory. Thorough: also one stream for each core at the same time.
std::vector<Arm> sequential_arms(IoEngine& engine, const DataFile& file, bool thorough, unsigned cores,
                                 const std::stop_token& stop);

/// Reads of 4 KiB that arrive at shares of `peak_per_s`.
std::vector<Arm> open_loop_arms(IoEngine& engine, const DataFile& file, double peak_per_s, const std::stop_token& stop);

/// Writes the file from front to end in windows, 1 MiB at depth 8, until it is full or `budget_s` is over (then the
/// file is cut there). The cell holds the rate in bytes per second.
MeasuredArm write_file(IoEngine& engine, int file, std::uint64_t& bytes, const RoundRule& rule,
                       const RoundContext& context);

}  // namespace headrace::models::calibration
