#include "cli/sweep_on_slurm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <span>
#include <sstream>
#include <thread>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/run_command.hpp"
#include "scenarios/document/atomic_file.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/shell_quoted.hpp"

namespace headrace::cli {
namespace {

using Clock = std::chrono::steady_clock;
using scenarios::SlurmJobs;

constexpr std::chrono::milliseconds kFirstPoll{500};
constexpr std::chrono::milliseconds kLastPoll{5000};  // a controller serves a whole cluster
constexpr int kMostLostPolls = 60;                    // five minutes without an answer

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// What the queue holds of a sweep.
struct QueueView {
  bool answered = false;
  std::size_t running = 0;  ///< tasks of the array
  std::size_t waiting = 0;  ///< tasks of the array
  bool merge_left = false;

  bool empty() const { return running + waiting == 0 && !merge_left; }
};

QueueView look_at_queue(const SlurmJobs& jobs) {
  QueueView view;
  std::string ids = jobs.array_id;
  if (!jobs.merge_id.empty()) ids += (ids.empty() ? "" : ",") + jobs.merge_id;
  const CommandResult result = run_command({"squeue", "--noheader", "--array", "--format=%F %T", "--jobs=" + ids});
  // Jobs that ended a while ago are no longer known.
  view.answered = result.status == 0 || result.errors.find("Invalid job id") != std::string::npos;
  std::istringstream lines(result.output);
  for (std::string id, state; lines >> id >> state;) {
    if (id == jobs.merge_id)
      view.merge_left = true;
    else if (state == "RUNNING" || state == "COMPLETING")
      ++view.running;
    else
      ++view.waiting;
  }
  return view;
}

class SlurmSubmission {
 public:
  SlurmSubmission(const SlurmRun& run, Console& console) : run_(run), sweep_(run.sweep), console_(console) {}

  int carry_out() {
    if (!find_slurm()) return kBadInput;
    const auto known = known_jobs();  // before anything is written: another sweep must not lose its scripts to this one
    if (!known || !prepare_folder()) return kBadInput;
    jobs_ = *known;
    const bool queued = !jobs_.merge_id.empty() && !look_at_queue(jobs_).empty();
    if (queued)
      console_.note(fmt::format("following jobs {} that are in the queue already", ids()));
    else if (!submit())
      return kBadInput;
    return follow();
  }

 private:
  bool find_slurm() {
    const CommandResult version = run_command({"sbatch", "--version"});
    if (version.status == 0) return true;
    console_.error("cannot submit jobs: " + trimmed(version.errors),
                   "run this with sbatch and squeue of Slurm in PATH, or remove --engine");
    return false;
  }

  bool prepare_folder() {
    std::error_code failure;
    std::filesystem::create_directories(sweep_.folder, failure);
    if (!failure) return write("array.sh", array_script(sweep_)) && write("merge.sh", merge_script(sweep_));
    console_.error(
        "cannot make " + sweep_.folder + ": " + failure.message(),
        "the folder has the stores and logs of the shards, so it must be on a file system that the nodes share");
    return false;
  }

  bool write(const std::string& name, const std::string& text) {
    const auto written = scenarios::write_atomically(path(name), text);
    if (!written) console_.raw_error(print_text(written.error(), console_.err_colour()));
    return written.has_value();
  }

  std::string path(const std::string& name) const { return sweep_.folder + "/" + name; }
  std::string ids() const { return jobs_.array_id.empty() ? jobs_.merge_id : jobs_.array_id + ", " + jobs_.merge_id; }

  /// Of an earlier call; empty where there was none.
  std::optional<SlurmJobs> known_jobs() {
    if (!std::filesystem::exists(path("jobs.json"))) return SlurmJobs{};
    scenarios::Diagnostics diagnostics;
    const std::optional<std::string> text = scenarios::read_text(path("jobs.json"), diagnostics);
    auto jobs = scenarios::parse_jobs(sweep_, text.value_or(""));
    if (jobs) return *jobs;
    console_.error(sweep_.folder + " cannot be used: " + jobs.error(),
                   "give another -o, repeat the call as it was, or remove the folder if nothing runs in it");
    return std::nullopt;
  }

  std::vector<unsigned> unfinished_shards() const {
    std::vector<unsigned> shards;
    for (unsigned shard = 1; shard <= sweep_.shards; ++shard)
      if (run_.points_done(shard_store(sweep_, shard), shard) < points_of(shard)) shards.push_back(shard);
    return shards;
  }

  std::optional<std::string> sbatch(std::vector<std::string> words) {
    words.insert(words.begin(), {"sbatch", "--parsable"});
    const CommandResult result = run_command(words);
    // "--parsable" prints "id" or "id;cluster".
    const std::string id = trimmed(result.output.substr(0, result.output.find(';')));
    if (result.status == 0 && !id.empty()) return id;
    console_.error("sbatch rejected the job: " + trimmed(result.errors),
                   "options for it go into --sbatch, for example --sbatch=--partition=cpu");
    return std::nullopt;
  }

  bool submit() {
    jobs_ = {};
    const std::vector<unsigned> shards = unfinished_shards();
    if (!shards.empty()) {
      std::vector<std::string> words = {"--job-name=headrace-sweep", "--requeue", "--open-mode=append",
                                        "--array=" + scenarios::task_list(shards), "--output=" + path("shard-%a.log")};
      words.insert(words.end(), run_.sbatch_options.begin(), run_.sbatch_options.end());
      words.push_back(path("array.sh"));
      const auto id = sbatch(words);
      if (!id) return false;
      jobs_.array_id = *id;
    }
    std::vector<std::string> words = {"--job-name=headrace-merge", "--requeue", "--open-mode=append",
                                      "--output=" + path("merge.log")};
    words.insert(words.end(), run_.sbatch_options.begin(), run_.sbatch_options.end());
    if (!jobs_.array_id.empty()) words.push_back("--dependency=afterany:" + jobs_.array_id);
    words.push_back(path("merge.sh"));
    const auto id = sbatch(words);
    jobs_.merge_id = id.value_or("");
    if (!write("jobs.json", print_jobs(sweep_, jobs_))) return false;
    if (!id) return false;
    if (jobs_.array_id.empty())
      console_.note(fmt::format("all shards are complete; submitted job {} that joins them", jobs_.merge_id));
    else
      console_.note(fmt::format("submitted job array {} (tasks {}) and job {} that joins the stores", jobs_.array_id,
                                scenarios::task_list(shards), jobs_.merge_id));
    return true;
  }

  /// Points are dealt out in turn.
  std::size_t points_of(unsigned shard) const {
    return run_.points / sweep_.shards + (shard <= run_.points % sweep_.shards ? 1 : 0);
  }

  std::size_t done() const {
    std::size_t points = 0;
    for (unsigned shard = 1; shard <= sweep_.shards; ++shard)
      points += std::min(points_of(shard), run_.points_done(shard_store(sweep_, shard), shard));
    return points;
  }

  void show(const QueueView& view, std::size_t first_done, Clock::time_point begin) {
    if (!console_.shows_progress()) return;
    const std::size_t now = done();
    std::string line =
        fmt::format("sweep on Slurm   {:3.0f} %  {} of {} points  {} tasks running, {} waiting",
                    run_.points > 0 ? 100.0 * static_cast<double>(now) / static_cast<double>(run_.points) : 100.0, now,
                    run_.points, view.running, view.waiting);
    if (now > first_done && now < run_.points) {
      const double wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
      line += fmt::format("  about {:.0f} s left",
                          wall_s * static_cast<double>(run_.points - now) / static_cast<double>(now - first_done));
    }
    console_.progress(line);
  }

  int follow() {
    const InterruptWatch interrupt;
    const Clock::time_point begin = Clock::now();
    const std::size_t first_done = done();
    std::chrono::milliseconds pause = kFirstPoll;
    int lost = 0;
    for (;;) {
      const QueueView view = look_at_queue(jobs_);
      lost = view.answered ? 0 : lost + 1;
      if (view.answered && view.empty()) break;
      if (lost == kMostLostPolls) return lose_sight();
      show(view, first_done, begin);
      for (auto waited = std::chrono::milliseconds{0}; waited < pause; waited += std::chrono::milliseconds{50}) {
        if (interrupt.interrupted()) return leave();
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
      }
      pause = std::min(kLastPoll, pause * 3 / 2);
    }
    console_.progress("");
    return conclude();
  }

  int leave() {
    console_.progress("");
    console_.error(
        fmt::format("no longer following: {} of {} points are done, and jobs {} go on", done(), run_.points, ids()),
        "the same call follows them again; scancel " +
            (jobs_.array_id.empty() ? jobs_.merge_id : jobs_.array_id + " " + jobs_.merge_id) +
            " ends them, and what they have computed is kept");
    return kInterrupted;
  }

  int lose_sight() {
    console_.progress("");
    console_.error("squeue does not answer any more", "the jobs may go on; the same call follows them again");
    return kInconclusive;
  }

  int conclude() {
    std::string missing;
    for (const unsigned shard : unfinished_shards())
      missing +=
          fmt::format("\n    shard {}: {} of {} points, see {}", shard,
                      run_.points_done(shard_store(sweep_, shard), shard), points_of(shard), shard_log(sweep_, shard));
    if (!missing.empty()) {
      console_.error("the jobs have ended, and points are missing:" + missing,
                     "the same call submits the shards that are not complete");
      return kInconclusive;
    }
    if (std::filesystem::exists(sweep_.results)) return kOk;
    console_.error("the shards are complete, but were not joined; see " + path("merge.log"),
                   "the same call tries again, and headrace merge joins them by hand");
    return kInconclusive;
  }

  const SlurmRun& run_;
  const scenarios::SlurmSweep& sweep_;
  Console& console_;
  SlurmJobs jobs_;
};

}  // namespace

std::string call_of_a_shard(const std::vector<std::string>& words) {
  constexpr std::string_view kWithValue[] = {"-o",      "--output",  "--engine",   "--shards", "--sbatch",
                                             "--shard", "--threads", "--progress", "--color",  "--report"};
  constexpr std::string_view kAlone[] = {"--json", "-q", "--quiet"};
  const auto is_one_of = [](std::string_view word, std::span<const std::string_view> flags) {
    return std::find(flags.begin(), flags.end(), word) != flags.end();
  };
  std::string line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string_view flag = std::string_view(word).substr(0, word.find('='));
    if (is_one_of(word, kAlone)) continue;
    if (word.starts_with("-o") && !word.starts_with("-o=") && word.size() > 2) continue;  // -oFILE
    if (is_one_of(flag, kWithValue)) {
      if (flag.size() == word.size()) ++i;
      continue;
    }
    if (!line.empty()) line += ' ';
    line += scenarios::shell_quoted(word);
  }
  return line;
}

int sweep_on_slurm(const SlurmRun& run, Console& console) { return SlurmSubmission(run, console).carry_out(); }

}  // namespace headrace::cli
