// The outcome of one job of a study, from what the logs of its windows say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/outcome/outcome.hpp"
#include "models/study/granularity_choice.hpp"

namespace headrace::models {

struct JobMeans;
struct JobStudy;
struct Scenario;
struct StudyOptions;

/// What holds for all jobs of a study.
struct StudyContext {
  const Scenario& scenario;
  const StudyOptions& options;
  Granularity granularity;
  std::optional<GranularityChoice> choice;  ///< of a job that is alone, where it was made
  bool cut_short = false;                   ///< by the budget: there is no relief
};

Outcome job_outcome(const StudyContext& study, const JobStudy& job, const JobMeans& means,
                    std::vector<StageShare> relief);

}  // namespace headrace::models
