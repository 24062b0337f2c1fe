#include "reports/html/calibration_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "models/calibration/latency_histogram.hpp"
#include "reports/document.hpp"
#include "reports/html/bars.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"

namespace headrace::reports {
namespace {

using namespace models::calibration;
using Rows = std::vector<std::vector<std::string>>;

std::string verdict_cell(Verdict verdict) {
  constexpr std::string_view kKinds[] = {"pass", "undecided", "fail"};
  return fmt::format("<span class=\"{}\">{}</span>", kKinds[static_cast<std::size_t>(verdict)], verdict_name(verdict));
}

std::string value_cell(double value, const std::string& unit, Verdict verdict) {
  return verdict == Verdict::undetermined ? std::string("&ndash;") : number(Document(value), unit);
}

std::string ends_cell(double value, double low, double high, const std::string& unit, Verdict verdict) {
  if (verdict == Verdict::undetermined) return "&ndash;";
  return interval(Document::array({low, high}), Document(value), unit);
}

/// On a scale of its own from half to twice the value, so that widths can be compared down the column.
std::string spread_drawing(double value, double low, double high, Verdict verdict) {
  if (verdict == Verdict::undetermined || !(value > 0.0)) return {};
  return interval_drawing(1.0, Ends{low / value, high / value}, {}, {0.5, 1.5});
}

std::string parameters_section(const Calibration& c) {
  Rows rows;
  for (const Parameter& p : c.parameters) {
    std::string note = escaped(p.provenance);
    if (!p.target.empty()) note += "<br>Goes to <code>" + escaped(p.target) + "</code>";
    rows.push_back({note_behind("<code>" + escaped(p.name) + "</code>", note), value_cell(p.value, p.unit, p.verdict),
                    spread_drawing(p.value, p.low, p.high, p.verdict),
                    ends_cell(p.value, p.low, p.high, p.unit, p.verdict),
                    p.evidence == FigureClass::catalogue ? "<span class=\"undecided\">catalogue</span>"
                                                         : verdict_cell(p.verdict)});
  }
  if (rows.empty()) return {};
  return "<p>Open a parameter for how it was measured and where it goes. The drawing is the 95 % interval from half to "
         "one and a half times the value. <b>clean</b>: nothing else was at work; <b>noisy</b>: other load was, or the "
         "interval is wide; <b>undetermined</b>: too few clean windows for an interval, not used; <b>catalogue</b>: "
         "not measured, a "
         "figure of the catalogue made wide.</p>" +
         html_table("Parameters", {{"parameter"}, {"value", true}, {""}, {"95 % interval"}, {"verdict"}}, rows);
}

std::string block_text(double bytes) {
  if (bytes <= 0.0) return "";
  return bytes >= 1048576.0 ? fmt::format(" {:g} MiB", bytes / 1048576.0) : fmt::format(" {:g} KiB", bytes / 1024.0);
}

std::string cell_name(const Cell& cell) {
  return cell.probe + (cell.detail.empty() ? "" : " " + cell.detail) + block_text(cell.block_bytes);
}

/// Rate over depth or threads, one line for each probe that was measured at several.
std::string curves_section(const Calibration& c) {
  std::map<std::pair<std::string, std::string>, PlotSeries> lines;  // by unit and name
  for (const Cell& cell : c.cells) {
    if (cell.estimate.verdict == Verdict::undetermined || cell.probe == "open_loop") continue;
    const double width = static_cast<double>(std::max(cell.depth, cell.threads));
    const std::string name = cell_name(cell) + (cell.buffers == "none" ? "" : ", " + cell.buffers);
    PlotSeries& line = lines[{cell.unit, name}];
    line.name = name;
    line.points.push_back({width, cell.estimate.value, cell.estimate.low, cell.estimate.high,
                           fmt::format("{:.0f}: {}", width, humane(cell.estimate.value, cell.unit))});
  }
  constexpr std::size_t kMostLines = 6;
  std::string html;
  std::map<std::string, Plot> plots;
  for (auto& [key, line] : lines) {
    if (line.points.size() < 2) continue;
    std::sort(line.points.begin(), line.points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    Plot& plot = plots[key.first];
    if (plot.series.size() < kMostLines) plot.series.push_back(std::move(line));
  }
  for (auto& [unit, plot] : plots) {
    double high = 0.0;
    for (const PlotSeries& line : plot.series)
      for (const PlotPoint& point : line.points) high = std::max(high, point.y);
    const Scale scale = humane_scale(high, unit);
    for (PlotSeries& line : plot.series)
      for (PlotPoint& point : line.points) {
        point.y *= scale.factor;
        point.low = *point.low * scale.factor;
        point.high = *point.high * scale.factor;
      }
    plot.title = unit == "B/s" ? "Bandwidth" : "Operations";
    plot.x = {"requests at the same time, or threads", true, false, {}, {}, true};
    plot.y = {(unit == "1/s" ? "operations/s" : scale.unit), true, false, {}, {}};
    html += plot_drawing(plot);
  }
  return html.empty() ? html : "<p>Bands are 95 % intervals.</p><div class=\"plots\">" + html + "</div>";
}

std::string quantile_cell(const Cell& cell, double p) {
  return cell.latency ? escaped(humane(LatencyHistogram::from(*cell.latency).quantile_s(p), "s", 3)) : "&ndash;";
}

std::string cells_section(const Calibration& c) {
  Rows rows;
  for (const Cell& cell : c.cells) {
    const Estimate& e = cell.estimate;
    std::string flags;
    for (const std::string& flag : cell.flags) flags.append(flags.empty() ? "" : ", ").append(words(flag));
    rows.push_back({escaped(cell_name(cell)), std::to_string(cell.depth), std::to_string(cell.threads),
                    value_cell(e.value, cell.unit, e.verdict), ends_cell(e.value, e.low, e.high, cell.unit, e.verdict),
                    verdict_cell(e.verdict), fmt::format("{} of {}", e.clean_windows, e.windows),
                    quantile_cell(cell, 0.5), quantile_cell(cell, 0.99), quantile_cell(cell, 0.999), escaped(flags)});
  }
  if (rows.empty()) return {};
  return html_table("Every probe",
                    {{"probe"},
                     {"depth", true},
                     {"threads", true},
                     {"rate", true},
                     {"95 % interval"},
                     {"verdict"},
                     {"clean windows", true},
                     {"p50", true},
                     {"p99", true},
                     {"p99.9", true},
                     {"remarks"}},
                    rows);
}

std::string fits_section(const Calibration& c) {
  Rows rows;
  for (const Fit& fit : c.fits) {
    if (!fit.chosen) continue;
    std::string numbers;
    for (const FitNumber& n : fit.numbers)
      numbers += fmt::format("{}{} = {} ({:.4g} to {:.4g})", numbers.empty() ? "" : "<br>", escaped(n.name),
                             number(Document(n.value), ""), n.low, n.high);
    std::string quality;
    if (fit.ks) quality += fmt::format("Kolmogorov-Smirnov distance {:.3f}<br>", *fit.ks);
    if (fit.rms_log_error) quality += fmt::format("rms error of the logarithm {:.3f}<br>", *fit.rms_log_error);
    for (const QuantileRatio& r : fit.quantile_ratios)
      quality += fmt::format("p{:g} model / data {:.3f}<br>", 100.0 * r.p, r.ratio);
    rows.push_back({escaped(fit.parameter), escaped(words(fit.family)), numbers, quality, escaped(fit.decision)});
  }
  return rows.empty() ? ""
                      : html_table("Laws that were chosen", {{"of"}, {"law"}, {"numbers"}, {"fit"}, {"why"}}, rows);
}

std::string facts_section(const Calibration& c) {
  Rows rows;
  for (const HostFact& fact : c.host) rows.push_back({escaped(fact.key), escaped(fact.value)});
  std::string html = rows.empty() ? "" : html_table("The machine", {{""}, {""}}, rows);
  rows.clear();
  for (const Downgrade& d : c.downgrades)
    rows.push_back({escaped(words(d.field)), escaped(d.value), escaped(d.reason)});
  if (!rows.empty()) html += html_table("Missing on this machine", {{"ingredient"}, {"instead"}, {"why"}}, rows);
  return html;
}

std::string calibration_head(const Calibration& c) {
  std::size_t counts[3] = {};
  for (const Parameter& p : c.parameters) ++counts[static_cast<std::size_t>(p.verdict)];
  const std::string line =
      fmt::format("{} parameters are clean, {} noisy, {} undetermined", counts[0], counts[1], counts[2]);
  const bool all = counts[1] + counts[2] == 0 && counts[0] > 0;
  return verdict_box(all ? "good" : "unsure", line,
                     fmt::format("Measured on {} in {}, {} in {}, engine {}{}.", c.date, c.path, c.budget.name,
                                 humane(c.budget.used_s, "s", 2), c.engine, c.interrupted ? "; interrupted" : ""));
}

}  // namespace

std::string calibration_page(const Calibration& calibration, const PageFacts& facts) {
  Page page;
  page.title = facts.title.empty() ? "Calibration of " + calibration.path : facts.title;
  page.head = calibration_head(calibration);
  page.sections = {
      {"parameters", "Parameters", parameters_section(calibration)},
      {"curves", "Rate against depth", curves_section(calibration)},
      {"laws", "Laws", fits_section(calibration)},
      {"measured", "Measurements", cells_section(calibration)},
      {"machine", "Machine", facts_section(calibration)},
      {"repeat", "Repeat it",
       command_block(facts.command) + "<p>" + escaped(calibration.tool_version) + ", seed " +
           std::to_string(calibration.seed) + ". A measurement repeats within its interval, not to the bit.</p>"}};
  return html_page(page);
}

}  // namespace headrace::reports
