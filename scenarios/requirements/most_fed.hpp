// The most that a store and its fabric can feed: GPUs of a job, copies of it, or a factor of all demand, settled by
// runs at the answer and one step above it.
#pragma once

#include <optional>
#include <string>

#include "scenarios/requirements/probe.hpp"

namespace headrace::scenarios {

enum class Most : std::uint8_t { gpus, jobs, growth };
inline constexpr std::string_view kMostNames[] = {"gpus", "jobs", "growth"};

struct MostOptions {
  Most what = Most::gpus;
  ProbeOptions probe;
};

/// What a scenario is scaled to.
struct MostFed {
  Most what = Most::gpus;
  std::uint64_t seed = 1;
  std::string job;  ///< that is scaled; growth: all jobs
  std::vector<JobLimit> limits;
  std::vector<std::string> limit_texts;
  double today = 0.0;
  double gpus_of_one = 1.0;  ///< GPUs of a node, or of a copy; what an answer in GPUs is a multiple of
  bool none = false;         ///< the limits do not hold however little is asked
  bool open = false;         ///< they hold up to `tried`, where the search ends
  double tried = 0.0;
  double most = 0.0;   ///< GPUs, copies, or a factor
  double above = 0.0;  ///< one step more
  Standing at_most;
  Standing at_above;
  std::size_t limit = 0;  ///< that breaks first
  std::string stage;      ///< that GPUs wait for one step above; empty: none
  std::string resource;   ///< the busiest one, one step above
  double utilization = 0.0;
  std::size_t runs = 0;
  std::size_t estimates = 0;

  bool sure() const;
};

/// GPUs: nodes like those that the first job has, each with its share of the batch. Jobs: copies of it on nodes of
/// their own. Growth: every job asks so many times as much per second, on hosts that keep pace.
tl::expected<MostFed, Diagnostics> most_fed(const LoadedScenario& loaded, const MostOptions& options);

}  // namespace headrace::scenarios
