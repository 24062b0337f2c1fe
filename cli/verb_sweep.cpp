// headrace sweep: every point of a space, side by side, into a store of results.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/load.hpp"
#include "cli/progress_line.hpp"
#include "cli/refusal.hpp"
#include "cli/store_refusal.hpp"
#include "cli/study_options.hpp"
#include "cli/sweep_on_slurm.hpp"
#include "cli/verb.hpp"
#include "models/base/model_version.hpp"
#include "models/outcome/outcome_metrics.hpp"
#include "reports/html/sweep_page.hpp"
#include "reports/humane.hpp"
#include "reports/outcome_json.hpp"
#include "reports/ranked_by.hpp"
#include "reports/results_export.hpp"
#include "reports/sweep_json.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdict_text.hpp"
#include "scenarios/document/thresholds.hpp"
#include "scenarios/document/visible_text.hpp"
#include "scenarios/results/ranking.hpp"
#include "scenarios/results/stored_json.hpp"
#include "scenarios/results/sweep.hpp"

namespace headrace::cli {
namespace {

using scenarios::RankTally;
using scenarios::ResultsStore;
using scenarios::SweepOptions;
using scenarios::SweepSpace;
using scenarios::SweepTally;

struct SweepCall {
  OutputOptions output;
  std::string space;
  std::vector<std::string> sets;
  std::vector<std::string> catalogues;
  std::string results = "results.db";  ///< the store
  std::string level = "simulate";
  std::string shard;  ///< "2/8", "auto", "auto/8"; empty: all points
  std::string engine = "local";
  unsigned shards = 0;              ///< on Slurm: tasks of the job array
  std::vector<std::string> sbatch;  ///< on Slurm: options for both jobs
  std::string rank;                 ///< metric by which the points are ranked; empty: not at all
  double within = 0.02;             ///< relative size to which differences are known
  SweepOptions sweep;               ///< with its study
  std::optional<double> precision;
  bool relief = false;
  bool dry_run = false;
};

void add_slurm(OptionTable& table, SweepCall& options) {
  table.section("Slurm");
  table
      .add("--engine", "ENGINE", options.engine,
           "local: on this machine (default); slurm: as a job array that is submitted and followed")
      .one_of({"local", "slurm"});
  table.add("--shards", "N", options.shards, "tasks of the job array, each with a part of the points").range(1, 100000);
  table.add("--sbatch", "OPTION", options.sbatch, "option for both jobs: --sbatch=--partition=cpu (repeatable)")
      .repeatable();
}

void add_ranking(OptionTable& table, SweepCall& options) {
  table.section("Sweep");
  table.add("--rank", "METRIC", options.rank,
            "order the points by a metric: short runs of all, longer ones of those that compete; --steps is the length "
            "of the first");
  table
      .add("--within", "P", options.within,
           "with --rank: known to this part of the best value is known well enough (default 2%)")
      .unit(models::Unit::fraction)
      .range(1e-5, 1.0);
}

void add_options(OptionTable& table, SweepCall& options) {
  table.examples({"headrace sweep loader-workers --level estimate -o workers.db"});
  table.argument("space", "SPACE", options.space,
                 "a file with a scenario and its axes, or the name of a shipped space");
  table.section("Sweep");
  table.add("-o,--output", "FILE", options.results,
            "results store (default results.db); stored results are not computed again; :memory: keeps nothing");
  table
      .add("--level", "LEVEL", options.level,
           "bound: lower bound of the step time; estimate: with varying batches, without queueing at what they share; "
           "simulate (default)")
      .one_of({"bound", "estimate", "simulate"});
  table.add(
      "--shard", "I/N", options.shard,
      "I/N: only the I-th of N parts, into a separate store (results.I-of-N.db); auto: from the job array; auto/N");
  add_slurm(table, options);
  add_ranking(table, options);
  table.add("--limit", "N", options.sweep.limit, "compute at most so many points in this call")
      .range(std::uint64_t{1}, kMostSteps);
  table.flag("--fresh", options.sweep.fresh, "compute stored results again");
  table.flag("--dry-run", options.dry_run, "show the number of points, and how many have a result already");
  table.add("--set", "/KEY=VALUE", options.sets, "override one value of the scenario (repeatable); axes win over it")
      .repeatable();
  add_catalogue(table, options.catalogues);
  models::StudyOptions& study = options.sweep.answer.study;
  add_length(table, study, options.precision);
  add_threads(table, options.sweep.threads, "points at a time (default: all cores); never changes a result");
  add_fidelity(table, study);
  table.flag("--relief", options.relief, "also compute the gain if a stage is removed at each point (more runs)");
  add_json(table, options.output);
  add_report(table, options.output);
  add_quiet_and_colour(table, options.output);
  add_progress(table, options.output);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

tl::expected<SweepSpace, scenarios::Diagnostics> load_space_of(const SweepCall& asked) {
  const auto catalogue = catalogue_of(asked.catalogues);
  if (!catalogue) return tl::unexpected(catalogue.error());
  scenarios::LoadOptions options;
  options.catalogue = &*catalogue;
  return scenarios::load_space(asked.space, asked.sets, options);
}

SweepOptions sweep_options(const SweepCall& asked, const scenarios::Shard& shard, const SweepSpace& space) {
  SweepOptions options = asked.sweep;
  options.answer.level = asked.level == "bound"      ? scenarios::AnswerLevel::bound
                         : asked.level == "estimate" ? scenarios::AnswerLevel::estimate
                                                     : scenarios::AnswerLevel::simulate;
  models::StudyOptions& study = options.answer.study;
  study.precision = asked.precision.value_or(study.precision);
  study.relief = asked.relief;
  study.threads = options.threads;
  options.shard = shard;
  options.outcome_text = [version = space.base.composition.catalogue_version](const models::Outcome& outcome) {
    return reports::stored_outcome(outcome, version);
  };
  return options;
}

/// "sweeping   42 %  420 of 1,000 points  about 3 s left".
std::string progress_text(const scenarios::SweepProgress& progress) {
  const double percent =
      progress.total > 0 ? 100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total) : 100.0;
  std::string text =
      fmt::format("{:<12} {:>3.0f} %  {} of {} points", progress.phase, percent, progress.done, progress.total);
  if (progress.eta_s > 0.0 && progress.done < progress.total)
    text += fmt::format("  about {} left", reports::humane(progress.eta_s, "s", 2));
  return text;
}

scenarios::RankOptions rank_options(const SweepCall& asked) {
  scenarios::RankOptions rank;
  rank.metric = asked.rank;
  rank.within = asked.within;
  if (asked.sweep.answer.study.steps > 0) rank.first_steps = asked.sweep.answer.study.steps;
  return rank;
}

std::string tally_text(const SweepTally& tally, const std::string& store, const SweepSpace& space,
                       scenarios::AnswerLevel level = scenarios::AnswerLevel::simulate) {
  std::string text = space.title.empty() ? "" : space.title + "\n";
  text += fmt::format("{}: {} computed, {} known from before, {} failed", reports::counted(tally.points, "point"),
                      tally.computed, tally.reused, tally.failed);
  if (tally.left() > 0) text += fmt::format(", {} left", tally.left());
  if (const std::uint64_t all = space.combinations(), kept = space.count(); kept < all)
    text += fmt::format("\nconditions of the space leave out {} of its {}", all - kept,
                        reports::counted(all, "combination"));
  const auto by = scenarios::kAnswerLevelNames[static_cast<std::size_t>(level)];
  return text + fmt::format("\nresults{}: {}\n",
                            level == scenarios::AnswerLevel::simulate ? "" : fmt::format(" by {}", by), store);
}

int dry_run(const SweepSpace& space, const SweepOptions& options, const std::string& path, const SweepCall& asked,
            Console& console) {
  std::error_code error;
  std::optional<ResultsStore> store;
  if (std::filesystem::exists(path, error)) store.emplace(path, ResultsStore::Access::read);
  if (store) store->require_intact();
  const SweepTally tally = asked.rank.empty()
                               ? count_sweep(space, store ? &*store : nullptr, options)
                               : count_ranked(space, store ? &*store : nullptr, options, rank_options(asked));
  const std::string document =
      asked.output.json
          ? reports::json_text({{"space", space.name},
                                {"store", path},
                                {"combinations", space.combinations()},
                                {"points", tally.points},
                                {"in_store", tally.reused},
                                {"to_compute", tally.left()}})
          : fmt::format("{} of {}, {} of them in {}, {} to compute\n", reports::counted(tally.points, "point"),
                        reports::counted(space.combinations(), "combination"), tally.reused, path, tally.left());
  return console.deliver(document, "") ? kOk : kBadInput;
}

void tell_other_versions(const ResultsStore& store, Console& console) {
  const std::uint64_t others = store.results_of_other_versions(models::kModelVersion);
  if (others > 0)
    console.warn(fmt::format("'{}' has {} results of other model versions than {}: they are kept, but not reused",
                             store.path(), others, models::kModelVersion));
}

/// What was found damaged and is computed again, or is missing now where it belongs to another sweep.
void tell_damage(const std::vector<std::string>& rows, const std::string& path, Console& console) {
  constexpr std::size_t kMostTold = 10;
  if (rows.empty()) return;
  console.warn(fmt::format(
      "'{}' is damaged: these rows are removed, and points of this sweep are computed again (E0606)", path));
  for (std::size_t i = 0; i < rows.size() && i < kMostTold; ++i) console.note("  " + scenarios::visible_text(rows[i]));
  if (rows.size() > kMostTold) console.note(fmt::format("  and {} more", rows.size() - kMostTold));
}

std::string coordinates_text(const nlohmann::ordered_json& coordinates) {
  std::string text;
  for (const auto& [axis, at] : coordinates.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis, at.is_string() ? at.get<std::string>() : at.dump());
  return text;
}

/// Rows with their coordinates behind them, broken to the width of a terminal.
std::string table_of_places(const std::vector<std::vector<std::string>>& rows, const std::vector<std::string>& places) {
  std::istringstream lines(reports::table(std::vector<reports::Column>(rows.front().size()), rows));
  std::vector<std::string> starts;
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, line.size());
    starts.push_back(std::move(line));
  }
  std::string text;
  for (std::size_t i = 0; i < starts.size(); ++i)
    text += fmt::format("{:<{}}  {}\n", starts[i], widest,
                        reports::wrapped(places[i], reports::kTerminalWidth, static_cast<int>(widest) + 2));
  return text;
}

/// The points of a small sweep at a glance; a larger one is for `headrace report`. Money stands there where it has a
/// price.
std::string small_table(const ResultsStore& store, const std::string& sweep, const SweepTally& tally) {
  constexpr std::uint64_t kFewPoints = 40;
  if (tally.points > kFewPoints) return {};
  std::vector<std::vector<std::string>> rows{{"step time", "GPUs wait", "epoch costs", "verdict"}};
  std::vector<std::string> places{"at"};
  bool priced = false;
  store.for_each_point(sweep, [&](const scenarios::PointRow& row) {
    places.push_back(coordinates_text(scenarios::stored_json(row.coordinates)));
    if (row.result.failed) return rows.push_back({"", "", "", "failed"});
    const nlohmann::ordered_json outcome = scenarios::stored_json(row.result.outcome);
    const auto mean = [&outcome](const char* name) {
      const auto found = outcome["metrics"].find(name);
      return found == outcome["metrics"].end() || !(*found)["mean"].is_number() ? 0.0 : (*found)["mean"].get<double>();
    };
    const double usd = mean("cost_per_epoch_usd");
    priced = priced || usd > 0.0;
    rows.push_back({reports::humane(mean("step_time_s"), "s", 3),
                    reports::percent(std::max(0.0, mean("gpu_idle_fraction"))),
                    usd > 0.0 ? reports::humane(usd, "USD", 3) : "",
                    reports::spoken_verdict(outcome["verdict"].get<std::string>())});
  });
  constexpr std::ptrdiff_t kCost = 2;
  if (!priced)
    for (std::vector<std::string>& row : rows) row.erase(row.begin() + kCost);
  return "\n" + table_of_places(rows, places);
}

/// Told of every sweep, so that nothing is parsed.
std::string caution_line(const ResultsStore& store, const std::string& sweep) {
  constexpr std::string_view kOpen = "\"may_change_verdict\":true";
  std::size_t open = 0;
  std::size_t answered = 0;
  store.for_each_point(sweep, [&](const scenarios::PointRow& row) {
    if (row.result.failed) return;
    ++answered;
    if (row.result.outcome.find(kOpen) != std::string::npos) ++open;
  });
  return open == 0 ? std::string()
                   : fmt::format("the verdict of {} of {} points may be wrong: \"confidence\" in --json says why\n",
                                 open, answered);
}

/// What was computed until now, be it nothing but failures.
bool deliver_page(const ResultsStore& store, const std::string& sweep, const SweepCall& asked, Console& console) {
  if (asked.output.report.empty()) return true;
  const auto page = reports::sweep_page(store, {sweep, asked.rank});
  if (page) return console.deliver(*page, asked.output.report);
  console.error(page.error().message, page.error().help);
  return false;
}

/// Of a sweep that has ended: kInterrupted or kBadInput, or else `ended`.
int deliver_sweep(const std::string& document, const SweepTally& tally, const ResultsStore& store,
                  const std::string& sweep, int ended, const SweepCall& asked, Console& console) {
  const bool delivered = console.deliver(document, "");
  if (!deliver_page(store, sweep, asked, console) || !delivered) return kBadInput;
  if (!tally.interrupted) return tally.failed > 0 ? kFailed : ended;
  console.note("finished points are kept; the same call continues from there");
  return kInterrupted;
}

void warn_of_failures(const SweepTally& tally, Console& console) {
  if (tally.failed > 0)
    console.warn(fmt::format("{} of {} points failed; the first: {}", tally.failed, tally.points, tally.first_error));
}

int finish(const SweepTally& tally, const SweepSpace& space, const SweepOptions& options, const ResultsStore& store,
           const SweepCall& asked, Console& console) {
  warn_of_failures(tally, console);
  const std::string sweep = sweep_record(space, options).id;
  const std::string document = asked.output.json
                                   ? reports::json_text(reports::sweep_json({space.name, store.path(), sweep, tally}))

                                   : tally_text(tally, store.path(), space, options.answer.level) +
                                         caution_line(store, sweep) + small_table(store, sweep, tally);
  return deliver_sweep(document, tally, store, sweep, kOk, asked, console);
}

constexpr std::size_t kTopPlaces = 10;

struct FirstPlaces {
  std::vector<nlohmann::ordered_json> places;  ///< coordinates beside what the store says
  std::uint64_t known = 0;                     ///< points of the whole ranking whose difference to the best is known
  std::uint64_t tied = 0;                      ///< those of them that cannot be told from the best
  reports::RankedBy by = {};                   ///< all points
};

FirstPlaces first_places(const ResultsStore& store, const std::string& sweep) {
  FirstPlaces first{std::vector<nlohmann::ordered_json>(kTopPlaces)};
  std::vector<nlohmann::ordered_json>& places = first.places;
  store.for_each_point(sweep, [&](const scenarios::PointRow& row) {
    if (row.ranking.empty()) return;
    nlohmann::ordered_json ranking = scenarios::stored_json(row.ranking);
    first.known += ranking["state"] == "known" ? 1U : 0U;
    first.tied += scenarios::ties_with_best(ranking) ? 1U : 0U;
    first.by.add(ranking);
    const auto place = ranking["place"].get<std::size_t>();
    if (place < 1 || place > places.size()) return;
    places[place - 1] = {{"point", row.point}, {"coordinates", scenarios::stored_json(row.coordinates)}};
    places[place - 1].update(ranking);
  });
  std::erase_if(places, [](const nlohmann::ordered_json& place) { return place.is_null(); });
  return first;
}

std::string ranking_text(const FirstPlaces& first, const RankTally& rank, const SweepCall& asked) {
  const std::string unit(models::find_metric(asked.rank)->unit);
  const auto value = [&unit](const nlohmann::ordered_json& number) {
    return number.is_number() ? reports::humane(number.get<double>(), unit, 4) : std::string("not known");
  };
  std::vector<std::vector<std::string>> rows{{"place", reports::spoken_name(asked.rank), "over the best"}};
  std::vector<std::string> at{"at"};
  for (const nlohmann::ordered_json& place : first.places) {
    at.push_back(coordinates_text(place["coordinates"]));
    const nlohmann::ordered_json& ci = place["ci95"];
    std::string difference = value(place["difference"]);
    if (ci.is_array())
      difference +=
          fmt::format(" \u00b1 {}", reports::humane(0.5 * (ci[1].get<double>() - ci[0].get<double>()), unit, 2));
    rows.push_back({std::to_string(place["place"].get<int>()), value(place["value"]), difference});
  }
  std::string text = table_of_places(rows, at);
  if (first.tied > 0)
    text += reports::wrapped(
                fmt::format("For {} the difference to the best is known to {:g} % of its value; for {} it may be 0.",
                            reports::counted(first.known, "point"), asked.within * 100.0,
                            first.tied == first.known ? "all" : fmt::format("{} of them", first.tied)),
                reports::kTerminalWidth, 2) +
            "\n";
  if (rank.undecided > 0)
    text += fmt::format("{} still undecided after {}: the differences are wider than {:g} %\n",
                        reports::counted(rank.undecided, "point"), reports::counted(rank.looks, "look"),
                        asked.within * 100.0);
  if (const std::string by = first.by.text(); !by.empty())
    text += reports::wrapped(by, reports::kTerminalWidth, 2) + "\n";
  return text;
}

/// One shard has no places: its runs are in its store, places come with the others.
int finish_ranking(const RankTally& rank, const SweepSpace& space, const SweepOptions& options,
                   const ResultsStore& store, const SweepCall& asked, Console& console) {
  const std::string sweep = ranked_record(space, options, rank_options(asked)).id;
  const SweepTally& tally = rank.tally;
  const bool whole = options.shard.is_whole();
  warn_of_failures(tally, console);
  const auto places = whole && !tally.interrupted ? first_places(store, sweep) : FirstPlaces{};
  std::string document = tally_text(tally, store.path(), space);
  if (asked.output.json) {
    const std::string shard = whole ? "" : fmt::format("{}/{}", options.shard.number, options.shard.count);
    document =
        reports::json_text(reports::sweep_json({space.name, store.path(), sweep, tally,
                                                reports::SweepRanking{asked.rank, asked.within, rank.looks, rank.runs,
                                                                      rank.undecided, shard, places.places}}));
  } else if (whole) {
    document += caution_line(store, sweep) + "\n" + ranking_text(places, rank, asked);
  }
  const bool decided = !whole || (rank.undecided == 0 && rank.best);
  const int status = deliver_sweep(document, tally, store, sweep, decided ? kOk : kInconclusive, asked, console);
  if (!whole && status != kBadInput && status != kInterrupted)
    console.note(
        "one shard has no places: join the stores of all shards with headrace merge, then repeat the call with the "
        "joined store and without --shard");
  return status;
}

/// What is wrong with --rank, or nothing.
bool can_rank(const SweepCall& asked, const SweepOptions& options, Console& console) {
  const models::MetricDescription* metric = models::find_metric(asked.rank);
  if (metric == nullptr) {
    const scenarios::UnitError unknown = scenarios::no_such_metric(asked.rank);
    console.error("--rank: " + unknown.message, unknown.help);
  } else if (metric->better == models::Better::neither) {
    console.error(fmt::format("--rank: neither more nor less of '{}' is better", asked.rank), "name another metric");
  } else if (options.answer.level != scenarios::AnswerLevel::simulate) {
    console.error("--rank compares simulations", "remove --level, or sort the report of a sweep without --rank");
  } else if (options.limit > 0) {
    console.error(
        "--rank compares all points, and --limit leaves some out",
        "remove --limit: an interrupted ranking continues where it was, and --shard divides it between machines");
  } else {
    return true;
  }
  return false;
}

int sweep_into(const std::string& path, const SweepSpace& space, SweepOptions options, const SweepCall& asked,
               Console& console) {
  ResultsStore store(path, ResultsStore::Access::write);
  tell_damage(store.remove_damage(), path, console);
  tell_other_versions(store, console);
  const InterruptWatch watch;
  SweepTally tally;
  RankTally ranked;
  {
    ProgressLine line(console);
    options.stop = watch.token();
    if (console.shows_progress())
      options.progress = [&line](const scenarios::SweepProgress& progress) { line.show_text(progress_text(progress)); };
    if (asked.rank.empty())
      tally = scenarios::run_sweep(space, store, options);
    else
      ranked = scenarios::rank_sweep(space, store, options, rank_options(asked));
  }
  if (!asked.rank.empty()) return finish_ranking(ranked, space, options, store, asked, console);
  return finish(tally, space, options, store, asked, console);
}

/// What is wrong with the flags of a sweep on Slurm, or nothing.
bool fits_slurm(const SweepCall& asked, Console& console) {
  if (asked.shards == 0)
    console.error("--engine slurm needs --shards N", "N tasks of a job array share the points: --shards 8");
  else if (!asked.shard.empty())
    console.error("--shard belongs to one task of the job array", "remove it: --engine slurm gives each task its own");
  else if (asked.sweep.limit > 0 || asked.sweep.fresh)
    console.error("--limit and --fresh work in one store", "sweep on this machine, or remove them");
  else
    return true;
  return false;
}

int sweep_by_slurm(const std::string& path, const SweepSpace& space, const SweepOptions& options,
                   const SweepCall& asked, Console& console) {
  if (!fits_slurm(asked, console)) return kBadInput;
  const std::string results = std::filesystem::absolute(path).lexically_normal().string();
  SlurmRun run;
  run.sweep.program = std::filesystem::read_symlink("/proc/self/exe").string();
  run.sweep.call = call_of_a_shard(asked.output.words);
  run.sweep.ranked = !asked.rank.empty();
  run.sweep.id =
      (run.sweep.ranked ? ranked_record(space, options, rank_options(asked)) : sweep_record(space, options)).id;
  run.sweep.folder = results + ".slurm";
  run.sweep.results = results;
  run.sweep.shards = asked.shards;
  run.sbatch_options = asked.sbatch;
  run.points = static_cast<std::size_t>(scenarios::count_sweep(space, nullptr, options).points);
  run.points_done = [&](const std::string& store, unsigned shard) -> std::size_t {
    if (!std::filesystem::exists(store)) return 0;
    try {
      const ResultsStore opened(store, ResultsStore::Access::read);
      if (!run.sweep.ranked) return static_cast<std::size_t>(opened.points());
      SweepOptions one = options;  // a ranked shard holds some points of others, too
      one.shard = {shard, asked.shards};
      return static_cast<std::size_t>(count_ranked(space, &opened, one, rank_options(asked)).reused);
    } catch (const scenarios::StoreError&) {
      return 0;  // a task is just making it
    }
  };
  const int status = sweep_on_slurm(run, console);
  if (status != kOk) return status;
  const ResultsStore joined(results, ResultsStore::Access::read);
  if (run.sweep.ranked) {
    const auto ranked = stored_ranking(space, joined, options, rank_options(asked));
    if (ranked) return finish_ranking(*ranked, space, options, joined, asked, console);
    console.error("the stores are joined, but not ranked; see " + run.sweep.folder + "/merge.log",
                  "the same call tries again");
    return kInconclusive;
  }
  return finish(count_sweep(space, &joined, options), space, options, joined, asked, console);
}

int run(const SweepCall& asked, Console& console) {
  const auto space = load_space_of(asked);
  if (!space) return refuse(space.error(), console);
  scenarios::Shard shard;
  if (!asked.shard.empty()) {
    const auto parsed = scenarios::parse_shard(asked.shard, variable);
    if (!parsed) return refuse(parsed.error().message, parsed.error().help, console);
    shard = *parsed;
  }
  const std::string path = shard_path(asked.results, shard);
  const SweepOptions options = sweep_options(asked, shard, *space);
  if (!asked.rank.empty() && !can_rank(asked, options, console)) return kBadInput;
  if (!console.can_deliver({asked.output.report})) return kBadInput;
  try {
    if (asked.engine == "slurm" && !asked.dry_run) return sweep_by_slurm(path, *space, options, asked, console);
    return asked.dry_run ? dry_run(*space, options, path, asked, console)
                         : sweep_into(path, *space, options, asked, console);
  } catch (const scenarios::StoreError& error) {
    return refuse(error, console);
  } catch (const nlohmann::json::exception& error) {
    return refuse(scenarios::changed_store(path, error.what()), console);
  } catch (const std::out_of_range&) {  // JSON_ASSERT
    return refuse(scenarios::changed_store(path, "a value is missing"), console);
  }
}

}  // namespace

Verb sweep() {
  return make_verb<SweepCall>("sweep", "answer every point of a space of scenarios, into a store of results",
                              add_options, run);
}

}  // namespace headrace::cli
