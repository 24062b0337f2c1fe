// A study that somebody watches: the answer of simulate(), what is known at each look before it, and more steps of the
// same run where the answer decides nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/outcome/outcome.hpp"
#include "models/spec/scenario.hpp"

namespace headrace::models {

struct StudyOptions;

class FollowedStudy {
 public:
  using Look = std::function<void(const Outcome& so_far)>;

  FollowedStudy(const Scenario& scenario, const StudyOptions& options);
  ~FollowedStudy();

  /// What simulate() gives, to the last bit. `look` is told what is known after each look that leaves the precision
  /// open, without relief; a scenario that changes over time has no such looks. Once, and before run_on().
  Outcome run(const Look& look);
  /// The same run with `steps` steps per window, no fewer than it has. Where run() used a control variate, this is not
  /// to the bit what simulate() gives for so many steps, because the effort of a control depends on the looks.
  Outcome run_on(std::uint64_t steps);

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace headrace::models
