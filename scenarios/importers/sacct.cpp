// The text of sacct --parsable or --parsable2 (Slurm): a header and lines parted by "|". Traps: each job has lines for
// its steps (ids with a point) that would be counted twice; Elapsed is [days-]hours:minutes:seconds; "CANCELLED by
// 1000" is one state; End is "Unknown" while a job runs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "scenarios/importers/importers.hpp"

namespace headrace::scenarios {
namespace {

using models::calibration::Parameter;

struct Job {
  double nodes = 0.0;
  double seconds = 0.0;
  std::string state;
  std::optional<double> start_s, end_s;
};

/// "[d-]hh:mm:ss" in seconds; also "mm:ss".
std::optional<double> elapsed(std::string_view text) {
  double days = 0.0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto value = decimal(text.substr(0, dash));
    if (!value || *value < 0.0) return std::nullopt;
    days = *value;
    text.remove_prefix(dash + 1);
  }
  double seconds = 0.0;
  int parts = 0;
  for (;; ++parts) {
    const std::size_t colon = text.find(':');
    const auto value = decimal(text.substr(0, colon));
    if (!value || *value < 0.0 || parts > 2) return std::nullopt;
    seconds = 60.0 * seconds + *value;
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (parts == 0) return std::nullopt;
  return 86400.0 * days + seconds;
}

/// "2026-11-17T09:30:00" in seconds since 1970, as if it were UTC: only differences count.
std::optional<double> moment(std::string_view text) {
  if (text.size() < 19 || text[10] != 'T') return std::nullopt;
  double parts[6];
  constexpr std::size_t kBegin[6] = {0, 5, 8, 11, 14, 17};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = decimal(text.substr(kBegin[i], i == 0 ? 4 : 2));
    if (!value || *value < 0.0) return std::nullopt;
    parts[i] = *value;
  }
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(parts[0])),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!date.ok()) return std::nullopt;
  const double days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return 86400.0 * days + 3600.0 * parts[3] + 60.0 * parts[4] + parts[5];
}

/// A line under the header.
class SacctRow {
 public:
  SacctRow(const std::map<std::string_view, std::size_t>& columns, const std::vector<std::string_view>& cells)
      : columns_(columns), cells_(cells) {}
  std::string_view operator[](std::string_view name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() || found->second >= cells_.size() ? std::string_view() : cells_[found->second];
  }

 private:
  const std::map<std::string_view, std::size_t>& columns_;
  const std::vector<std::string_view>& cells_;
};

std::optional<Job> job_of(Reading& in, const SacctRow& row, const Line& line) {
  Job job;
  const std::string_view nodes = row["NNodes"].empty() ? row["AllocNodes"] : row["NNodes"];
  job.nodes = in.number_in(nodes, line.place, "NNodes", {0.0, 1e7, true}).value_or(0.0);
  const std::string_view raw = row["ElapsedRaw"];
  if (!raw.empty()) {
    job.seconds = in.number_in(raw, line.place, "ElapsedRaw", {0.0, 1e10, true}).value_or(0.0);
  } else if (const auto seconds = elapsed(row["Elapsed"]); seconds && *seconds <= 1e10) {
    job.seconds = *seconds;
  } else {
    in.refuse("E0206", line.place, fmt::format("Elapsed: '{}' is not a time", row["Elapsed"].substr(0, 40)),
              "[days-]hours:minutes:seconds");
  }
  job.state = std::string(row["State"].substr(0, row["State"].find(' ')));
  job.start_s = moment(row["Start"]);
  job.end_s = moment(row["End"]);
  // A job that was suspended, or started again, may have an end and a start further apart.
  if (job.start_s && job.end_s && job.seconds > (*job.end_s - *job.start_s) * (1.0 + kAgreement) + 60.0)
    in.refuse("E0140", line.place,
              fmt::format("Elapsed is {:.0f} s, End - Start {:.0f} s", job.seconds, *job.end_s - *job.start_s),
              "a job cannot run longer than End - Start: is the line damaged?");
  if (in.failed()) return std::nullopt;
  return job;
}

std::vector<Job> jobs_of(Reading& in) {
  std::vector<Job> jobs;
  std::map<std::string_view, std::size_t> columns;
  for (const Line& line : in.lines()) {
    if (line.text.empty()) continue;
    std::vector<std::string_view> cells = columns_of(line.text, '|');
    if (columns.empty()) {
      for (std::size_t i = 0; i < cells.size(); ++i) columns[cells[i]] = i;
      for (const char* wanted : {"JobID", "State"})
        if (columns.count(wanted) == 0) {
          in.not_this(line.place, fmt::format("no column '{}'", wanted),
                      "sacct --parsable2 --allusers --format=JobID,State,NNodes,ElapsedRaw,Start,End");
          return {};
        }
      continue;
    }
    if (cells.size() < columns.size()) {
      in.not_this(line.place, fmt::format("{} cells under {} columns", cells.size(), columns.size()),
                  "is the file truncated?");
      return {};
    }
    const SacctRow row(columns, cells);
    if (row["JobID"].find('.') != std::string_view::npos) continue;  // a step of a job
    const auto job = job_of(in, row, line);
    if (!job) return {};
    if (job->seconds > 0.0 && job->nodes > 0.0) jobs.push_back(*job);
  }
  return jobs;
}

/// Upper limit of the mean of a Poisson count at 97.5 %, and the lower one (Wilson and Hilferty's approximation of
/// chi-squared: PNAS 17, 1931).
double poisson_high(double count) {
  const double n = count + 1.0;
  return n * std::pow(1.0 - 1.0 / (9.0 * n) + 1.96 / (3.0 * std::sqrt(n)), 3.0);
}
double poisson_low(double count) {
  if (count <= 0.0) return 0.0;
  return count * std::pow(1.0 - 1.0 / (9.0 * count) - 1.96 / (3.0 * std::sqrt(count)), 3.0);
}

/// Mean time between events of one node.
void add_time_between(Reading& in, const char* name, const char* target, double node_seconds, double events,
                      const std::string& what) {
  const std::string text =
      fmt::format("{:.0f} jobs ended as {} in {:.6g} node-hours", events, what, node_seconds / 3600.0);
  if (events == 0.0) {
    in.note(fmt::format("no job ended as {}: the mean time between is at least {:.3g} h of a node (97.5 %)", what,
                        node_seconds / poisson_high(0.0) / 3600.0));
    return;
  }
  Parameter& p = in.add(name, "s", node_seconds / events, target, text, {"counted_by_state"});
  p.low = node_seconds / poisson_high(events);
  p.high = events < 1.5 ? 40.0 * p.value : node_seconds / poisson_low(events);  // -1/ln(0.975) of one event
}

struct SacctTotals {
  double node_seconds = 0.0;
  double window_s = 0.0;
  double node_failures = 0.0, preempted = 0.0, failed = 0.0;
};

SacctTotals totals_of(const std::vector<Job>& jobs) {
  SacctTotals t;
  double first = 1e300;
  double last = -1e300;
  for (const Job& job : jobs) {
    t.node_seconds += job.nodes * job.seconds;
    t.node_failures += job.state == "NODE_FAIL" ? 1.0 : 0.0;
    t.preempted += job.state == "PREEMPTED" ? 1.0 : 0.0;
    t.failed += job.state == "FAILED" || job.state == "OUT_OF_MEMORY" ? 1.0 : 0.0;
    if (!job.start_s) continue;
    first = std::min(first, *job.start_s);
    last = std::max(last, job.end_s.value_or(*job.start_s + job.seconds));
  }
  t.window_s = last > first ? last - first : 0.0;
  return t;
}

/// Jobs by their number of nodes: how many run at a time, how often they come, how long they take.
void add_mix(Reading& in, const std::vector<Job>& jobs, const SacctTotals& t) {
  std::map<double, std::pair<double, std::vector<double>>> sizes;  // node-seconds and times
  for (const Job& job : jobs) {
    auto& [work, times] = sizes[job.nodes];
    work += job.nodes * job.seconds;
    times.push_back(job.seconds);
  }
  const auto main = std::max_element(sizes.begin(), sizes.end(),
                                     [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  for (const auto& [nodes, size] : sizes) {
    const std::string name = fmt::format("jobs.{:g}_nodes", nodes);
    const std::string text =
        fmt::format("{} jobs of {:g} nodes in {:.4g} h, {:.0f} % of the node-hours", size.second.size(), nodes,
                    t.window_s / 3600.0, 100.0 * size.first / t.node_seconds);
    const bool largest = nodes == main->first;
    if (largest) in.add(name + ".nodes", "count", nodes, in.job_target("nodes"), text, {});
    if (t.window_s > 0.0) {
      const double running = size.first / nodes / t.window_s;
      in.add(name + ".running", "count", largest ? std::max(1.0, std::round(running)) : running,
             largest ? in.job_target("copies") : "", text, {"mean_over_window"});
      Parameter& arrivals = in.add(name + ".arrivals", "1/s", static_cast<double>(size.second.size()) / t.window_s, "",
                                   text, {"mean_over_window"});
      arrivals.low = poisson_low(static_cast<double>(size.second.size())) / t.window_s;
      arrivals.high = poisson_high(static_cast<double>(size.second.size())) / t.window_s;
    }
    Parameter& time = in.add(name + ".time", "s", 0.0, "", text, {});
    Reading::set_table(time, size.second);
  }
}

}  // namespace

void import_sacct(Reading& in) {
  in.record.imported->tool = "Slurm sacct";
  const std::vector<Job> jobs = jobs_of(in);
  if (in.failed()) return;
  if (jobs.empty())
    return in.not_this(
        in.whole(), "no job that ran",
        "sacct --parsable2 --allusers --starttime 2026-11-17 --format=JobID,State,NNodes,ElapsedRaw,Start,End");
  const SacctTotals t = totals_of(jobs);
  for (const Job& job : jobs)
    if (job.start_s && in.record.date.empty()) in.record.date = date_of(*job.start_s);
  add_time_between(in, "faults.node_mtbf", "/faults/node_mtbf", t.node_seconds, t.node_failures, "NODE_FAIL");
  if (t.preempted > 0.0)
    add_time_between(in, "faults.node_mtbp", "/faults/spot/node_mtbp", t.node_seconds, t.preempted, "PREEMPTED");
  in.add("jobs.failed_share", "1", t.failed / static_cast<double>(jobs.size()), "",
         fmt::format("{:.0f} of {} jobs FAILED or OUT_OF_MEMORY", t.failed, jobs.size()), {"no_fault_of_nodes"});
  add_mix(in, jobs, t);
  if (t.node_failures + t.preempted > 0.0) in.note("failures need checkpoints: the job of the scenario must have one");
  if (in.options().job.empty()) in.note("name the job of the scenario for the largest class: --job NAME");
}

}  // namespace headrace::scenarios
