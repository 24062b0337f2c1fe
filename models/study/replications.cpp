#include "models/study/replications.hpp"

#include <utility>

#include "models/study/budget.hpp"

namespace headrace::models {

Replications::Replications(const Scenario& scenario, const StudyOptions& options, std::uint64_t steps,
                           const Outcome& first, const Budget& budget)
    : scenario_(scenario), options_(options), budget_(budget), outcomes_{first} {
  options_.replications = 1;
  options_.steps = steps;
  options_.relief = false;
  options_.control = false;
  options_.courses = false;  // their metrics have intervals of their own
  options_.keep_series = false;
}

bool Replications::run_to(std::uint32_t count) {
  while (outcomes_.size() < count) {
    if (budget_.is_spent()) return false;
    StudyOptions one = options_;
    one.first_replication += static_cast<std::uint32_t>(outcomes_.size());
    budget_.limit(one);
    Outcome outcome = simulate(scenario_, one);
    if (outcome.stopped_by != "steps") return false;  // cut short
    outcomes_.push_back(std::move(outcome));
  }
  return true;
}

}  // namespace headrace::models
