#include "scenarios/results/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "models/answer/flow_bound.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "models/study/budget.hpp"
#include "models/study/looks.hpp"
#include "models/study/paired_difference.hpp"
#include "scenarios/document/canonical_text.hpp"
#include "scenarios/document/sha256.hpp"
#include "scenarios/results/paired_record.hpp"
#include "scenarios/results/stored_json.hpp"

namespace headrace::scenarios {
namespace {

using Json = nlohmann::ordered_json;

/// A point is given up as worse only at this confidence: a thousand points have a thousand chances.
constexpr double kSure = 0.999;

/// Points with the best bounds, which run first and longer at once: the others are compared with the best of them.
constexpr std::size_t kScouts = 8;

/// Of the size asked for: by how much some nodes may differ from all in a brief run.
constexpr double kMostOfSample = 0.5;

const models::MetricDescription& description_of(const std::string& name) {
  const models::MetricDescription* metric = models::find_metric(name);
  if (metric == nullptr || metric->better == models::Better::neither)
    throw std::invalid_argument(fmt::format("neither more nor less of '{}' is better", name));
  return *metric;
}

/// `sampled`: some of many like nodes may stand for all.
AnswerOptions at_length(AnswerOptions answer, const std::string& metric, std::uint64_t steps, bool sampled) {
  answer.study.steps = steps;
  answer.study.first_epoch = models::is_of_first_epoch(metric);
  answer.study.keep_series = true;
  answer.study.control = false;
  answer.study.relief = false;
  answer.study.verdict_by_means = true;  // most runs are too short for intervals
  answer.study.scale = sampled ? models::Scale::sampled : models::Scale::full;
  answer.study.sampled_nodes = models::kBrieflySampledNodes;
  answer.study.check_sample = false;  // the scouts do
  return answer;
}

models::Outcome stored_run(const std::string& series) {
  try {
    return outcome_of_paired_record(series);
  } catch (const std::runtime_error& error) {
    throw StoreError("E0606", error.what(), "the store is damaged: rank into a new one, or restore a copy");
  }
}

/// By how much the second half of a brief run takes longer than the same steps of a run of all nodes, as a part of
/// these; the runs have the same draws, and both fill their queues before.
double off_in_same_steps(const models::Outcome& all, const models::Outcome& brief) {
  double whole_s = 0.0;
  double off_s = 0.0;
  for (std::size_t i = 0; i < std::min(all.replications.size(), brief.replications.size()); ++i) {
    const models::StepSeries& own = brief.replications[i].series;
    const models::StepSeries& other = all.replications[i].series;
    if (own.batch_steps != other.batch_steps || own.duration_s.size() > other.duration_s.size()) continue;
    const std::optional<std::uint32_t> window = brief.replications[i].window;
    const double weight = window && *window < brief.windows.size() ? brief.windows[*window].weight : 0.0;
    for (std::size_t step = own.duration_s.size() / 2; step < own.duration_s.size(); ++step) {
      whole_s += weight * other.duration_s[step];
      off_s += weight * (own.duration_s[step] - other.duration_s[step]);
    }
  }
  return whole_s > 0.0 ? off_s / whole_s : 0.0;
}

/// 0: an estimate.
std::uint64_t steps_of(const PointRow& row) { return stored_json(row.result.options).value("steps", 0U); }

/// That stood for all in its run; 0: all were simulated, or none.
std::uint64_t sampled_nodes_of(const PointRow& row) {
  return stored_json(row.result.outcome).value("sampled_nodes", 0U);
}

/// Of points in order.
bool is_among(const std::vector<std::uint64_t>& points, std::uint64_t point) {
  return std::binary_search(points.begin(), points.end(), point);
}

class Ranker {
 public:
  Ranker(const SweepSpace& space, ResultsStore& store, const SweepOptions& options, const RankOptions& rank)
      : space_(space),
        store_(store),
        options_(options),
        rank_(rank),
        metric_(description_of(rank.metric)),
        sign_(metric_.better == models::Better::lower ? 1.0 : -1.0),
        bounded_(metric_.bound == models::Bound::no_less || metric_.bound == models::Bound::no_more),
        record_(ranked_record(space, options, rank)) {}

  RankTally run() {
    store_.put_sweep(record_);
    steps_ = rank_.first_steps;
    const std::string end =
        models::look_until_decided(models::Budget(0.0, options_.stop), kMostRankLooks, [this] { return next_look(); });
    if (options_.stop.stop_requested()) tally_.tally.interrupted = true;
    const bool complete = end.empty() || end == "decided";
    if (complete && options_.shard.is_whole()) write_ranking();
    return tally_;
  }

 private:
  /// One look: all points, or those that still compete with the best at a greater length.
  models::Look next_look() {
    if (tally_.looks == 0 ? !first_look() : !longer_look(contenders_, steps_)) return models::Look::cut_short;
    if (tally_.looks++ == 0) find_best(steps_ * kRankGrowth);  // of those that ran longer at once
    if (tally_.looks > 1 || !tally_.best) find_best(steps_);
    if (!tally_.best) return models::Look::cut_short;
    contenders_ = unsettled();
    if (without_interval_ > 0 && tally_.looks < kMostRankLooks) {
      if (!lengthen_best(steps_ * kRankGrowth)) return models::Look::cut_short;
      contenders_ = unsettled();
    }
    tally_.undecided = contenders_.size();
    if (contenders_.empty()) return models::Look::decided;
    contenders_.push_back(*tally_.best);
    std::sort(contenders_.begin(), contenders_.end());
    steps_ *= kRankGrowth;
    return models::Look::open;
  }

  /// A run of the first look is of some nodes where it is too short for an interval, a longer one of all.
  AnswerOptions length(std::uint64_t steps) const {
    return at_length(options_.answer, rank_.metric, steps, !all_nodes_ && steps <= rank_.first_steps);
  }

  SweepOptions look(AnswerOptions answer) const {
    SweepOptions options = options_;
    options.answer = std::move(answer);
    options.progress = [this](SweepProgress progress) {
      const bool all = tally_.tally.left() > 0;
      if (all) {
        progress.done += tally_.tally.points - tally_.tally.left();
        progress.total = tally_.tally.points;
      }
      progress.phase = all ? "first look" : "looking closer";
      if (options_.progress) options_.progress(progress);
    };
    return options;
  }

  /// All points. The scouts of the whole space come first, in every shard, so that none compares its points with
  /// nothing but each other. A point whose bound cannot compete with the best of them gets its rough place by the
  /// estimate, which is nearer to a long run than a brief one is.
  bool first_look() {
    if (bounded_) scouts_ = best_by_bound();
    all_nodes_ = scouts_.empty() || steps_ > kFirstRankSteps;
    const std::vector<std::uint64_t> own = count_points();
    if (!counted_look(numbers_of(own), length(steps_)) || !longer_look(foreign_, steps_) ||
        !longer_look(scouts_, steps_ * kRankGrowth))
      return false;
    if (!sample_stands()) {
      all_nodes_ = true;
      if (!longer_look(scouts_, steps_) || !longer_look(scouts_, steps_ * kRankGrowth)) return false;
    }
    find_best(steps_ * kRankGrowth, &scouts_);
    const std::vector<std::uint64_t> beaten = beaten_by_bound();
    if (options_.stop.stop_requested()) return false;
    PointQueue queue(space_, options_.shard);
    const Numbers open = [&]() -> std::optional<std::uint64_t> {
      while (const auto point = queue.next())
        if (!is_among(scouts_, *point) && !is_among(beaten, *point)) return point;
      return std::nullopt;
    };
    AnswerOptions estimate = length(steps_);
    if (estimate.study.contention) estimate.level = AnswerLevel::estimate;  // it counts what is shared in any case
    return counted_look(open, length(steps_)) && counted_look(numbers_of(beaten), estimate);
  }

  /// Whether the brief runs of the scouts, of some of their nodes, differ from the same steps of all nodes by less than
  /// what decides a place.
  bool sample_stands() {
    if (all_nodes_) return true;
    bool stands = true;
    store_.for_each_point(
        record_.id,
        [&](const PointRow& row) {
          if (!stands || row.result.series.empty() || !is_among(scouts_, row.point)) return;
          const auto brief = store_.find(result_key(row.result.scenario_sha256, length(steps_)));
          if (!brief || brief->series.empty()) return;
          const double off = off_in_same_steps(stored_run(row.result.series), stored_run(brief->series));
          stands = std::abs(off) <= kMostOfSample * rank_.within;
        },
        true);
    return stands;
  }

  /// Counts the points of the shard, and finds which scouts are among them.
  std::vector<std::uint64_t> count_points() {
    std::vector<std::uint64_t> own;
    PointQueue all(space_, options_.shard);
    while (const auto point = all.next()) {
      ++tally_.tally.points;
      if (is_among(scouts_, *point)) own.push_back(*point);
    }
    std::set_difference(scouts_.begin(), scouts_.end(), own.begin(), own.end(), std::back_inserter(foreign_));
    return own;
  }

  bool is_foreign(std::uint64_t point) const { return is_among(foreign_, point); }

  /// Points of the shard, in order, whose bounds say already that they are worse than the best scout.
  std::vector<std::uint64_t> beaten_by_bound() const {
    std::vector<std::uint64_t> beaten;
    if (!tally_.best) return beaten;
    std::mutex mutex;
    PointQueue queue(space_, options_.shard);
    for_each_in_parallel(
        options_.threads, [&queue] { return queue.next(); }, options_.stop,
        [&](std::uint64_t point) {
          if (is_among(scouts_, point) || !cannot_compete(point)) return;
          const std::scoped_lock lock(mutex);
          beaten.push_back(point);
        });
    std::sort(beaten.begin(), beaten.end());
    return beaten;
  }

  /// Numbers of points one after the other.
  using Numbers = std::function<std::optional<std::uint64_t>()>;
  static Numbers numbers_of(const std::vector<std::uint64_t>& points) {
    return [&points, next = std::size_t{0}]() mutable {
      return next == points.size() ? std::nullopt : std::optional(points[next++]);
    };
  }

  /// Answers points of the shard for the first time; false when interrupted.
  bool counted_look(const Numbers& next, const AnswerOptions& answer) {
    const SweepTally tally = run_points(space_, store_, look(answer), record_.id, tally_.tally.left(), next);
    tally_.tally.add(tally);
    if (answer.level == AnswerLevel::simulate) tally_.runs += tally.computed;
    return !tally.interrupted;
  }

  /// What no run of the point can beat; nullopt for a point that has no answer.
  std::optional<double> bound_of(std::uint64_t point) const {
    const auto resolved = space_.resolve(point);
    if (!resolved) return std::nullopt;
    try {
      const models::Outcome bound = models::flow_bound(resolved->scenario);
      const models::Metric* metric = bound.find(rank_.metric);
      return metric == nullptr ? std::nullopt : std::optional(metric->mean);
    } catch (const std::exception&) {
      return std::nullopt;  // the run fails for the same reason, which it reports
    }
  }

  /// Of the whole space, in order of their numbers.
  std::vector<std::uint64_t> best_by_bound() const {
    std::vector<std::pair<double, std::uint64_t>> best;
    std::mutex mutex;
    PointQueue queue(space_, Shard{});
    for_each_in_parallel(
        options_.threads, [&queue] { return queue.next(); }, options_.stop,
        [&](std::uint64_t point) {
          const auto bound = bound_of(point);
          if (!bound) return;
          const std::scoped_lock lock(mutex);
          best.emplace_back(sign_ * *bound, point);
          std::push_heap(best.begin(), best.end());
          if (best.size() <= kScouts) return;
          std::pop_heap(best.begin(), best.end());
          best.pop_back();
        });
    std::vector<std::uint64_t> points;
    for (const auto& [bound, point] : best) points.push_back(point);
    std::sort(points.begin(), points.end());
    return points;
  }

  /// Whether the point is worse than the best by more than asked for, whatever a run would say. The other half of the
  /// distance is left to the error of the best value.
  bool cannot_compete(std::uint64_t point) const {
    if (!bounded_ || !tally_.best) return false;
    const auto bound = bound_of(point);
    return bound && sign_ * (*bound - best_value_) > 2.0 * rank_.within * scale();
  }

  /// Runs these points, which are counted already or are not the shard's own; false when interrupted.
  bool longer_look(const std::vector<std::uint64_t>& contenders, std::uint64_t steps) {
    const SweepTally tally =
        run_points(space_, store_, look(length(steps)), record_.id, contenders.size(), numbers_of(contenders));
    tally_.runs += tally.computed;
    tally_.tally.interrupted = tally_.tally.interrupted || tally.interrupted;
    return !tally.interrupted;
  }

  std::optional<double> value_of(const PointRow& row) const { return value_of(row.result); }

  std::optional<double> value_of(const ResultRecord& result) const {
    if (result.failed) return std::nullopt;
    const Json metrics = stored_json(result.outcome).at("metrics");
    const auto found = metrics.find(rank_.metric);
    if (found == metrics.end() || !found->at("mean").is_number()) return std::nullopt;
    return found->at("mean").get<double>();
  }

  /// Among the runs of this length; of equals the first, or that with the best brief run, with which others are
  /// compared. A store that holds more, of shards that were joined or of a call that was interrupted, must not change
  /// who is looked at.
  void find_best(std::uint64_t steps, const std::vector<std::uint64_t>* among = nullptr) {
    double best_brief = 0.0;
    tally_.best.reset();
    best_steps_ = steps;
    best_runs_.clear();
    store_.for_each_point(record_.id, [&](const PointRow& row) {
      if (row.result.failed || steps_of(row) != steps || (among != nullptr && !is_among(*among, row.point))) return;
      const auto value = value_of(row);
      if (!value || (tally_.best && sign_ * *value > sign_ * best_value_)) return;
      const double brief = value_at(row.result.scenario_sha256, rank_.first_steps).value_or(*value);
      if (tally_.best && *value == best_value_ && sign_ * brief >= sign_ * best_brief) return;
      best_brief = brief;
      tally_.best = row.point;
      best_value_ = *value;
      best_sha256_ = row.result.scenario_sha256;
    });
  }

  /// Of a scenario's run of that length.
  std::optional<double> value_at(const std::string& sha256, std::uint64_t steps) const {
    const auto record = store_.find(result_key(sha256, length(steps)));
    return record ? value_of(*record) : std::nullopt;
  }

  /// The best point's run of the same length as another's.
  const models::Outcome* best_run(std::uint64_t steps) {
    const auto known = best_runs_.find(steps);
    if (known != best_runs_.end()) return known->second.get();
    const auto record = store_.find(result_key(best_sha256_, length(steps)));
    auto run =
        record && !record->series.empty() ? std::make_unique<models::Outcome>(stored_run(record->series)) : nullptr;
    return best_runs_.emplace(steps, std::move(run)).first->second.get();
  }

  /// The best point's run that `mine` is compared with: the one of the same length, in pairs; where that warms up for
  /// so long that too few pairs are left, the longest one, by the intervals of both.
  const models::Outcome* comparable_run(const models::Outcome& mine, std::uint64_t steps) {
    const models::Outcome* alike = best_run(steps);
    if (alike != nullptr && has_interval(*alike, mine)) return alike;
    const models::Outcome* longest = best_run(best_steps_);
    return longest != nullptr && has_interval(*longest, mine) ? longest : alike;
  }

  /// A best with a long warm-up has too few steps in common with any other point; before all of those run longer, it
  /// alone does, and they are compared with that. False when interrupted.
  bool lengthen_best(std::uint64_t steps) {
    if (!longer_look({*tally_.best}, steps)) return false;
    const auto value = value_at(best_sha256_, steps);
    if (!value) return true;  // a longer run may fail; then the shorter one stays
    best_value_ = *value;
    best_steps_ = steps;
    return true;
  }

  bool has_interval(const models::Outcome& best, const models::Outcome& mine) const {
    const auto difference = models::paired_difference(best, mine, rank_.metric);
    return difference && difference->ci;
  }

  /// What "within" is a part of.
  double scale() const {
    if (metric_.unit == "1") return 1.0;
    if (metric_.unit == "%") return 100.0;
    return std::abs(best_value_);
  }

  struct Standing {
    std::string_view state = "undecided";
    std::optional<models::PairedDifference> difference;
  };

  Standing standing_of(const PointRow& row) {
    Standing standing = standing_by_runs(row);
    if (standing.state == "undecided" && cannot_compete(row.point)) standing.state = "worse";
    return standing;
  }

  Standing standing_by_runs(const PointRow& row) {
    Standing standing;
    if (row.result.series.empty()) return standing;
    const models::Outcome mine = stored_run(row.result.series);
    const models::Outcome* best = comparable_run(mine, steps_of(row));
    if (best == nullptr) return standing;
    const double size = rank_.within * scale();
    standing.difference = models::paired_difference(*best, mine, rank_.metric);
    if (!standing.difference || !standing.difference->ci)
      return standing_by_brief_runs(*best, mine, size, sampled_nodes_of(row) > 0 ? kMostOfSample * size : 0.0);
    const models::Interval& ci = *standing.difference->ci;
    if (0.5 * (ci.high - ci.low) <= size) {
      standing.state = "known";
      return standing;
    }
    const auto sure = models::paired_difference(*best, mine, rank_.metric, kSure);
    if (sure && sure->ci && (sign_ > 0.0 ? sure->ci->low : -sure->ci->high) > size) standing.state = "worse";
    return standing;
  }

  /// Of runs that are too short for an interval. A rough one decides where it is far from the size; one of no length
  /// says that each step of one is like the same step of the other. `off`: what a sample of the nodes may hide.
  Standing standing_by_brief_runs(const models::Outcome& best, const models::Outcome& mine, double size,
                                  double off) const {
    Standing standing;
    standing.difference = models::paired_difference(best, mine, rank_.metric);
    const auto rough = models::paired_difference(best, mine, rank_.metric, kSure, sim::TooShort::rough);
    if (!rough || !rough->ci) return standing;
    const models::Interval& ci = *rough->ci;
    if (ci.low == ci.high && std::abs(ci.low) <= size) return {"known", rough};
    if ((sign_ > 0.0 ? ci.low : -ci.high) > size + off) standing.state = "worse";
    return standing;
  }

  std::vector<std::uint64_t> unsettled() {
    std::vector<std::uint64_t> contenders;
    without_interval_ = 0;
    store_.for_each_point(
        record_.id,
        [&](const PointRow& row) {
          if (row.result.failed || row.point == *tally_.best || is_foreign(row.point) || !value_of(row)) return;
          const Standing standing = standing_of(row);
          if (standing.state != "undecided") return;
          contenders.push_back(row.point);
          if (!standing.difference || !standing.difference->ci) ++without_interval_;
        },
        true);
    return contenders;
  }

  void write_ranking() {
    store_.together([this] {
      store_.for_each_point(
          record_.id, [this](const PointRow& row) { store_.put_ranking(record_.id, row.point, ranking_of(row)); },
          true);
      store_.number_places(record_.id, sign_ < 0.0);
    });
  }

  std::string ranking_of(const PointRow& row) {
    const auto value = value_of(row);
    if (!value) return {};
    Json json = {{"metric", rank_.metric}, {"place", 0}, {"value", *value}};
    const bool best = row.point == *tally_.best;
    const Standing standing = best ? Standing{"best", {}} : standing_of(row);
    const bool known = standing.difference && standing.difference->ci;
    json["difference"] = best ? 0.0 : standing.difference ? standing.difference->mean : *value - best_value_;
    json["ci95"] = known ? Json::array({standing.difference->ci->low, standing.difference->ci->high}) : Json();
    json["relative"] = best                                                   ? Json(0.0)
                       : standing.difference && standing.difference->relative ? Json(*standing.difference->relative)
                                                                              : Json();
    json["state"] = standing.state;
    json["steps"] = steps_of(row);
    if (const std::uint64_t nodes = sampled_nodes_of(row); nodes > 0) json["sampled_nodes"] = nodes;
    return json.dump();
  }

  const SweepSpace& space_;
  ResultsStore& store_;
  const SweepOptions& options_;
  const RankOptions& rank_;
  const models::MetricDescription& metric_;
  double sign_;
  bool bounded_;            ///< the flow bound is what no point can beat
  bool all_nodes_ = false;  ///< also in brief runs
  SweepRecord record_;
  std::uint64_t steps_ = 0;                ///< of the next look
  std::vector<std::uint64_t> contenders_;  ///< points of the next look
  std::uint64_t without_interval_ = 0;     ///< contenders whose difference to the best has no interval at all
  std::vector<std::uint64_t> scouts_;      ///< of the whole space; none where bounds do not order it
  std::vector<std::uint64_t> foreign_;     ///< those that belong to other shards
  RankTally tally_;
  double best_value_ = 0.0;
  std::string best_sha256_;
  std::uint64_t best_steps_ = 0;                                         ///< of its longest run
  std::map<std::uint64_t, std::unique_ptr<models::Outcome>> best_runs_;  ///< by steps
};

}  // namespace

SweepRecord ranked_record(const SweepSpace& space, const SweepOptions& options, const RankOptions& rank) {
  SweepOptions first = options;
  first.answer = at_length(options.answer, rank.metric, rank.first_steps, rank.first_steps <= kFirstRankSteps);
  SweepRecord record = sweep_record(space, first);
  Json json = answer_json(first.answer);
  json["rank"] = {{"metric", rank.metric}, {"within", rank.within}};
  record.options = json.dump();
  record.id = sha256(canonical_text(
      {{"space", space.sha256}, {"level", record.level}, {"model_version", record.model_version}, {"options", json}}));
  return record;
}

bool ties_with_best(const nlohmann::ordered_json& ranking) {
  if (!ranking.is_object() || !ranking.contains("state") || ranking["state"] != "known") return false;
  const auto ci = ranking.find("ci95");
  const bool whole =
      ci != ranking.end() && ci->is_array() && ci->size() == 2 && (*ci)[0].is_number() && (*ci)[1].is_number();
  return whole && (*ci)[0].get<double>() <= 0.0 && (*ci)[1].get<double>() >= 0.0;
}

RankTally rank_sweep(const SweepSpace& space, ResultsStore& store, const SweepOptions& options,
                     const RankOptions& rank) {
  return Ranker(space, store, options, rank).run();
}

SweepTally count_ranked(const SweepSpace& space, const ResultsStore* store, const SweepOptions& options,
                        const RankOptions& rank) {
  SweepTally tally;
  const std::string sweep = ranked_record(space, options, rank).id;
  PointQueue queue(space, options.shard);
  while (const auto point = queue.next()) {
    ++tally.points;
    if (store != nullptr && store->answered(sweep, *point)) ++tally.reused;
  }
  return tally;
}

std::optional<RankTally> stored_ranking(const SweepSpace& space, const ResultsStore& store, const SweepOptions& options,
                                        const RankOptions& rank) {
  RankTally tally;
  tally.tally = count_ranked(space, &store, options, rank);
  std::uint64_t longest = 0;
  store.for_each_point(ranked_record(space, options, rank).id, [&](const PointRow& row) {
    if (row.result.failed) {
      ++tally.tally.failed;
      if (tally.tally.first_error.empty())
        tally.tally.first_error = fmt::format("point {} {}: {}", row.point, row.coordinates, row.result.error);
    }
    if (row.ranking.empty()) return;
    const Json ranking = stored_json(row.ranking);
    if (ranking.at("place") == 1) tally.best = row.point;
    if (ranking.at("state") == "undecided") ++tally.undecided;
    longest = std::max(longest, ranking.at("steps").get<std::uint64_t>());
  });
  for (std::uint64_t steps = rank.first_steps; steps <= longest; steps *= kRankGrowth) ++tally.looks;
  return tally.best ? std::optional(tally) : std::nullopt;
}

}  // namespace headrace::scenarios
