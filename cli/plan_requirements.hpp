// The questions of `headrace plan` that are asked the other way round: what a store must deliver (--require), and the
// most that it can feed (--max).
#pragma once

#include <optional>
#include <string>

#include "cli/load.hpp"
#include "cli/option_table.hpp"

namespace headrace::cli {

struct InverseOptions {
  std::optional<std::string> store;  ///< of --require; empty: that of the first job
  std::string most;                  ///< of --max; empty: not asked
  std::optional<double> margin;      ///< of --require

  bool asked() const { return store.has_value() || !most.empty(); }
};

void add_inverse_questions(OptionTable& table, InverseOptions& options, ScenarioOptions& scenario);

struct InverseRun {
  const InverseOptions& asked;
  const ScenarioOptions& scenario;
  const OutputOptions& output;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  double max_wall_s = 0.0;
};

/// Returns the exit status: 1 where no store is enough or nothing can be fed, 3 where an answer is not sure.
int answer_inverse(const LoadedScenario& loaded, const InverseRun& run, Console& console);

}  // namespace headrace::cli
