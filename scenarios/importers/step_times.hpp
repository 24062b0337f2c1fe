// Steps of a training job as its loop measured them: a CSV file with the columns step (a count), step_time_s (seconds
// from the start of one step to that of the next) and load_wait_s (the part of it in which the loop waited for its next
// batch). Other columns are left alone.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/verification/verify.hpp"
#include "scenarios/document/diagnostic.hpp"

namespace headrace::scenarios {

/// Errors: those of parse_csv, E0202 a column is missing, E0201 no number, E0207 a time that cannot be, or fewer
/// than 40 steps.
tl::expected<std::vector<models::verification::MeasuredStep>, Diagnostics> read_step_times(const std::string& file_name,
                                                                                           const std::string& text);

}  // namespace headrace::scenarios
