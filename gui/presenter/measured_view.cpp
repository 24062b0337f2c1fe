#include "gui/presenter/measured_view.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/humane.hpp"
#include "scenarios/document/read_json.hpp"

namespace headrace::gui {
namespace {

using Json = nlohmann::ordered_json;

double number_at(const Json& json, const char* pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) && json.at(place).is_number() ? json.at(place).get<double>() : std::nan("");
}

/// A figure is an object with its mean and interval, or the number alone.
double mean_at(const Json& json, const std::string& pointer) {
  const double alone = number_at(json, pointer.c_str());
  return std::isfinite(alone) ? alone : number_at(json, (pointer + "/mean").c_str());
}

std::string name_of(const Json& point) {
  if (point.contains("title") && point["title"].is_string()) return point["title"].get<std::string>();
  const double workers = number_at(point, "/workers");
  const double outstanding = number_at(point, "/outstanding");
  std::string name = fmt::format("{:g} workers", workers);
  if (std::isfinite(outstanding)) name += fmt::format(" x {:g}", outstanding);
  const double load = number_at(point, "/load");
  if (std::isfinite(load)) name += fmt::format(", load {:g}", load);
  return name;
}

MeasuredPair pair_of(const Json& point) {
  MeasuredPair pair;
  pair.name = name_of(point);
  pair.predicted_idle = mean_at(point, "/predicted/gpu_idle_fraction");
  pair.measured_idle = mean_at(point, "/measured/gpu_idle_fraction");
  pair.cells = {pair.name,
                reports::percent(pair.predicted_idle),
                reports::percent(pair.measured_idle),
                fmt::format("{:+.1f} points", number_at(point, "/idle_error_points")),
                reports::humane(mean_at(point, "/predicted/step_time_s"), "s"),
                reports::humane(mean_at(point, "/measured/step_time_s"), "s"),
                fmt::format("{:+.1f} %", number_at(point, "/step_error_percent")),
                reports::words(point.value("verdict", std::string("unknown")))};
  return pair;
}

}  // namespace

tl::expected<MeasuredView, std::string> measured_view(const std::string& text) {
  const auto read = scenarios::parse_json("", text);
  if (!read) return tl::unexpected(std::string("the file is not JSON"));
  const Json& json = *read;
  if (!json.is_object() || !json.contains("points") || !json["points"].is_array() || json["points"].empty())
    return tl::unexpected(std::string("the file has no points: open a file of headrace verify --json"));
  MeasuredView view;
  view.header = {"point",          "idle predicted", "idle measured", "off by",
                 "step predicted", "step measured",  "off by",        "verdict"};
  for (const Json& point : json["points"]) {
    MeasuredPair pair = pair_of(point);
    if (std::isfinite(pair.predicted_idle) && std::isfinite(pair.measured_idle)) view.pairs.push_back(std::move(pair));
  }
  if (view.pairs.empty()) return tl::unexpected(std::string("no point has both a prediction and a measurement"));
  view.why_no_steps =
      "This file has means of its points and no single step times. Compare with the steps of a job (CSV) to see how "
      "they spread.";
  view.bar_points = number_at(json, "/bar/idle_points");
  double sum = 0.0;
  for (const MeasuredPair& pair : view.pairs) sum += 100.0 * std::abs(pair.predicted_idle - pair.measured_idle);
  view.headline =
      fmt::format("{} {}: predicted and measured idle differ by {:.2f} points on average", view.pairs.size(),
                  view.pairs.size() == 1 ? "point" : "points", sum / static_cast<double>(view.pairs.size()));
  if (std::isfinite(view.bar_points)) view.headline += fmt::format("; up to {:g} points agree", view.bar_points);
  return view;
}

std::vector<std::string> verified_lines(const ScenarioDocument& document) {
  std::vector<std::string> lines;
  for (const scenarios::VerifiedLayer& layer : document.loaded().composition.verified)
    lines.push_back(fmt::format(
        "{}: compared with its machine on {} at {} points; error of idle {:.1f} points on average, {:.1f} at most",
        layer.file, layer.date, layer.points, layer.idle_error_points, layer.idle_error_largest));
  return lines;
}

}  // namespace headrace::gui
