#include "reports/calibration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/calibration/latency_histogram.hpp"
#include "reports/humane.hpp"
#include "reports/text_layout.hpp"

namespace headrace::reports {
namespace {

using namespace models::calibration;
using Rows = std::vector<std::vector<std::string>>;
using Json = nlohmann::ordered_json;

std::string block_text(double bytes) {
  if (bytes <= 0.0) return "";
  if (bytes >= 1048576.0) return fmt::format("{:g} MiB", bytes / 1048576.0);
  return fmt::format("{:g} KiB", bytes / 1024.0);
}

/// "-3 .. +4 %" about the value.
std::string bounded_text(double value, double low, double high) {
  if (!(value > 0.0)) return "";
  if (low == high) return "point";
  if (high / value > 10.0 || !(low > 0.0)) return "wide";
  return fmt::format("{:+.1f} .. {:+.1f} %", 100.0 * (low / value - 1.0), 100.0 * (high / value - 1.0));
}

std::string verdict_text(Verdict verdict, const Style& style) {
  const std::string name(verdict_name(verdict));
  if (verdict == Verdict::clean) return style.good(name);
  return verdict == Verdict::noisy ? style.unsure(name) : style.bad(name);
}

std::string figure_text(const Parameter& p) {
  return p.unit == "count" ? humane_number(p.value) : humane(p.value, p.unit);
}

std::string parameters_text(const Calibration& c, const Style& style) {
  if (c.parameters.empty()) return "";
  Rows rows{{"parameter", "value", "95 % interval", "verdict"}};
  std::string places;
  for (const Parameter& p : c.parameters) {
    const bool known = p.verdict != Verdict::undetermined;
    rows.push_back({p.name, known ? figure_text(p) : "-", known ? bounded_text(p.value, p.low, p.high) : "",
                    p.evidence == FigureClass::catalogue ? style.unsure("catalogue") : verdict_text(p.verdict, style)});
    if (known && !p.target.empty()) places += fmt::format("  {}: {}\n", p.name, p.target);
  }
  const std::string text = style.bold("Parameters") + "\n" + table({kLeft, kRight, kLeft, kLeft}, rows) + "\n";
  return places.empty() ? text : text + style.bold("Their places in a scenario") + "\n" + places + "\n";
}

/// Where imported figures come from, and what to know about each.
std::string sources_text(const Calibration& c, const Style& style) {
  if (!c.imported) return "";
  std::string text;
  for (const Parameter& p : c.parameters) {
    text += "  " + p.name + ": " + wrapped(p.provenance, style.width, 4) + "\n";
    if (!p.flags.empty()) text += fmt::format("    flags: {}\n", fmt::join(p.flags, " "));
  }
  return style.bold(fmt::format("Read from {} ({}), measured {}, evidence measured", c.imported->file, c.imported->tool,
                                c.date)) +
         "\n" + text + "\n";
}

std::string downgrades_text(const Calibration& c, const Style& style) {
  if (c.downgrades.empty()) return "";
  std::string text = style.bold("Missing on this machine") + "\n";
  for (const Downgrade& d : c.downgrades) {
    text += fmt::format("  {}\n", wrapped(fmt::format("{} = {}: {}", d.field, d.value, d.reason), style.width, 4));
  }
  return text + "\n";
}

std::string quantile_text(const Cell& cell, double p) {
  return cell.latency ? humane(LatencyHistogram::from(*cell.latency).quantile_s(p), "s", 3) : "";
}

/// "random_read x2, 4 KiB, depth 8, contiguous"
std::string cell_name(const Cell& cell) {
  std::string name = cell.detail.empty() ? cell.probe : cell.probe + " " + cell.detail;
  if (cell.threads > 1) name += fmt::format(" x{}", cell.threads);
  if (cell.block_bytes > 0.0) name.append(", ").append(block_text(cell.block_bytes));
  if (cell.depth > 1) name += fmt::format(", depth {}", cell.depth);
  if (cell.buffers != "none" && !cell.buffers.empty()) name.append(", ").append(cell.buffers);
  return name;
}

std::string cells_text(const Calibration& c, const Style& style) {
  if (c.cells.empty()) return "";
  Rows rows{{"rate", "interval", "clean", "p50", "p99", "p99.9", ""}};
  std::vector<std::string> names;
  for (const Cell& cell : c.cells) {
    const Estimate& e = cell.estimate;
    const bool known = e.verdict != Verdict::undetermined;
    names.push_back(cell_name(cell));
    rows.push_back({known ? humane(e.value, cell.unit) : "undetermined",
                    known ? bounded_text(e.value, e.low, e.high) : "", fmt::format("{}/{}", e.clean_windows, e.windows),
                    quantile_text(cell, 0.5), quantile_text(cell, 0.99), quantile_text(cell, 0.999),
                    fmt::format("{}", fmt::join(cell.flags, " "))});
  }
  return style.bold("Measured") + "\n" +
         labelled_table({kRight, kLeft, kRight, kRight, kRight, kRight, kLeft}, rows, names) + "\n";
}

std::string fit_numbers(const Fit& fit) {
  std::string text;
  for (const FitNumber& n : fit.numbers)
    text += fmt::format("{}{} {:.4g} [{:.4g}, {:.4g}]", text.empty() ? "" : ", ", n.name, n.value, n.low, n.high);
  return text;
}

std::string fits_text(const Calibration& c, const Style& style) {
  std::string text;
  for (const Fit& fit : c.fits) {
    if (!fit.chosen) continue;
    text += fmt::format("  {}: {}\n", fit.parameter, fit.family);
    const std::string numbers = fit_numbers(fit);
    if (!numbers.empty()) text += "      " + wrapped(numbers, style.width, 6) + "\n";
    std::string quality;
    if (fit.ks) quality += fmt::format("KS {:.3f}; ", *fit.ks);
    if (fit.aic) quality += fmt::format("AIC {:.1f}; ", *fit.aic);
    if (fit.rms_log_error) quality += fmt::format("rms {:.3f}; ", *fit.rms_log_error);
    for (const QuantileRatio& r : fit.quantile_ratios) quality += fmt::format("p{:g} x{:.3f}; ", 100.0 * r.p, r.ratio);
    text += "      " + wrapped(quality + fit.decision, style.width, 6) + "\n";
  }
  return text.empty() ? "" : style.bold("Laws") + "\n" + text + "\n";
}

std::string host_text(const Calibration& c, const Style& style) {
  if (c.host.empty()) return "";
  std::string line;
  for (const HostFact& fact : c.host) line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", fact.key, fact.value);
  return style.bold("Machine") + "\n  " + wrapped(line, style.width, 2) + "\n";
}

std::string coloured_change(Change change, const Style& style) {
  const std::string name = change_name(change);
  if (change == Change::same) return style.good(name);
  return change == Change::changed ? style.bad(name) : style.unsure(name);
}

}  // namespace

std::string plan_text(const std::string& title, const std::vector<PlannedProbe>& plan, const std::string& writes,
                      const Style& style) {
  Rows rows;
  double total = 0.0;
  for (const PlannedProbe& probe : plan) {
    rows.push_back({probe.name, humane(probe.planned_s, "s", 2), probe.what});
    total += probe.planned_s;
  }
  rows.push_back({"together", humane(total, "s", 2), ""});
  return style.bold(title) + "\n" + table({kLeft, kRight, kLeft}, rows) + "  " + writes + "\n";
}

std::string plan_text(const CalibrationRequest& request, const std::vector<PlannedProbe>& plan, const Style& style) {
  return plan_text(fmt::format("Probes of {}, budget {}", request.path, request.budget), plan,
                   fmt::format("data file of {} in one scratch folder inside {}, removed at the end",
                               humane(static_cast<double>(planned_file_bytes(request)), "B"), request.path),
                   style);
}

Json plan_json(Json head, const std::vector<PlannedProbe>& plan) {
  Json probes = Json::array();
  double total = 0.0;
  for (const PlannedProbe& probe : plan) {
    probes.push_back({{"name", probe.name}, {"what", probe.what}, {"planned_s", probe.planned_s}});
    total += probe.planned_s;
  }
  head["planned_s"] = total;
  head["probes"] = std::move(probes);
  return head;
}

Json plan_json(const CalibrationRequest& request, const std::vector<PlannedProbe>& plan) {
  return plan_json(
      {{"path", request.path}, {"budget", request.budget}, {"data_file_bytes", planned_file_bytes(request)}}, plan);
}

std::string calibration_text(const Calibration& c, const Style& style) {
  const auto undetermined = std::count_if(c.parameters.begin(), c.parameters.end(),
                                          [](const Parameter& p) { return p.verdict == Verdict::undetermined; });
  std::string text =
      c.imported
          ? style.bold(fmt::format("Import of {}", c.imported->file)) +
                fmt::format("\n  {}, {}, by headrace import {}\n\n", c.date, c.imported->tool, c.imported->format)
          : style.bold(fmt::format("Calibration of {}", c.path)) +
                fmt::format("\n  {}, {} in {}, engine {}{}\n\n", c.date, c.budget.name, humane(c.budget.used_s, "s", 2),
                            c.engine, c.interrupted ? ", interrupted" : "");
  text += parameters_text(c, style) + sources_text(c, style);
  if (undetermined > 0)
    text += wrapped(fmt::format("{} of {} parameters are undetermined: other load disturbed too many windows. Measure "
                                "again when the machine is quiet, with a larger --budget, or with --accept-noisy.",
                                undetermined, c.parameters.size()),
                    style.width, 0) +
            "\n\n";
  return text + downgrades_text(c, style) + fits_text(c, style) + cells_text(c, style) + host_text(c, style);
}

std::string comparison_text(const std::vector<ParameterChange>& changes, const Style& style) {
  Rows rows{{"parameter", "before", "after", "ratio", "95 % interval", ""}};
  for (const ParameterChange& c : changes) {
    const auto shown = [&c](double value) { return value > 0.0 ? humane(value, c.unit) : std::string("-"); };
    rows.push_back({c.name, shown(c.before), shown(c.after), c.ratio > 0.0 ? fmt::format("{:.3f}", c.ratio) : "-",
                    c.ratio > 0.0 ? fmt::format("{:.3f} .. {:.3f}", c.low, c.high) : "",
                    coloured_change(c.change, style)});
  }
  return table({kLeft, kRight, kRight, kRight, kLeft, kLeft}, rows);
}

Json comparison_json(const std::vector<ParameterChange>& changes) {
  Json list = Json::array();
  for (const ParameterChange& c : changes) {
    Json one = {{"name", c.name}, {"unit", c.unit}};
    const auto known = [](double value) { return value > 0.0 ? Json(value) : Json(nullptr); };
    one["before"] = known(c.before);
    one["after"] = known(c.after);
    one["ratio"] = known(c.ratio);
    one["ci95"] = c.ratio > 0.0 ? Json{c.low, c.high} : Json(nullptr);
    one["verdict"] = change_name(c.change);
    list.push_back(std::move(one));
  }
  return {{"parameters", std::move(list)}};
}

}  // namespace headrace::reports
