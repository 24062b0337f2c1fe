#include "reports/verification_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "reports/humane.hpp"
#include "reports/text_layout.hpp"
#include "reports/verification_json.hpp"

namespace headrace::reports {
namespace {

using namespace models::verification;
using Rows = std::vector<std::vector<std::string>>;
using Json = nlohmann::ordered_json;

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
  return kWaitPartNames[static_cast<std::size_t>(most - loop.wait_parts.begin())];
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

}  // namespace headrace::reports
