#include "reports/html/verification_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "reports/html/markup.hpp"
#include "reports/html/measured_section.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using models::verification::Bars;
using models::verification::ComparedLoop;
using models::verification::ErrorSummaries;
using models::verification::PointVerdict;
using models::verification::Spread;
using models::verification::VerifiedPoint;

/// "2 x 4 in order, 256 KiB, batch 8, load 0.7, sleeps" of a point of the loop; the title of a job.
std::string point_name(const RecordedVerification& recorded, const VerifiedPoint& point) {
  if (recorded.job) return *recorded.job;
  const models::verification::LoopPoint& loop = point.point;
  const std::string sample = loop.sleep_s > 0.0 ? fmt::format("samples of {}, cv {}", humane(loop.sleep_s, "s", 3),
                                                              Document(loop.sleep_cv).dump())
                                                : humane(loop.block_bytes, "B", 3);
  return fmt::format("{} workers x {} outstanding, {}, {}, batch {}, load {}, {}", loop.workers, loop.outstanding,
                     loop.in_order ? "in order" : "any order shared", sample, loop.batch, humane_number(loop.load, 3),
                     consumer_name(loop.consumer));
}

MeasuredComparison comparison_of(const RecordedVerification& recorded, Spread ComparedLoop::*figure, const char* title,
                                 const char* unit, bool in_points) {
  MeasuredComparison comparison{title, unit, in_points, false, "", {}};
  for (const VerifiedPoint& point : recorded.verification.points)
    comparison.points.push_back({point_name(recorded, point),
                                 (point.predicted.*figure).mean,
                                 (point.measured.*figure).mean,
                                 {},
                                 words(verdict_name(point.verdict))});
  return comparison;
}

constexpr std::uint64_t kLeastRounds = 3;  // the interval of a mean of two is a dozen times as wide as they differ

/// Mean and interval of one side of a point. What cannot be, such as less than no time, is cut off.
std::string interval_text(const Spread& spread, bool is_known, const char* unit, double most) {
  const std::string interval = is_known ? fmt::format("{} to {}", humane(std::max(0.0, spread.low), unit, 3),
                                                      humane(std::min(most, spread.high), unit, 3))
                                        : std::string("interval not known");
  return number(spread.mean, unit) + "<br><span class=\"faint\">" + interval + "</span>";
}

/// The largest part of what the consumer waited for.
std::string waits_for(const ComparedLoop& side) {
  const auto most = std::max_element(side.wait_parts.begin(), side.wait_parts.end());
  if (!(*most > 0.0)) return "nothing";
  return escaped(words(kWaitPartNames[most - side.wait_parts.begin()])) + " " + percent(*most);
}

/// Two tables: side by side they would be wider than a page.
std::string points_section(const RecordedVerification& recorded) {
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  std::vector<std::vector<std::string>> idle;
  std::vector<std::vector<std::string>> step;
  for (const VerifiedPoint& point : recorded.verification.points) {
    const std::string name = "<span class=\"wide\">" + escaped(point_name(recorded, point)) + "</span>";
    const bool known = recorded.job || point.rounds >= kLeastRounds;
    idle.push_back({name, interval_text(point.predicted.idle_fraction, known, "1", 1.0),
                    interval_text(point.measured.idle_fraction, known, "1", 1.0),
                    number(point.idle_error_points, "points", 3), waits_for(point.predicted),
                    recorded.knows_waits() ? waits_for(point.measured) : "&ndash;"});
    step.push_back({name, interval_text(point.predicted.step_time_s, known, "s", kUnlimited),
                    interval_text(point.measured.step_time_s, known, "s", kUnlimited),
                    number(point.step_error_percent, "%", 3), escaped(words(verdict_name(point.verdict)))});
  }
  const std::vector<TableColumn> compared = {{"point"}, {"predicted", true}, {"measured", true}, {"off by", true}};
  std::vector<TableColumn> of_idle = compared;
  of_idle.insert(of_idle.end(), {{"waits for, predicted"}, {"waits for, measured"}});
  std::vector<TableColumn> of_step = compared;
  of_step.push_back({"verdict on both"});
  return html_table("Idle share: means with 95 % intervals, and what the consumer waits for most", of_idle, idle) +
         html_table("Step time: means with 95 % intervals", of_step, step);
}

std::string tile(const std::string& title, const models::verification::ErrorSummary& error,
                 const models::verification::ErrorSummary& noise, const std::optional<double>& bar, const char* unit) {
  return fmt::format(
      "<li><span>{}, mean error</span><b>{}</b><span>largest {}; {}</span><span>noise floor {}</span></li>",
      escaped(title), number(error.mean, unit, 3), number(error.largest, unit, 3),
      bar ? "bar " + number(*bar, unit, 3) : "no bar", number(noise.mean, unit, 3));
}

std::string tiles(const ErrorSummaries& errors, const Bars& bars, const std::string& suffix) {
  return tile("Idle" + suffix, errors.idle_error_points, errors.idle_noise_points, bars.idle_points, "points") +
         tile("Step time" + suffix, errors.step_error_percent, errors.step_noise_percent, bars.step_percent, "%");
}

std::string head_of_loop(const RecordedVerification& recorded) {
  const models::verification::Verification& all = recorded.verification;
  const bool good =
      all.is_torch() ? all.within_bars() : recorded.bars.hold(all.idle_error_points.mean, all.step_error_percent.mean);
  const std::string line =
      good ? "The model agrees with this machine" : "The model does not agree with this machine within the bars";
  const std::string meaning =
      fmt::format("{} points of a real {}, each predicted before it ran; figures: {}.", all.points.size(),
                  all.is_torch() ? "PyTorch loader" : "pipeline", all.figures);
  std::string html = all.is_torch() ? "" : tiles(all, recorded.bars, "");
  for (const models::verification::VerifiedGroup& group : all.groups)
    html += tiles(group, group.bars, " (" + group.name + ")");
  return verdict_box(good ? "good" : "bad", line, meaning) + "<ul class=\"tiles\">" + html + "</ul>";
}

std::string head_of_job(const RecordedVerification& recorded) {
  const auto& points = recorded.verification.points;
  const PointVerdict verdict = points.empty() ? PointVerdict::differs : points.front().verdict;
  return verdict_box(verdict == PointVerdict::agrees         ? "good"
                     : verdict == PointVerdict::within_noise ? "unsure"
                                                             : "bad",
                     "Predicted against measured: " + words(verdict_name(verdict)), *recorded.job);
}

std::string conditions_section(const RecordedVerification& recorded) {
  if (recorded.job) return {};
  const models::verification::Verification& all = recorded.verification;
  std::vector<std::vector<std::string>> rows{{"cores", count(all.cores)}};
  if (all.is_torch())
    rows.push_back({"loader", "DataLoader of " + escaped(all.loader_version)});
  else
    rows.push_back({"reads", fmt::format("{}, {}", all.direct ? "direct" : "buffered", escaped(all.reader))});
  if (!all.gpu.empty()) rows.push_back({"steps on", escaped(all.gpu)});
  rows.push_back({"decoding", escaped(all.decoding)});
  rows.push_back({"rounds repeated", count(all.repeated_rounds)});
  rows.push_back({"time taken", number(all.used_s, "s", 3)});
  for (const auto& d : all.downgrades) rows.push_back({escaped(d.field + " = " + d.value), escaped(d.reason)});
  return html_table("Measurement conditions", {{"condition"}, {"is"}}, rows);
}

}  // namespace

std::string verification_page(const RecordedVerification& recorded, const PageFacts& facts) {
  Page page;
  page.title = facts.title.empty() ? "Verification" : facts.title;
  page.head = recorded.job ? head_of_job(recorded) : head_of_loop(recorded);
  page.sections = {{"points", "Point by point", points_section(recorded)},
                   {"idle", "Idle share",
                    measured_section(comparison_of(recorded, &ComparedLoop::idle_fraction, "Idle share", "1", true))},
                   {"step", "Step time",
                    measured_section(comparison_of(recorded, &ComparedLoop::step_time_s, "Step time", "s", false))},
                   {"conditions", "Conditions", conditions_section(recorded)},
                   {"repeat", "Repeat it", command_block(facts.command)}};
  return html_page(page);
}

}  // namespace headrace::reports
