// Outcomes of one replication each, all of one length: what tells how sure a quantile is, which has no interval within
// a run.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/study/study.hpp"

namespace headrace::models {

class Budget;

class Replications {
 public:
  /// The scenario and the budget must outlive this.
  Replications(const Scenario& scenario, const StudyOptions& options, const Budget& budget);

  /// From now on of `steps` steps, no fewer than before. `first` is the outcome of the first replication, which there
  /// is already.
  void look_at(std::uint64_t steps, const Outcome& first);
  /// Runs on to `count` replications; false if the budget did not suffice.
  bool run_to(std::uint32_t count);
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  const Scenario& scenario_;
  StudyOptions options_;
  const Budget& budget_;
  std::uint64_t steps_ = 0;
  std::vector<Outcome> outcomes_;
  std::vector<std::unique_ptr<ResumableStudy>> studies_;  ///< of all but the first; null where memory holds them not
};

}  // namespace headrace::models
