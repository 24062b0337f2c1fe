#include "scenarios/results/sweep.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "models/answer/flow_bound.hpp"
#include "models/answer/queueing_estimate.hpp"
#include "models/base/abandoned.hpp"
#include "models/base/failed_replication.hpp"
#include "models/base/model_version.hpp"
#include "models/base/task_pool.hpp"
#include "models/path/ingest_path.hpp"
#include "models/study/granularity_choice.hpp"
#include "scenarios/document/canonical_text.hpp"
#include "scenarios/document/sha256.hpp"
#include "scenarios/results/paired_record.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

models::Outcome answer(const models::Scenario& scenario, const AnswerOptions& how, const std::stop_token& stop) {
  if (how.level == AnswerLevel::bound) return models::flow_bound(scenario);
  if (how.level == AnswerLevel::estimate) return models::queueing_estimate(scenario, how.study.seed);
  models::StudyOptions study = how.study;
  study.threads = 1;
  study.progress = {};
  study.stop = stop;
  return models::simulate(scenario, study);
}

/// Complaints about a point in one line.
std::string one_line(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.sorted())
    text += fmt::format("{}{}: {}{}", text.empty() ? "" : "; ", d.code, d.message,
                        d.pointer.empty() ? "" : fmt::format(" ({})", d.pointer));
  return text;
}

/// Tells progress at most ten times a second, with the time left by the rate of computed points.
class Progress {
 public:
  Progress(const SweepOptions& options, std::uint64_t total) : options_(options), total_(total) {}

  void add(bool computed) {
    const std::scoped_lock lock(mutex_);
    ++done_;
    computed_ += computed ? 1 : 0;
    const auto now = Clock::now();
    if (!options_.progress || (now - told_ < std::chrono::milliseconds(100) && done_ < total_)) return;
    told_ = now;
    const double elapsed_s = std::chrono::duration<double>(now - begin_).count();
    const double left = static_cast<double>(total_ - done_);
    options_.progress({done_, total_, computed_ > 0 ? elapsed_s / static_cast<double>(computed_) * left : 0.0});
  }

 private:
  const SweepOptions& options_;
  std::uint64_t total_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  std::uint64_t computed_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point told_ = {};
};

/// Points under way.
class SweepRun {
 public:
  using Next = std::function<std::optional<std::uint64_t>()>;

  SweepRun(const SweepSpace& space, ResultsStore& store, const SweepOptions& options, std::string sweep,
           std::uint64_t total)
      : space_(space), store_(store), options_(options), sweep_(std::move(sweep)), progress_(options, total) {
    tally_.points = total;
  }

  SweepTally run(const Next& next) {
    for_each_in_parallel(
        options_.threads, [&] { return next_missing(next); }, options_.stop,
        [this](std::uint64_t point) { take(point); });
    tally_.interrupted = tally_.interrupted || options_.stop.stop_requested();
    return tally_;
  }

 private:
  /// The next point that has no such result under this sweep.
  std::optional<std::uint64_t> next_missing(const Next& next) {
    for (;;) {
      if (options_.limit > 0 && started_ >= options_.limit) return std::nullopt;
      const auto point = next();
      if (!point) return std::nullopt;
      if (options_.fresh || !is_answered(*point)) {
        ++started_;
        return point;
      }
      count_reused();
    }
  }

  bool is_answered(std::uint64_t point) {
    const auto answered = store_.answered(sweep_, point);
    if (!answered) return false;
    const std::string key = result_key(answered->scenario_sha256, options_.answer);
    if (key == answered->key) return true;
    if (!store_.has(key)) return false;
    store_.put_point(sweep_, point, space_.coordinates(point).dump(), key);
    return true;
  }

  void take(std::uint64_t point) {
    const std::string coordinates = space_.coordinates(point).dump();
    const auto resolved = space_.resolve(point);
    if (resolved && !options_.fresh) {
      const std::string key = result_key(resolved->sha256, options_.answer);
      if (store_.has(key)) {  // another sweep had this scenario
        store_.put_point(sweep_, point, coordinates, key);
        return count_reused();
      }
    }
    const AnsweredPoint answered = answer_point(resolved, point, sweep_, options_);
    if (answered.interrupted) return;
    store_.put(sweep_, point, coordinates, answered.record);
    count(point, answered.record);
  }

  void count_reused() {
    const std::scoped_lock lock(mutex_);
    ++tally_.reused;
    progress_.add(false);
  }

  void count(std::uint64_t point, const ResultRecord& record) {
    const std::scoped_lock lock(mutex_);
    ++(record.failed ? tally_.failed : tally_.computed);
    if (record.failed && (tally_.first_error.empty() || point < first_failed_)) {
      first_failed_ = point;
      tally_.first_error = fmt::format("point {} {}: {}", point, space_.coordinates(point).dump(), record.error);
    }
    progress_.add(true);
  }

  const SweepSpace& space_;
  ResultsStore& store_;
  const SweepOptions& options_;
  std::string sweep_;
  std::uint64_t started_ = 0;
  std::uint64_t first_failed_ = 0;
  std::mutex mutex_;
  SweepTally tally_;
  Progress progress_;
};

}  // namespace

Json answer_json(const AnswerOptions& how) {
  const models::StudyOptions& study = how.study;
  if (how.level == AnswerLevel::bound) return Json::object();
  if (how.level == AnswerLevel::estimate) return {{"seed", study.seed}};
  Json json = {{"seed", study.seed},
               {"replications", study.replications},
               {"precision", study.precision},
               {"steps", study.steps},
               {"granularity", study.granularity ? models::granularity_text(*study.granularity) : "auto"},
               {"contention", study.contention},
               {"control", study.control},
               {"relief", study.relief}};
  if (study.keep_series) json["series"] = true;
  if (!study.first_epoch) json["first_epoch"] = false;
  if (study.scale == models::Scale::sampled) json["sampled_nodes"] = study.sampled_nodes;
  return json;
}

std::string result_key(const std::string& scenario_sha256, const AnswerOptions& how) {
  return sha256(canonical_text({{"scenario_sha256", scenario_sha256},
                                {"level", kAnswerLevelNames[static_cast<std::size_t>(how.level)]},
                                {"model_version", models::kModelVersion},
                                {"options", answer_json(how)}}));
}

void SweepTally::add(const SweepTally& part) {
  computed += part.computed;
  reused += part.reused;
  failed += part.failed;
  if (first_error.empty()) first_error = part.first_error;
  interrupted = interrupted || part.interrupted;
}

SweepRecord sweep_record(const SweepSpace& space, const SweepOptions& options) {
  SweepRecord record;
  record.name = space.name;
  record.title = space.title;
  record.level = kAnswerLevelNames[static_cast<std::size_t>(options.answer.level)];
  record.model_version = models::kModelVersion;
  record.options = answer_json(options.answer).dump();
  record.definition = space.definition.dump();
  record.scenario = space.base.resolved.dump();
  record.points = space.count();
  record.id = sha256(canonical_text({{"space", space.sha256},
                                     {"level", record.level},
                                     {"model_version", record.model_version},
                                     {"options", answer_json(options.answer)}}));
  return record;
}

std::optional<std::uint64_t> PointQueue::next() {
  while (combination_ < space_.combinations()) {
    const std::uint64_t point = combination_++;
    if (space_.keeps(point) && shard_.holds(ordinal_++)) return point;
  }
  return std::nullopt;
}

AnsweredPoint answer_point(const tl::expected<ResolvedPoint, Diagnostics>& resolved, std::uint64_t point,
                           const std::string& sweep, const SweepOptions& options) {
  AnsweredPoint answered;
  ResultRecord& record = answered.record;
  record.level = kAnswerLevelNames[static_cast<std::size_t>(options.answer.level)];
  record.model_version = models::kModelVersion;
  record.options = answer_json(options.answer).dump();
  const auto fail = [&](std::string error) {
    record.failed = true;
    record.error = std::move(error);
  };
  if (!resolved) {
    record.key = sha256(fmt::format("no scenario at {} of {}", point, sweep));
    fail(one_line(resolved.error()));
    return answered;
  }
  record.scenario_sha256 = resolved->sha256;
  record.key = result_key(resolved->sha256, options.answer);
  try {
    answered.outcome = answer(resolved->scenario, options.answer, options.stop);
    answered.interrupted = options.stop.stop_requested();
    answered.outcome.scenario_sha256 = resolved->sha256;
    if (answered.interrupted) return answered;
    record.outcome = options.outcome_text(answered.outcome);
    if (options.answer.study.keep_series) record.series = paired_record(answered.outcome);
  } catch (const models::Abandoned&) {
    answered.interrupted = true;
  } catch (const models::UnusableRequest& error) {
    fail(fmt::format("{} ({})", error.what(), error.fix()));
  } catch (const std::bad_alloc&) {
    fail("out of memory");
  } catch (const std::exception& error) {
    fail(error.what());
  }
  return answered;
}

void for_each_in_parallel(unsigned threads, const std::function<std::optional<std::uint64_t>()>& next,
                          const std::stop_token& stop, const std::function<void(std::uint64_t)>& work) {
  std::mutex mutex;
  std::atomic<bool> broken{false};
  const auto take = [&]() -> std::optional<std::uint64_t> {
    const std::scoped_lock lock(mutex);
    if (broken || stop.stop_requested()) return std::nullopt;
    return next();
  };
  models::TaskPool pool(threads);
  const unsigned workers = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
  pool.run(workers, [&](std::size_t) {
    try {
      while (const auto point = take()) work(*point);
    } catch (...) {
      broken = true;
      throw;
    }
  });
}

SweepTally run_sweep(const SweepSpace& space, ResultsStore& store, const SweepOptions& options) {
  const SweepRecord record = sweep_record(space, options);
  store.put_sweep(record);
  std::uint64_t total = 0;
  PointQueue all(space, options.shard);
  while (all.next()) ++total;
  PointQueue queue(space, options.shard);
  return run_points(space, store, options, record.id, total, [&queue] { return queue.next(); });
}

SweepTally run_points(const SweepSpace& space, ResultsStore& store, const SweepOptions& options,
                      const std::string& sweep, std::uint64_t total,
                      const std::function<std::optional<std::uint64_t>()>& next) {
  return SweepRun(space, store, options, sweep, total).run(next);
}

SweepTally count_sweep(const SweepSpace& space, const ResultsStore* store, const SweepOptions& options) {
  SweepTally tally;
  const std::string sweep = sweep_record(space, options).id;
  PointQueue queue(space, options.shard);
  while (const auto point = queue.next()) {
    ++tally.points;
    if (store == nullptr) continue;
    if (store->answered(sweep, *point)) {
      ++tally.reused;
    } else if (const auto resolved = space.resolve(*point); resolved) {
      tally.reused += store->has(result_key(resolved->sha256, options.answer)) ? 1 : 0;
    }
  }
  return tally;
}

}  // namespace headrace::scenarios
