// A hand-made outcome with every part filled in, for the tests of reports.
#pragma once

#include "models/outcome/outcome.hpp"

namespace headrace::reports::testing {

models::Outcome sample_outcome();

}  // namespace headrace::reports::testing
