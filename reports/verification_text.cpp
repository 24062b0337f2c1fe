#include "reports/verification_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using namespace models::verification;
using Rows = std::vector<std::vector<std::string>>;
using Json = nlohmann::ordered_json;

constexpr const char* kPartNames[kWaitParts] = {"before", "read", "decode", "hand_over"};

/// What cannot be, such as less than no time or more than all of it, is cut off.
std::string interval(const Spread& spread, double factor, double most = std::numeric_limits<double>::infinity()) {
  return fmt::format("{:.1f} [{:.1f}, {:.1f}]", factor * spread.mean, factor * std::max(0.0, spread.low),
                     factor * std::min(most, spread.high));
}

std::string share_interval(const Spread& spread) { return interval(spread, 100.0, 1.0); }

/// The part that most of the waiting goes to.
std::string blame(const ComparedLoop& loop) {
  const auto most = std::max_element(loop.wait_parts.begin(), loop.wait_parts.end());
  if (*most < 0.005) return "-";
  return kPartNames[static_cast<std::size_t>(most - loop.wait_parts.begin())];
}

std::string verdict_text(PointVerdict verdict, const Style& style) {
  const std::string name = words(verdict_name(verdict));
  if (verdict == PointVerdict::agrees) return style.good(name);
  return verdict == PointVerdict::differs ? style.bad(name) : style.unsure(name);
}

std::string queue_text(const LoopPoint& p) {
  return fmt::format("{} x {}{}", p.workers, p.outstanding, p.in_order ? "" : " any");
}

/// Predicted (p) and measured (m) idle share on one line; * where they meet.
std::string plot_line(const VerifiedPoint& point, int width) {
  std::string line(static_cast<std::size_t>(width), '.');
  const auto place = [width](double share) {
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (width - 1)));
  };
  const std::size_t m = place(point.measured.idle_fraction.mean);
  const std::size_t p = place(point.predicted.idle_fraction.mean);
  line[m] = 'm';
  line[p] = p == m ? '*' : 'p';
  return line;
}

const char* consumer_mark(Consumer consumer) {
  return consumer == Consumer::sleeps ? "" : consumer == Consumer::spins ? " spin" : " gpu";
}

/// Two tables, so that each fits a terminal.
std::string points_tables(const Verification& v, const Style& style) {
  Rows step{{"", "N x K", v.is_torch() ? "samples" : "blocks", "load", "step ms, pred.", "measured", "clean"}};
  Rows idle{{"", "idle %, predicted", "measured", "blame", "", "verdict"}};
  int number = 0;
  for (const VerifiedPoint& point : v.points) {
    const LoopPoint& p = point.point;
    step.push_back({std::to_string(++number), queue_text(p), fmt::format("{}x{}", p.batch, sample_text(p)),
                    fmt::format("{:g}{}", p.load, consumer_mark(p.consumer)),
                    interval(point.predicted.step_time_s, 1e3), interval(point.measured.step_time_s, 1e3),
                    fmt::format("{}/{}", point.clean_rounds, point.rounds)});
    idle.push_back({std::to_string(number), share_interval(point.predicted.idle_fraction),
                    share_interval(point.measured.idle_fraction), blame(point.predicted), blame(point.measured),
                    verdict_text(point.verdict, style)});
  }
  return table({kRight, kLeft, kLeft, kLeft, kLeft, kLeft, kRight}, step) + "\n" +
         table({kRight, kLeft, kLeft, kLeft, kLeft, kLeft}, idle);
}

std::string bar_text(const std::string& what, const ErrorSummary& error, const ErrorSummary& noise,
                     std::optional<double> bar, const char* unit, const Style& style) {
  const std::string mean = fmt::format("{:.1f}", error.mean);
  const std::string colored = !bar ? mean : error.mean <= *bar ? style.good(mean) : style.bad(mean);
  return fmt::format(
      "  {:<10} off by {} {} on average ({:.1f} at most), {};\n"
      "             the same point repeated: {:.1f} ({:.1f} at most)\n",
      what, colored, unit, error.largest, bar ? fmt::format("bar {:g}", *bar) : "no bar", noise.mean, noise.largest);
}

/// Mean errors of all points, or of each group by its bars.
std::string errors_text(const Verification& v, const Style& style) {
  const auto both = [&style](const ErrorSummaries& e, const Bars& bars) {
    return bar_text("idle", e.idle_error_points, e.idle_noise_points, bars.idle_points, "points", style) +
           bar_text("step time", e.step_error_percent, e.step_noise_percent, bars.step_percent, "%", style);
  };
  std::string text = style.bold("Errors") + "\n";
  if (v.groups.empty()) return text + both(v, {});
  for (const VerifiedGroup& group : v.groups)
    text += fmt::format("  {}, {} points\n", group.name, group.points) + both(group, group.bars);
  return text;
}

/// What was measured, and with what.
std::string conditions_text(const Verification& v) {
  const std::string means = "N workers x K outstanding batches; means with 95 % intervals";
  if (v.is_torch())
    return fmt::format(
        "{} cores, DataLoader of {}, samples that sleep or are unpacked by {}; figures of the parts: {}; {}", v.cores,
        v.loader_version, v.decoding, v.figures, means);
  return fmt::format("{} cores, {} reads by {}, decoding {}{}; figures: {}; {}", v.cores,
                     v.direct ? "direct" : "buffered", v.reader, v.decoding,
                     v.gpu.empty() ? "" : fmt::format(", steps on {}", v.gpu), v.figures, means);
}

Json spread_json(const Spread& spread) { return {{"mean", spread.mean}, {"ci95", {spread.low, spread.high}}}; }

Json side_json(const ComparedLoop& loop) {
  Json parts = Json::object();
  for (std::size_t i = 0; i < kWaitParts; ++i) parts[kPartNames[i]] = loop.wait_parts[i];
  return {{"gpu_idle_fraction", spread_json(loop.idle_fraction)},
          {"step_time_s", spread_json(loop.step_time_s)},
          {"overrun_s", loop.overrun_s},
          {"wake_s", loop.wake_s},
          {"blame", std::move(parts)}};
}

Json point_json(const VerifiedPoint& point, bool torch) {
  const LoopPoint& p = point.point;
  Json json = {{"workers", p.workers},
               {"outstanding", p.outstanding},
               {"order", p.in_order ? "in_order" : "any_order_shared"},
               {"block_bytes", p.block_bytes},
               {"batch", p.batch},
               {"load", p.load},
               {"consumer", consumer_name(p.consumer)},
               {"compute_s", p.step_s},
               {"predicted", side_json(point.predicted)},
               {"measured", side_json(point.measured)},
               {"idle_error_points", point.idle_error_points},
               {"step_error_percent", point.step_error_percent},
               {"idle_repeat_points", point.idle_repeat_points},
               {"step_repeat_percent", point.step_repeat_percent},
               {"rounds", point.rounds},
               {"clean_rounds", point.clean_rounds},
               {"other_cpu_cores", point.other_cpu_cores},
               {"verdict", verdict_name(point.verdict)}};
  if (!torch) return json;
  json["group"] = point.group;
  json["sleep_s"] = p.sleep_s;
  json["sleep_cv"] = p.sleep_cv;
  json["measured"].erase("blame");  // a DataLoader does not tell what the batch was in meanwhile
  for (const char* side : {"predicted", "measured"}) json[side].erase("wake_s");
  return json;
}

Json summary_json(const ErrorSummary& s) { return {{"mean", s.mean}, {"largest", s.largest}}; }

Json bar_json(const Bars& bars) {
  return {{"idle_points", bars.idle_points ? Json(*bars.idle_points) : Json()}, {"step_percent", bars.step_percent}};
}

void add_summaries(Json& json, const ErrorSummaries& e) {
  json["idle_error_points"] = summary_json(e.idle_error_points);
  json["step_error_percent"] = summary_json(e.step_error_percent);
  json["idle_noise_points"] = summary_json(e.idle_noise_points);
  json["step_noise_percent"] = summary_json(e.step_noise_percent);
}

std::string points_text(const std::string& title, const std::vector<LoopPoint>& grid, const Style& style) {
  std::string text = style.bold(title) + "\n";
  for (const LoopPoint& point : grid) text += "  " + point_text(point) + "\n";
  return text;
}

Json points_json(const std::vector<LoopPoint>& grid) {
  Json points = Json::array();
  for (const LoopPoint& point : grid) points.push_back(point_text(point));
  return points;
}

}  // namespace

std::string verify_plan_text(const VerifyRequest& request, unsigned cores, const Style& style) {
  const std::vector<LoopPoint> grid = loop_grid(request.grid, cores);
  return points_text(fmt::format("{} points of a real pipeline in {}", grid.size(), request.path), grid, style) +
         fmt::format("  {} rounds, about {}; {} in one scratch folder for each block size, removed at the end\n",
                     request.rounds, humane(planned_verify_s(request, grid.size()), "s", 2),
                     humane(static_cast<double>(request.file_bytes), "B"));
}

Json verify_plan_json(const VerifyRequest& request, unsigned cores) {
  const std::vector<LoopPoint> grid = loop_grid(request.grid, cores);
  return {{"path", request.path},
          {"grid", request.grid},
          {"rounds", request.rounds},
          {"planned_s", planned_verify_s(request, grid.size())},
          {"file_bytes", request.file_bytes},
          {"points", points_json(grid)}};
}

std::string torch_plan_text(const TorchVerifyRequest& request, unsigned cores, const Style& style) {
  const std::vector<LoopPoint> grid = torch_points(request, cores);
  return points_text(fmt::format("{} points of a real PyTorch loader", grid.size()), grid, style) +
         fmt::format("  {} rounds, about {}; batches lie in shared memory\n", request.rounds,
                     humane(planned_torch_s(request, cores), "s", 2));
}

Json torch_plan_json(const TorchVerifyRequest& request, unsigned cores) {
  return {{"loader", "torch"},
          {"grid", request.grid},
          {"rounds", request.rounds},
          {"planned_s", planned_torch_s(request, cores)},
          {"points", points_json(torch_points(request, cores))}};
}

std::string verification_text(const Verification& v, const Style& style) {
  std::string text = style.bold(fmt::format("Predicted against measured, a real {} on this machine",
                                            v.is_torch() ? "PyTorch loader" : "pipeline")) +
                     "\n";
  text += fmt::format("  {}\n\n", wrapped(conditions_text(v), style.width, 2));
  text += points_tables(v, style) + "\n";
  text += style.bold("Idle share, 0 to 100 %: p predicted, m measured, * both") + "\n";
  int number = 0;
  for (const VerifiedPoint& point : v.points) text += fmt::format("  {:>2} |{}|\n", ++number, plot_line(point, 60));
  text += "\n" + errors_text(v, style);
  double others = 0.0;
  std::size_t clean = 0;
  for (const VerifiedPoint& point : v.points) {
    others += point.other_cpu_cores / static_cast<double>(std::max<std::size_t>(v.points.size(), 1));
    clean += point.clean_rounds > 0 ? 1U : 0U;
  }
  const std::string rounds = fmt::format(
      "{} of {} points have a round that nothing disturbed; other processes took {:.2f} cores on average; {} "
      "rounds were repeated; {} in all.",
      clean, v.points.size(), others, v.repeated_rounds, humane(v.used_s, "s", 3));
  text += fmt::format("  {}\n", wrapped(rounds, style.width, 2));
  for (const auto& d : v.downgrades)
    text += fmt::format("  {}\n", wrapped(fmt::format("{} = {}: {}", d.field, d.value, d.reason), style.width, 4));
  return text;
}

Json verification_json(const Verification& v) {
  Json points = Json::array();
  for (const VerifiedPoint& point : v.points) points.push_back(point_json(point, v.is_torch()));
  Json downgrades = Json::array();
  for (const auto& d : v.downgrades)
    downgrades.push_back({{"field", d.field}, {"value", d.value}, {"reason", d.reason}});
  Json json = {{"points", std::move(points)}};
  add_summaries(json, v);
  if (v.is_torch()) {
    json["groups"] = Json::array();
    for (const VerifiedGroup& group : v.groups) {
      Json& added = json["groups"].emplace_back(Json{{"name", group.name}, {"points", group.points}});
      add_summaries(added, group);
      added["bar"] = bar_json(group.bars);
      added["within_bars"] = group.within_bars();
    }
    json["loader_version"] = v.loader_version;
  } else {
    json["bar"] = bar_json({});
    json["direct"] = v.direct;
    json["reader"] = v.reader;
    json["gpu"] = v.gpu;
  }
  json["loader"] = v.loader;
  json["cores"] = v.cores;
  json["decoding"] = v.decoding;
  json["figures"] = v.figures;
  json["downgrades"] = std::move(downgrades);
  json["repeated_rounds"] = v.repeated_rounds;
  json["planned_s"] = v.planned_s;
  json["used_s"] = v.used_s;
  json["interrupted"] = v.interrupted;
  return json;
}

std::string measured_job_text(const std::string& title, const VerifiedPoint& point, const Style& style) {
  Rows rows{{"", "predicted", "measured", "off by"}};
  rows.push_back({"step time, ms", interval(point.predicted.step_time_s, 1e3),
                  interval(point.measured.step_time_s, 1e3), fmt::format("{:+.1f} %", point.step_error_percent)});
  rows.push_back({"idle, %", share_interval(point.predicted.idle_fraction),
                  share_interval(point.measured.idle_fraction),
                  fmt::format("{:+.1f} points", point.idle_error_points)});
  return style.bold(fmt::format("Predicted against measured: {}", title)) + "\n" +
         table({kLeft, kLeft, kLeft, kRight}, rows) +
         fmt::format("  {}: bars {:g} points of idle and {:g} % of the step time; predicted waits are mostly for: {}\n",
                     verdict_text(point.verdict, style), kIdleBarPoints, kStepBarPercent, blame(point.predicted));
}

Json measured_job_json(const std::string& title, const VerifiedPoint& point) {
  Json predicted = side_json(point.predicted);
  Json measured = side_json(point.measured);
  measured.erase("blame");
  for (const char* own : {"overrun_s", "wake_s"}) {
    measured.erase(own);
    predicted.erase(own);
  }
  return {{"points", Json::array({{{"title", title},
                                   {"predicted", std::move(predicted)},
                                   {"measured", std::move(measured)},
                                   {"idle_error_points", point.idle_error_points},
                                   {"step_error_percent", point.step_error_percent},
                                   {"verdict", verdict_name(point.verdict)}}})},
          {"bar", bar_json({})}};
}

}  // namespace headrace::reports
