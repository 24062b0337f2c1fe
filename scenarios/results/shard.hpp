// A part of a sweep for one of several machines: points are dealt out in turn.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headrace::scenarios {

struct Shard {
  std::uint64_t number = 1;  ///< from 1
  std::uint64_t count = 1;

  /// Whether the point in this place among the points of the space, from 0, belongs to the shard.
  bool holds(std::uint64_t ordinal) const { return ordinal % count == number - 1; }
  bool is_whole() const { return count == 1; }
};

struct ShardError {
  std::string message;
  std::string help;
};

/// Reads a variable of the environment; empty when it is not set.
using Environment = std::function<std::string(const char*)>;

/// "2/8": the second of eight. "auto": what a Slurm job array (SLURM_ARRAY_TASK_ID, _MIN, _STEP, _COUNT) or a
/// Kubernetes indexed job (JOB_COMPLETION_INDEX, with JOB_COMPLETIONS or "auto/8") says.
tl::expected<Shard, ShardError> parse_shard(std::string_view text, const Environment& environment);

/// The store of one shard beside that of the whole: "results.db" becomes "results.2-of-8.db".
std::string shard_path(const std::string& path, const Shard& shard);

}  // namespace headrace::scenarios
