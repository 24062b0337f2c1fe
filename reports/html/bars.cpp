#include "reports/html/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/markup.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

constexpr std::string_view kOpen =
    "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">";

double place(double value, Ends scale) {
  if (!(scale.high > scale.low)) return 50.0;
  return std::clamp((value - scale.low) / (scale.high - scale.low), 0.0, 1.0) * 100.0;
}

std::string line(double from, double to, double y, std::string_view kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.2f}\" x2=\"{:.2f}\" y1=\"{}\" y2=\"{}\"/>", kind, from, to, y, y);
}

std::string tick(double x, double low, double high, std::string_view kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.2f}\" x2=\"{:.2f}\" y1=\"{}\" y2=\"{}\"/>", kind, x, x, low, high);
}

}  // namespace

std::string bar_drawing(double value, double full, std::optional<Ends> whiskers, std::string_view colour) {
  const Ends scale{0.0, full};
  std::string svg(kOpen);
  svg += fmt::format("<rect class=\"{}\" x=\"0\" y=\"1\" width=\"{:.2f}\" height=\"8\"/>", colour, place(value, scale));
  if (whiskers && full > 0.0)
    svg += line(place(whiskers->low, scale), place(whiskers->high, scale), 5.0, "noise") +
           tick(place(whiskers->low, scale), 3, 7, "noise") + tick(place(whiskers->high, scale), 3, 7, "noise");
  return svg + "</svg>";
}

std::string interval_drawing(double value, std::optional<Ends> noise, std::optional<Ends> inputs, Ends scale) {
  std::string svg(kOpen);
  if (inputs) svg += line(place(inputs->low, scale), place(inputs->high, scale), 5.0, "inputs");
  if (noise) svg += line(place(noise->low, scale), place(noise->high, scale), 5.0, "thick");
  return svg + tick(place(value, scale), 1, 9, "mean") + "</svg>";
}

std::string limit_drawing(double value, std::optional<Ends> interval, double limit, Ends scale) {
  std::string svg(kOpen);
  svg += line(0, 100, 5.0, "grid");
  if (interval) svg += line(place(interval->low, scale), place(interval->high, scale), 5.0, "thick");
  return svg + tick(place(limit, scale), 0, 10, "limit") + tick(place(value, scale), 1, 9, "mean") + "</svg>";
}

std::string change_drawing(double value, std::optional<Ends> whiskers, double full, std::string_view colour) {
  const Ends scale{-full, full};
  const double from = std::min(place(0.0, scale), place(value, scale));
  const double to = std::max(place(0.0, scale), place(value, scale));
  std::string svg(kOpen);
  svg +=
      fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"1\" width=\"{:.2f}\" height=\"8\"/>", colour, from, to - from);
  if (whiskers)
    svg += line(place(whiskers->low, scale), place(whiskers->high, scale), 5.0, "noise") +
           tick(place(whiskers->low, scale), 3, 7, "noise") + tick(place(whiskers->high, scale), 3, 7, "noise");
  return svg + tick(50.0, 0, 10, "axis") + "</svg>";
}

std::string tornado_drawing(double low, double middle, double high, Ends scale) {
  const double at = place(middle, scale);
  const auto part = [&](double end, std::string_view colour) {
    const double to = place(end, scale);
    return fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"1\" width=\"{:.2f}\" height=\"8\"/>", colour,
                       std::min(at, to), std::max(at, to) - std::min(at, to));
  };
  const bool low_is_farther = std::abs(place(low, scale) - at) > std::abs(place(high, scale) - at);
  const std::string at_low = part(low, "five");
  const std::string at_high = part(high, "six");
  return std::string(kOpen) + (low_is_farther ? at_low + at_high : at_high + at_low) + tick(at, 0, 10, "mean") +
         "</svg>";
}

std::string step_drawing(Ends span, std::string_view colour) {
  const double from = place(span.low, {0.0, 1.0});
  const double to = place(span.high, {0.0, 1.0});
  return std::string(kOpen) +
         fmt::format("<rect class=\"{}\" x=\"{:.2f}\" y=\"1\" width=\"{:.2f}\" height=\"8\"/>", colour, from,
                     std::max(to - from, 0.0)) +
         tick(from, 0, 10, "grid") + tick(to, 0, 10, "grid") + "</svg>";
}

std::string stacked_drawing(const std::vector<Part>& parts, std::string_view title) {
  std::string drawn;
  std::string finding;
  std::string legend = "<figcaption><ul class=\"legend\">";
  double at = 0.0;
  for (const Part& part : parts) {
    if (!(part.share > 0.0)) continue;
    drawn += fmt::format("<rect class=\"{}\" x=\"{:.3f}\" y=\"0\" width=\"{:.3f}\" height=\"10\"/>", part.colour,
                         at * 100.0, part.share * 100.0);
    legend += fmt::format("<li><span class=\"key {}\"></span>{} {}</li>", part.colour, escaped(part.label),
                          escaped(percent(part.share)));
    finding += fmt::format("{} {} {}", finding.empty() ? ":" : ",", part.label, percent(part.share));
    at += part.share;
  }
  return fmt::format(
      "<figure><svg class=\"stack\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{}\">{}</svg>{}</ul></figcaption></figure>\n",
      escaped(std::string(title) + finding), drawn, legend);
}

}  // namespace headrace::reports
