#include "reports/html/verification_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/html/markup.hpp"
#include "reports/html/measured_section.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

/// "2 x 4 in order, 256 KiB, batch 8, load 0.7, sleeps" of a point of the loop; the title of a job.
std::string point_name(const Document& point) {
  if (!text_at(point, "title").empty()) return text_at(point, "title");
  const double sleep_s = at(point, "sleep_s").is_number() ? number_at(point, "sleep_s") : 0.0;
  const std::string sample =
      sleep_s > 0.0 ? fmt::format("samples of {}, cv {}", humane(sleep_s, "s", 3), at(point, "sleep_cv").dump())
                    : humane(number_at(point, "block_bytes"), "B", 3);
  return fmt::format("{} workers x {} outstanding, {}, {}, batch {}, load {}, {}", at(point, "workers").dump(),
                     at(point, "outstanding").dump(), words(text_at(point, "order")), sample, at(point, "batch").dump(),
                     humane_number(number_at(point, "load"), 3), text_at(point, "consumer"));
}

const Document& mean_of(const Document& point, const char* side, const char* metric) {
  return at(at(at(point, side), metric), "mean");
}

MeasuredComparison comparison_of(const Document& document, const char* metric, const char* title, const char* unit,
                                 bool in_points) {
  MeasuredComparison comparison{title, unit, in_points, false, "", {}};
  for (const Document& point : at(document, "points"))
    comparison.points.push_back({point_name(point),
                                 mean_of(point, "predicted", metric),
                                 mean_of(point, "measured", metric),
                                 {},
                                 words(text_at(point, "verdict"))});
  return comparison;
}

constexpr double kLeastRounds = 3.0;  // the interval of a mean of two is a dozen times as wide as they differ

/// Mean and interval of one side of a point. What cannot be, such as less than no time, is cut off.
std::string interval_text(const Document& point, const char* side, const char* metric, const char* unit, double most) {
  const Document& spread = at(at(point, side), metric);
  const auto ends = interval_ends_at(spread, "ci95");
  const double rounds = number_at(point, "rounds");
  std::string text = number(at(spread, "mean"), unit);
  if (!ends) return text;
  const std::string interval = rounds < kLeastRounds
                                   ? std::string("interval not known")
                                   : fmt::format("{} to {}", humane(std::max(0.0, ends->low), unit, 3),
                                                 humane(std::min(most, ends->high), unit, 3));
  return text + "<br><span class=\"faint\">" + interval + "</span>";
}

/// The largest part of what the consumer waited for.
std::string waits_for(const Document& side) {
  const Document& parts = at(side, "blame");
  std::string most;
  double share = 0.0;
  if (!parts.is_object()) return "&ndash;";
  for (const auto& [part, value] : parts.items())
    if (value.is_number() && value.get<double>() > share) most = part, share = value.get<double>();
  return most.empty() ? "nothing" : escaped(words(most)) + " " + percent(share);
}

/// Two tables: side by side they would be wider than a page.
std::string points_section(const Document& document) {
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  std::vector<std::vector<std::string>> idle;
  std::vector<std::vector<std::string>> step;
  for (const Document& point : at(document, "points")) {
    const std::string name = "<span class=\"wide\">" + escaped(point_name(point)) + "</span>";
    idle.push_back({name, interval_text(point, "predicted", "gpu_idle_fraction", "1", 1.0),
                    interval_text(point, "measured", "gpu_idle_fraction", "1", 1.0),
                    number(at(point, "idle_error_points"), "points", 3), waits_for(at(point, "predicted")),
                    waits_for(at(point, "measured"))});
    step.push_back({name, interval_text(point, "predicted", "step_time_s", "s", kUnlimited),
                    interval_text(point, "measured", "step_time_s", "s", kUnlimited),
                    number(at(point, "step_error_percent"), "%", 3), escaped(words(text_at(point, "verdict")))});
  }
  const std::vector<TableColumn> compared = {{"point"}, {"predicted", true}, {"measured", true}, {"off by", true}};
  std::vector<TableColumn> of_idle = compared;
  of_idle.insert(of_idle.end(), {{"waits for, predicted"}, {"waits for, measured"}});
  std::vector<TableColumn> of_step = compared;
  of_step.push_back({"verdict on both"});
  return html_table("Idle share: means with 95 % intervals, and what the consumer waits for most", of_idle, idle) +
         html_table("Step time: means with 95 % intervals", of_step, step);
}

/// A document or one of its groups: without a bar every error is within.
bool is_within(const Document& document, const char* error, const char* bar) {
  const Document& limit = at(at(document, "bar"), bar);
  return !limit.is_number() || number_at(at(document, error), "mean") <= limit.get<double>();
}

bool is_good(const Document& document) {
  return is_within(document, "idle_error_points", "idle_points") &&
         is_within(document, "step_error_percent", "step_percent");
}

std::string tile(const Document& document, const std::string& title, const char* error, const char* noise,
                 const char* bar, const char* unit) {
  const Document& limit = at(at(document, "bar"), bar);
  return fmt::format(
      "<li><span>{}, mean error</span><b>{}</b><span>largest {}; {}</span><span>noise floor {}</span></li>",
      escaped(title), number(at(at(document, error), "mean"), unit, 3),
      number(at(at(document, error), "largest"), unit, 3),
      limit.is_number() ? "bar " + number(limit, unit, 3) : "no bar", number(at(at(document, noise), "mean"), unit, 3));
}

std::string tiles(const Document& document, const std::string& suffix) {
  return tile(document, "Idle" + suffix, "idle_error_points", "idle_noise_points", "idle_points", "points") +
         tile(document, "Step time" + suffix, "step_error_percent", "step_noise_percent", "step_percent", "%");
}

std::string head_of_loop(const Document& document) {
  const Document& groups = at(document, "groups");
  const bool grouped = groups.is_array();
  const bool good = grouped ? std::all_of(groups.begin(), groups.end(), is_good) : is_good(document);
  const std::string line =
      good ? "The model agrees with this machine" : "The model does not agree with this machine within the bars";
  const std::string meaning =
      fmt::format("{} points of a real {}, each predicted before it ran; figures: {}.", at(document, "points").size(),
                  grouped ? "PyTorch loader" : "pipeline", text_at(document, "figures"));
  std::string all = grouped ? "" : tiles(document, "");
  if (grouped)
    for (const Document& group : groups) all += tiles(group, " (" + text_at(group, "name") + ")");
  return verdict_box(good ? "good" : "bad", line, meaning) + "<ul class=\"tiles\">" + all + "</ul>";
}

std::string head_of_job(const Document& document) {
  const Document& points = at(document, "points");
  const Document point = points.is_array() && !points.empty() ? points.front() : Document::object();
  const std::string verdict = text_at(point, "verdict");
  return verdict_box(verdict == "agrees"         ? "good"
                     : verdict == "within_noise" ? "unsure"
                                                 : "bad",
                     "Predicted against measured: " + words(verdict), point_name(point));
}

std::string conditions_section(const Document& document) {
  std::vector<std::vector<std::string>> rows;
  if (!at(document, "cores").is_null()) {
    rows.push_back({"cores", count(at(document, "cores"))});
    if (!text_at(document, "loader_version").empty())
      rows.push_back({"loader", "DataLoader of " + escaped(text_at(document, "loader_version"))});
    else
      rows.push_back({"reads", fmt::format("{}, {}", at(document, "direct") == true ? "direct" : "buffered",
                                           escaped(text_at(document, "reader")))});
    if (!text_at(document, "gpu").empty()) rows.push_back({"steps on", escaped(text_at(document, "gpu"))});
    rows.push_back({"decoding", escaped(text_at(document, "decoding"))});
    rows.push_back({"rounds repeated", count(at(document, "repeated_rounds"))});
    rows.push_back({"time taken", number(at(document, "used_s"), "s", 3)});
  }
  const Document& downgrades = at(document, "downgrades");
  if (downgrades.is_array())
    for (const Document& d : downgrades)
      rows.push_back({escaped(text_at(d, "field") + " = " + text_at(d, "value")), escaped(text_at(d, "reason"))});
  return rows.empty() ? "" : html_table("Measurement conditions", {{"condition"}, {"is"}}, rows);
}

}  // namespace

std::string verification_page(const Document& document, const PageFacts& facts) {
  const bool loop = document.contains("cores");
  Page page;
  page.title = facts.title.empty() ? "Verification" : facts.title;
  page.head = loop ? head_of_loop(document) : head_of_job(document);
  page.sections = {
      {"points", "Point by point", points_section(document)},
      {"idle", "Idle share", measured_section(comparison_of(document, "gpu_idle_fraction", "Idle share", "1", true))},
      {"step", "Step time", measured_section(comparison_of(document, "step_time_s", "Step time", "s", false))},
      {"conditions", "Conditions", conditions_section(document)},
      {"repeat", "Repeat it", command_block(facts.command)}};
  return html_page(page);
}

}  // namespace headrace::reports
