#include "models/outcome/outcome.hpp"

namespace headrace::models {

Outcome::Outcome() = default;
Outcome::Outcome(const Outcome& other) = default;
Outcome::Outcome(Outcome&& other) noexcept = default;
Outcome& Outcome::operator=(const Outcome& other) = default;
Outcome& Outcome::operator=(Outcome&& other) noexcept = default;
Outcome::~Outcome() = default;

void Outcome::restate_lone_job() {
  if (jobs.empty() || jobs.front().is_beside_others()) return;
  jobs.front().metrics = metrics;
  jobs.front().ledger = ledger;
}

}  // namespace headrace::models
