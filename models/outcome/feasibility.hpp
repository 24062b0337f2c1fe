// Whether a configuration can run at all: what it needs of each kind of room, spelled out, against what there is. What
// is not met turns the verdict to infeasible.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

/// One part of what is needed.
struct Need {
  std::string what;  ///< "parameters", "prefetched batches"
  double bytes = 0.0;
};

/// Room that must suffice.
struct Requirement {
  std::string room;              ///< "GPU memory", "host memory of a node"
  double available_bytes = 0.0;  ///< 0: not stated, so that nothing is checked
  std::vector<Need> needs;
  std::string fix;  ///< what to do where it does not suffice

  double needed_bytes() const;
  bool is_met() const { return !(available_bytes > 0.0) || needed_bytes() <= available_bytes; }
  /// "92.4 GB of 80.0 GB: states 73.5 GB + activations 18.9 GB"; parts of nothing are left out.
  std::string text() const;
};

/// A requirement that is not met makes the verdict infeasible and adds a warning with the sum.
void require(const Requirement& requirement, Outcome& outcome);

/// What is not allowed makes the verdict infeasible.
void refuse(Warning reason, Outcome& outcome);

}  // namespace headrace::models
