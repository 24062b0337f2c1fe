#include "library/study.hpp"

#include <cmath>
#include <string>

#include "library/errors.hpp"
#include "models/study/study_limits.hpp"

namespace headrace {
namespace {

/// Not-a-number is outside of every range.
bool is_within(double value, double low, double high) { return value >= low && value <= high; }

std::optional<Error> outside(const std::string& name, const std::string& range) {
  return error_of(fmt::format("{} is outside of its range", name), fmt::format("give {}", range));
}

std::optional<Error> mistake_in(const Work& work) {
  if (!is_within(work.max_wall_s, 0.0, 1e9)) return outside("max_wall_s", "0 (no limit) to 1e9 seconds");
  if (work.threads > models::kMostThreads)
    return outside("threads", fmt::format("0 (all cores) to {}", models::kMostThreads));
  return std::nullopt;
}

std::optional<double> latest_s(double max_wall_s) {
  if (!(max_wall_s > 0.0)) return std::nullopt;
  return max_wall_s + models::patience_s(max_wall_s);
}

}  // namespace

std::optional<Error> mistake_in(const SimulateOptions& options) {
  if (!is_within(options.replications, 1, models::kMostReplications))
    return outside("replications", fmt::format("1 to {}", models::kMostReplications));
  if (options.precision && !is_within(*options.precision, models::kLeastPrecision, models::kMostPrecision))
    return outside("precision", fmt::format("{:f} to {}", models::kLeastPrecision, models::kMostPrecision));
  if (options.steps > models::kMostSteps)
    return outside("steps", fmt::format("0 (until precise) to {}", models::kMostSteps));
  return mistake_in(options.work);
}

std::optional<Error> mistake_in(const PlanOptions& options) {
  if (options.max_points < models::kLeastPlanPoints || options.max_points > models::kMostPlanPoints)
    return outside("max_points", fmt::format("{} to {}", models::kLeastPlanPoints, models::kMostPlanPoints));
  if (options.confidence_fed && !(*options.confidence_fed > 0.0 && *options.confidence_fed < 1.0))
    return outside("confidence_fed", "a share between 0 and 1, such as 0.9");
  if (options.confidence_fed && !options.input_ranges)
    return error_of("confidence_fed is a share of the input ranges, which input_ranges = false does not use",
                    "leave out one of the two");
  return mistake_in(options.work);
}

LateEnd::LateEnd(const Work& work)
    : limit_(latest_s(work.max_wall_s), late_.get_token()), told_to_stop_(work.stop, [this] {
        patience_.emplace(models::kStopPatience_s);
        patience_ends_.emplace(patience_->token(), [this] { late_.request_stop(); });
      }) {}

void put_draws(const SimulateOptions& options, models::StudyOptions& study) {
  study.seed = options.seed;
  study.replications = options.replications;
  study.precision = options.precision.value_or(study.precision);
  study.steps = options.steps;
  study.contention = options.contention;
  study.relief = options.relief;
  study.threads = options.work.threads;
}

void Teller::tell(const Progress& progress) {
  const std::scoped_lock lock(mutex_);
  work_.progress(progress);
}

}  // namespace headrace
