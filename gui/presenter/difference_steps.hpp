// One answer against another as steps: the first total, what each part adds or takes, the second total.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gui/presenter/floating_bar.hpp"
#include "models/outcome/outcome.hpp"

namespace headrace::gui {

enum class Total { step_time, cost };

/// What a total is made of: where the time of a step goes, or the lines of the ledger. Sums to the total.
struct Parts {
  double total = 0.0;
  std::vector<Share> parts;
};
/// `job`: whose step it is, where there are several; each has steps of its own.
Parts parts_of(const models::Outcome& outcome, Total total, const std::string& job = {});

/// "A" first and "B" last; between them what differs, the largest difference first, at most `most` parts and the others
/// together. In seconds or dollars. Empty where neither has the total, or no part of it differs.
std::vector<FloatingBar> difference_steps(const models::Outcome& a, const models::Outcome& b, Total total,
                                          std::size_t most = 6, const std::string& job = {});

}  // namespace headrace::gui
