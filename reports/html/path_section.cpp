// The data path as a picture: stations in the order in which data pass them, how busy each is, the bytes per second
// between them, and the one that binds. What jobs share comes first, then a lane for each job.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "models/outcome/workers_load.hpp"
#include "reports/data_path.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/outcome_sections.hpp"
#include "reports/humane.hpp"
#include "reports/live_answer.hpp"
#include "reports/outcome_reader.hpp"

namespace headrace::reports {
namespace {

/// Nothing where the document has no scenario that this version reads.
std::vector<std::optional<double>> loads_of_workers(const Document& outcome, const models::Outcome& spoken) {
  const Document& scenario = at(outcome, "scenario");
  if (!scenario.is_object()) return {};
  const auto loaded = load_resolved(scenario.dump(-1, ' ', true, Document::error_handler_t::replace));
  return loaded ? models::workers_loads(loaded->value, spoken) : std::vector<std::optional<double>>();
}

/// Draws the edges of one path: as wide as their share of its largest flow.
class Edges {
 public:
  explicit Edges(double most_bytes_per_s) : most_bytes_per_s_(most_bytes_per_s) {}

  /// Filled as far as the station before it is used, under the bytes per second that enter `to`.
  std::string between(double utilization, const PathStation& to) const {
    if (!(to.bytes_in_per_s > 0.0)) return "<div class=\"edge\">" + arrow(kThin, 0.0) + "</div>";
    const double share_of_most = std::clamp(to.bytes_in_per_s / most_bytes_per_s_, 0.0, 1.0);
    return "<div class=\"edge\">" + number(to.bytes_in_per_s, "B/s", 3) +
           arrow(kThin + (kThick - kThin) * share_of_most, utilization) + "</div>";
  }

 private:
  static constexpr double kThin = 1.5;
  static constexpr double kThick = 8.0;

  static std::string arrow(double wide, double utilization) {
    constexpr double kEnd = 41.0;
    constexpr double kMiddle = 8.0;
    const double full = wide * std::clamp(utilization, 0.0, 1.0);
    const double half = 0.5 * wide + 3.0;
    return fmt::format(
        "<svg class=\"flow\" viewBox=\"0 0 48 16\" aria-hidden=\"true\"><rect class=\"rail\" x=\"0\" y=\"{:.2f}\" "
        "width=\"{}\" "
        "height=\"{:.2f}\"/><rect class=\"one\" x=\"0\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\"/>"
        "<path class=\"head\" d=\"M{} {:.2f}l7 {:.2f}l-7 {:.2f}z\"/></svg>",
        kMiddle - 0.5 * wide, kEnd, wide, kMiddle + 0.5 * wide - full, kEnd, full, kEnd, kMiddle - half, half, half);
  }

  double most_bytes_per_s_;
};

std::string figures_of(const PathStation& station) {
  const auto line = [](const std::string& text) { return "<small>" + text + "</small>"; };
  if (station.report != nullptr)
    return line("busy " + share(station.utilization)) +
           line("of " + number(station.report->capacity, station.report->unit, 3) + std::string(station.each));
  if (station.what == PathStation::What::gpus) return line("compute " + share(station.utilization));
  return line("busy " + escaped(percent(station.utilization, 2)));  // of the page: no number of the document
}

/// `stage`: the bottleneck of the job, or of the only one.
std::string box(const PathStation& station, const std::string& stage) {
  const bool gpus = station.what == PathStation::What::gpus;
  const std::string flag =
      station.binds ? "<span class=\"flag\">bottleneck" + (stage.empty() ? "" : ": " + escaped(stage)) + "</span>" : "";
  return fmt::format("<div class=\"station{}\"><b>{}</b>{}{}{}</div>", station.binds ? " binding" : "",
                     escaped(station.name), flag,
                     bar_drawing(station.utilization, 1.0, {},
                                 station.binds ? "six"
                                 : gpus        ? "three"
                                               : "one"),
                     figures_of(station));
}

/// Stations one after the other; each behind the edge that leads to it. `before`: how busy the station before the
/// first one is, nothing where the path begins.
std::string row(const std::vector<std::vector<PathStation>>& steps, const Edges& edges, std::optional<double> before,
                const std::string& stage) {
  std::string html = "<ol>";
  for (const std::vector<PathStation>& beside : steps) {
    html += "<li>";
    double busiest = 0.0;
    for (const PathStation& station : beside) {
      html += "<div class=\"hop\">" + (before ? edges.between(*before, station) : "") + box(station, stage) + "</div>";
      busiest = std::max(busiest, station.utilization);
    }
    html += "</li>";
    before = busiest;
  }
  return html + "</ol>";
}

std::string machines(double nodes, double gpus, std::string_view joined) {
  return fmt::format("{}{}{}", counted(static_cast<std::uint64_t>(nodes), "node"), joined,
                     counted(static_cast<std::uint64_t>(gpus), "GPU"));
}

/// "4 nodes of 8 GPUs"; empty where the document has no scenario or several pools.
std::string size_of_cluster(const Document& outcome) {
  const Document& pools = at(at(at(outcome, "scenario"), "cluster"), "pools");
  if (!pools.is_array() || pools.size() != 1) return {};
  const double nodes = number_at(pools.front(), "nodes");
  const double gpus = number_at(pools.front(), "gpus_per_node");
  return nodes > 0.0 && gpus > 0.0 ? machines(nodes, gpus, " of ") : std::string();
}

/// Rates of a lane are those of one copy.
std::string size_of(const models::JobReport& job) {
  if (!job.is_beside_others()) return {};
  const auto copies = static_cast<double>(std::max<std::uint64_t>(1, job.copies));
  const std::string one =
      machines(static_cast<double>(job.nodes) / copies, static_cast<double>(job.gpus) / copies, ", ");
  return job.copies > 1 ? fmt::format("one of {} copies: {}", job.copies, one) : one;
}

std::string lane(const PathLane& of, const Edges& edges, std::optional<double> before, const std::string& stage) {
  std::vector<std::vector<PathStation>> steps;
  for (const PathStation& station : of.stations) steps.push_back({station});
  const std::string stations = steps.empty() ? std::string() : row(steps, edges, before, stage);
  if (of.job == nullptr) return stations;
  const std::string size = size_of(*of.job);
  return fmt::format("<h3>Job {}{}</h3>", escaped(of.job->name), size.empty() ? "" : " <small>" + size + "</small>") +
         stations;
}

/// How busy the shared station is that a job's lane begins behind: that of its pool, where there are several.
std::optional<double> before_lane(const std::vector<std::vector<PathStation>>& shared, const std::string& pool) {
  if (shared.empty()) return std::nullopt;
  const std::vector<PathStation>& last = shared.back();
  const auto own =
      std::find_if(last.begin(), last.end(), [&](const PathStation& station) { return station.report->owner == pool; });
  return (own == last.end() ? last.front() : *own).utilization;
}

/// The bottleneck of a job, or of the only one; empty where the GPUs do not wait for data.
std::string bottleneck_of(const Document& of) {
  return text_at(of, "verdict") == "ingest_bound" ? words(text_at(of, "binding")) : std::string();
}

/// Which box is framed, and why.
std::string frame_text(const Document& outcome, const DataPath& path) {
  if (path.lanes.size() > 1)
    return path.binds()
               ? " A frame: the resource that serves the bottleneck, a stage, if it is 70 % busy or more; where it "
                 "is not full, also the workers that spend their time in it, if they are busier."
               : "";
  const std::string stage = escaped(bottleneck_of(outcome));
  if (stage.empty()) return {};
  if (!path.binds()) return " No station is full, so none is framed; the bottleneck is the stage " + stage + ".";
  const std::vector<PathStation>& stations = path.lanes.front().stations;
  const auto framed = [&](PathStation::What what) {
    const auto is_framed = [&](const PathStation& station) { return station.binds && station.what == what; };
    return std::any_of(stations.begin(), stations.end(), is_framed);
  };
  const std::string text = " The bottleneck is the stage " + stage;
  if (!framed(PathStation::What::workers)) return text + "; the frame is around the resource that serves it.";
  return text + (framed(PathStation::What::resource)
                     ? "; frames are around the resource that serves it and the workers, which are busier and spend "
                       "their time in it."
                     : ". No resource that serves it is full: the frame is around the workers, which spend their time "
                       "in it.");
}

}  // namespace

std::string path_section(const Document& outcome) {
  if (at(outcome, "stations").empty()) return {};
  const models::Outcome spoken = outcome_of(outcome);
  const DataPath path = data_path(spoken, loads_of_workers(outcome, spoken));
  const Edges edges(path.most_bytes_per_s());
  const std::string size = path.lanes.size() == 1 ? size_of_cluster(outcome) : std::string();
  const std::string flows = flows_text(spoken);
  std::string html = fmt::format(
      "<p>From the store to the GPUs{}. A bar is a station's {}. An arrow is as wide as the bytes per second that "
      "pass, and filled as far as the station before it is in use.{}</p>"
      "<div class=\"path\">",
      size.empty() ? "" : " (" + size + ")", share_text(spoken),
      (flows.empty() ? "" : " " + flows) + frame_text(outcome, path));
  if (!path.shared.empty())
    html += "<h3>Shared by jobs</h3>" + row(path.shared, edges, std::nullopt, bottleneck_of(outcome));
  const Document& jobs = at(at(outcome, "scenario"), "jobs");
  for (std::size_t job = 0; job < path.lanes.size(); ++job)
    html += lane(path.lanes[job], edges, before_lane(path.shared, text_at(element_at(jobs, job), "pool")),
                 bottleneck_of(path.lanes[job].job == nullptr ? outcome : element_at(at(outcome, "jobs"), job)));
  return html + "</div>";
}

}  // namespace headrace::reports
