#include "models/study/replications.hpp"

#include <utility>

#include "models/study/budget.hpp"
#include "models/study/sampler.hpp"

namespace headrace::models {

Replications::Replications(const Scenario& scenario, const StudyOptions& options, const Budget& budget)
    : scenario_(scenario), options_(options), budget_(budget) {
  options_.replications = 1;
  options_.relief = false;
  options_.control = false;
  options_.courses = false;  // their metrics have intervals of their own
  options_.keep_series = false;
}

void Replications::look_at(std::uint64_t steps, const Outcome& first) {
  steps_ = steps;
  outcomes_ = {first};
}

bool Replications::run_to(std::uint32_t count) {
  while (outcomes_.size() < count) {
    if (budget_.is_spent()) return false;
    const std::size_t i = outcomes_.size() - 1;
    if (i >= studies_.size()) studies_.resize(i + 1);
    if (!studies_[i]) {
      StudyOptions one = options_;
      one.first_replication += static_cast<std::uint32_t>(outcomes_.size());
      budget_.limit(one);
      studies_[i] = std::make_unique<ResumableStudy>(scenario_, one);
    }
    Outcome outcome = studies_[i]->run_to(steps_);
    if (!fit_memory(studies_[i]->loaders() * count)) studies_[i].reset();
    if (outcome.stopped_by != "steps") return false;  // cut short
    outcomes_.push_back(std::move(outcome));
  }
  return true;
}

}  // namespace headrace::models
