// Outcomes of one replication each, all of one length: what tells how sure a quantile is, which has no interval within
// a run.
#pragma once

#include <cstdint>
#include <vector>

#include "models/study/study.hpp"

namespace headrace::models {

class Budget;

class Replications {
 public:
  /// `first` is the outcome of the first `steps` steps, which there is already. The scenario and the budget must
  /// outlive this.
  Replications(const Scenario& scenario, const StudyOptions& options, std::uint64_t steps, const Outcome& first,
               const Budget& budget);

  /// Runs on to `count` replications; false if the budget did not suffice.
  bool run_to(std::uint32_t count);
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  const Scenario& scenario_;
  StudyOptions options_;
  const Budget& budget_;
  std::vector<Outcome> outcomes_;
};

}  // namespace headrace::models
