// Options of simulations, put where a study reads them.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/option_table.hpp"
#include "models/study/study_limits.hpp"

namespace headrace::models {
struct StudyOptions;
}

namespace headrace::cli {

using models::kMostSteps;

/// What a replay of one replication gives itself.
struct DrawOptions {
  Option seed;
  Option replications;
};

/// How long a simulation is, and what it draws. `precision` keeps whether it was given: missed, it is a failure then.
DrawOptions add_length(OptionTable& table, models::StudyOptions& study, std::optional<double>& precision);

/// What a simulation looks at.
void add_fidelity(OptionTable& table, models::StudyOptions& study);

/// Which nodes a simulation simulates.
void add_scale(OptionTable& table, models::StudyOptions& study);

/// How long a gate may run, and with which draws.
void add_budget(OptionTable& table, models::StudyOptions& study);

void add_max_wall(OptionTable& table, double& max_wall_s, const char* help);
void add_threads(OptionTable& table, unsigned& threads, const char* help);

}  // namespace headrace::cli
