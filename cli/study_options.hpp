// How the flags of a simulation become options of a study.
#pragma once

#include "cli/invocation.hpp"
#include "models/study.hpp"

namespace headrace::cli {

/// Without progress and stop, which belong to the verb.
models::StudyOptions study_options(const Invocation& call);

}  // namespace headrace::cli
