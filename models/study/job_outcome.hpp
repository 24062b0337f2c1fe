// The outcome of one job of a study, from what the logs of its windows say.
#pragma once

#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"

namespace headrace::models {

struct JobMeans;
struct JobStudy;
struct Scenario;
struct StudyOptions;

/// What holds for all jobs of a study.
struct StudyContext {
  const Scenario& scenario;
  const StudyOptions& options;
  bool cut_short = false;  ///< by the budget: there is no relief
};

Outcome job_outcome(const StudyContext& study, const JobStudy& job, const JobMeans& means,
                    std::vector<StageShare> relief);

}  // namespace headrace::models
