#include "reports/html/plan_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "reports/html/bars.hpp"
#include "reports/html/gate_sections.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/plot.hpp"
#include "reports/humane.hpp"
#include "reports/plan_report.hpp"
#include "reports/plan_words.hpp"
#include "reports/room_text.hpp"

namespace headrace::reports {
namespace {

const Document& metric(const Document& point, const char* name) { return at(at(point, "metrics"), name); }

std::string signed_percent(const Document& share_of_one) {
  if (!share_of_one.is_number()) return "&ndash;";
  return spelled_number(share_of_one, fmt::format("{:+.2f} %", 100.0 * share_of_one.get<double>()));
}

std::string point_row_cell(const Document& point, const char* name, const char* unit) {
  return number(at(metric(point, name), "mean"), unit);
}

PlotPoint plot_point(const Document& plan, const Document& point, const char* across, const Scale& x_scale,
                     const char* up, const Scale& y_scale) {
  PlotPoint drawn{number_at(metric(point, across), "mean") * x_scale.factor,
                  number_at(metric(point, up), "mean") * y_scale.factor,
                  {},
                  {},
                  configuration_text(plan, point)};
  if (const auto ends = interval_ends_at(metric(point, up), "ci95")) {
    drawn.low = ends->low * y_scale.factor;
    drawn.high = ends->high * y_scale.factor;
  }
  return drawn;
}

/// An axis that shows at least a hundredth of its values, of shares at least a point: what is nearer together is the
/// same.
PlotAxis plot_axis(const char* name, const Scale& scale, const std::vector<PlotPoint>& points, bool across) {
  PlotAxis axis{spoken_name(name) + (scale.unit.empty() ? "" : ", " + scale.unit), false, false, {}, {}};
  if (points.empty()) return axis;
  double low = across ? points.front().x : points.front().y;
  double high = low;
  for (const PlotPoint& point : points) {
    low = std::min(low, across ? point.x : point.low.value_or(point.y));
    high = std::max(high, across ? point.x : point.high.value_or(point.y));
  }
  constexpr double kLeast = 0.01;
  const double least = std::max(kLeast * std::max(std::abs(low), std::abs(high)), scale.unit == "%" ? 1.0 : 0.0);
  if (high - low >= least) return axis;
  const double middle = 0.5 * (low + high);
  axis.low = low >= 0.0 ? std::max(0.0, middle - 0.5 * least) : middle - 0.5 * least;
  axis.high = *axis.low + least;
  return axis;
}

/// What the recommendation makes of the limits that the plan was given.
std::string limits_table(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& one : at(plan, "limits")) {
    const std::string figure = text_at(one, "figure");
    const std::string unit = text_at(one, "unit");
    rows.push_back({figure == "egress_per_epoch_usd" ? "egress of an epoch" : metric_head(figure),
                    number(at(one, "value"), unit), number(at(one, "limit"), unit),
                    at(one, "pass") == true ? "is met" : "<b>is not met</b>"});
  }
  if (rows.empty()) return {};
  return html_table("Within its limits", {{"figure"}, {"is", true}, {"allowed", true}, {""}}, rows);
}

/// Ends of the gain's interval; a gain that the noise hides is drawn as none.
Ends gain_of(const Document& change) {
  if (!at(change, "gained_usd").is_number()) return {0.0, 0.0};
  const double gained = number_at(change, "gained_usd");
  const double error = number_at(change, "gained_error_usd");
  return {gained - error, gained + error};
}

/// What a figure of all jobs together is.
std::string of_several_jobs(std::string_view name) {
  return name == "epoch_time_s"                                      ? ", longest"
         : name == "gpu_idle_fraction" || name == "goodput_fraction" ? ", all GPUs"
                                                                     : "";
}

/// A row for each of several jobs, with today's wait.
std::string planned_jobs_table(const Document& plan) {
  const Document& jobs = at(at(plan, "recommended"), "jobs");
  if (!jobs.is_array()) return {};
  const Document& today = at(at(plan, "today"), "jobs");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t j = 0; j < jobs.size(); ++j)
    rows.push_back({escaped(text_at(jobs[j], "name")), number(at(jobs[j], "epoch_time_s"), "s"),
                    number(at(jobs[j], "step_time_s"), "s"), share(at(jobs[j], "gpu_idle_fraction")),
                    share(at(jobs[j], "goodput_fraction")),
                    today.is_array() && j < today.size() ? share(at(today[j], "gpu_idle_fraction")) : "&ndash;"});
  return html_table(
      "Each job",
      {{"job"}, {"epoch time", true}, {"step time", true}, {"GPU idle", true}, {"goodput", true}, {"idle today", true}},
      rows);
}

}  // namespace

std::string recommended_section(const Document& plan) {
  const Document& best = at(plan, "recommended");
  const Document& today = at(plan, "today");
  if (!best.is_object()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const auto& [pointer, value] : at(best, "configuration").items()) {
    const std::string was = text_at(at(today, "configuration"), pointer.c_str());
    rows.push_back({escaped(words(decision_name(plan, pointer))), "<b>" + escaped(value.get<std::string>()) + "</b>",
                    was.empty() ? "&ndash;" : escaped(was), "<code>" + escaped(pointer) + "</code>"});
  }
  std::string html =
      html_table("Recommended configuration", {{"parameter"}, {"take", true}, {"today", true}, {"place"}}, rows);
  const std::vector<std::string> less = at(plan, "as_good_with_less").is_array()
                                            ? at(plan, "as_good_with_less").get<std::vector<std::string>>()
                                            : std::vector<std::string>();
  const auto add_ties = [&](std::string_view of, const char* key) {
    std::string names;
    for (const Document& name : at(plan, key))
      if (key != std::string_view("indifferent") || !is_as_good_with_less(less, name.get<std::string>()))
        names += (names.empty() ? "" : ", ") + escaped(name.get<std::string>());
    if (!names.empty()) html += fmt::format("<p>{}: {}.</p>", of, names);
  };
  add_ties(kIndifferentText, "indifferent");
  add_ties(kLessText, "as_good_with_less");
  add_ties(kLeastFedText, "least_fed");
  if (const std::string sets = text_at(best, "sets"); !sets.empty())
    html += "<p>Options that set it: " + command_html(sets) + "</p>";
  rows.clear();
  const bool several = at(best, "jobs").is_array();
  for (const auto& [name, unit] : plan_figures(plan)) {
    const Document& figure = metric(best, name);
    rows.push_back({metric_head(name) + (several ? of_several_jobs(name) : ""), number(at(figure, "mean"), unit),
                    has_interval(figure, "ci95") ? interval(at(figure, "ci95"), at(figure, "mean"), unit)
                                                 : escaped(text_at(figure, "kind")),
                    today.is_object() ? point_row_cell(today, name, unit) : "&ndash;"});
  }
  if (const Document& first = metric(best, "time_to_first_step_s"); at(first, "mean").is_number())
    rows.push_back({metric_head("time_to_first_step_s"), number(at(first, "mean"), "s"),
                    "closed form for batches of mean size; headrace simulate gives the slowest",
                    today.is_object() ? point_row_cell(today, "time_to_first_step_s", "s") : "&ndash;"});
  const models::RoomFacts of_today = room_in(today);
  for (const auto& [fact, text, there] : room_rows(room_in(best), today.is_object() ? &of_today : nullptr))
    rows.push_back({fact, text, "closed form", there.empty() ? "&ndash;" : there});
  html += html_table("Its figures", {{"figure"}, {"mean", true}, {"95 % interval, or kind"}, {"today", true}}, rows) +
          planned_jobs_table(plan);
  if (const std::string over = text_at(at(at(plan, "horizon"), "recommended"), "explanation"); !over.empty()) {
    const std::string now = text_at(at(at(plan, "horizon"), "today"), "explanation");
    const Document& cost = at(at(plan, "horizon"), "recommended");
    html += fmt::format("<p>Over {:.3g} years at {} interest: ", number_at(cost, "horizon_years"),
                        percent(number_at(cost, "discount_rate"), 0)) +
            escaped(over) + (now.empty() ? "" : "; today " + escaped(now)) + ".</p>";
  }
  html += limits_table(plan);
  if (const std::string binding = text_at(best, "binding"); !binding.empty())
    html += "<p>" + escaped(bottleneck_sentence(words(binding), optional_at(best, "binding_gain"))) + "</p>";
  return html;
}

std::string obstacles_section(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& obstacle : at(plan, "obstacles"))
    rows.push_back({escaped(text_at(obstacle, "name")), count(at(obstacle, "points")),
                    !text_at(obstacle, "least_excess_text").empty() ? escaped(text_at(obstacle, "least_excess_text"))
                    : at(obstacle, "least_excess").is_number()      ? share(at(obstacle, "least_excess"))
                                                                    : "&ndash;",
                    escaped(text_at(obstacle, "nearest"))});
  if (rows.empty()) return {};
  return html_table("Configurations that a limit forbids",
                    {{"limit"}, {"configurations", true}, {"nearest exceeds it by", true}, {"nearest"}}, rows);
}

std::string tradeoff_section(const Document& plan) {
  const bool front = at(plan, "pareto_front").is_array() && !at(plan, "pareto_front").empty();
  const Document& points = front ? at(plan, "pareto_front") : at(plan, "alternatives");
  const Document& best = at(plan, "recommended");
  if (!best.is_object() || points.empty()) return {};
  const bool idle = text_at(plan, "against") == "idle GPUs" || !is_priced(plan);
  const char* across = idle && is_priced(plan) ? "gpu_idle_fraction" : "epoch_time_s";
  const char* up = is_priced(plan) ? cost_figure(plan) : "gpu_idle_fraction";
  const char* across_unit = std::string_view(across) == "epoch_time_s" ? "s" : "1";
  const char* up_unit = is_priced(plan) ? "USD" : "1";
  const Scale x_scale = humane_scale(number_at(metric(best, across), "mean"), across_unit);
  const Scale y_scale = humane_scale(number_at(metric(best, up), "mean"), up_unit);
  PlotSeries others{front ? "Pareto front" : "alternatives", {}, false};
  std::vector<std::vector<std::string>> rows;
  for (const Document& point : points) {
    others.points.push_back(plot_point(plan, point, across, x_scale, up, y_scale));
    std::vector<std::string> row{escaped(configuration_text(plan, point))};
    for (const auto& [name, unit] : plan_figures(plan)) row.push_back(point_row_cell(point, name, unit));
    rows.push_back(std::move(row));
  }
  std::stable_sort(others.points.begin(), others.points.end(),
                   [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  Plot plot{front ? "Trade-off of the two goals" : "Best simulated configurations", {}, {}, {others}};
  if (front && points.size() > 1) {
    PlotSeries line{"front", others.points, true, true};
    line.dashed = true;
    plot.series.push_back(line);
  }
  PlotSeries chosen{"recommended", {plot_point(plan, best, across, x_scale, up, y_scale)}, false};
  chosen.points.front().marked = true;
  plot.series.push_back(chosen);
  if (at(plan, "today").is_object())
    plot.series.push_back({"today", {plot_point(plan, at(plan, "today"), across, x_scale, up, y_scale)}, false});
  std::vector<PlotPoint> drawn;
  for (const PlotSeries& series : plot.series) drawn.insert(drawn.end(), series.points.begin(), series.points.end());
  plot.x = plot_axis(across, x_scale, drawn, true);
  plot.y = plot_axis(up, y_scale, drawn, false);
  std::vector<TableColumn> columns = {{"configuration"}};
  for (const auto& [name, unit] : plan_figures(plan)) columns.push_back({spoken_name(name), true});
  std::vector<std::pair<double, double>> places;
  for (const PlotPoint& point : drawn) places.emplace_back(point.x, point.y);
  const std::string open =
      front && at(plan, "pareto_front_complete") == false ? "<p>The front is not complete.</p>" : "";
  const std::string drawing =
      lie_on_one_spot(places)
          ? fmt::format("<p>The configurations of the table have the same {} and {}: a chart would be one point.</p>",
                        escaped(spoken_name(across)), escaped(spoken_name(up)))
          : plot_drawing(plot);
  return drawing + open + html_table(front ? "The front" : "The alternatives", columns, rows);
}

namespace {

std::string not_recommended(const Document& point) {
  const std::string why = text_at(point, "not_recommended_because");
  return why.empty() ? why : "; not recommended: " + escaped(why);
}

std::string forbidden_html(const Document& plan) {
  std::string html;
  const char* unit = goal_unit(plan);
  for (const Document& one : at(plan, "forbidden"))
    html += "<p><b>Better by its bound, but forbidden:</b> " + escaped(text_at(one, "configuration")) + " (" +
            number(at(one, "bound"), unit) + "). " + escaped(text_at(one, "reason")) + ".</p>";
  return html;
}

}  // namespace

std::string rivals_section(const Document& plan) {
  std::string html;
  if (const Document& second = at(plan, "runner_up"); second.is_object())
    html += "<p><b>Runner-up:</b> " + escaped(configuration_text(plan, second)) + ", epoch " +
            point_row_cell(second, "epoch_time_s", "s") +
            (is_priced(plan) ? ", " + point_row_cell(second, cost_figure(plan), "USD") + " per epoch" : "") +
            not_recommended(second) + ".</p>";
  if (const Document& cheaper = at(plan, "next_cheaper"); cheaper.is_object()) {
    const Document& rival = at(cheaper, "rival");
    html += "<p><b>Next cheaper machines:</b> " + escaped(configuration_text(plan, rival));
    if (number_at(cheaper, "needed_step_time_s") >= number_at(at(at(rival, "metrics"), "step_time_s"), "mean"))
      return html + ", " + point_row_cell(rival, cost_figure(plan), "USD") + " per epoch with the inputs as stated" +
             not_recommended(cheaper) + ".</p>" + forbidden_html(plan);
    html += ". They would win with a step time of " + number(at(cheaper, "needed_step_time_s"), "s") + " instead of " +
            point_row_cell(at(cheaper, "rival"), "step_time_s", "s");
    if (at(cheaper, "needed_gpu_hour_usd").is_number())
      html += ", or with GPU hours below " + number(at(cheaper, "needed_gpu_hour_usd"), "USD");
    html += ".</p>";
  }
  return html + forbidden_html(plan);
}

std::string events_section(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& one : at(plan, "events")) {
    const std::string figure = text_at(one, "figure");
    const std::string unit = figure == "slowdown" ? "" : text_at(one, "unit");
    rows.push_back({escaped(words(text_at(one, "event"))),
                    figure == "slowdown" ? "epoch time over that of normal days" : metric_head(figure),
                    number(at(one, "value"), unit), number(at(one, "limit"), unit),
                    at(one, "pass") == true ? "is met" : "<b>is not met</b>"});
  }
  if (rows.empty()) return {};
  return html_table("The recommendation under each event",
                    {{"event"}, {"figure"}, {"is", true}, {"allowed", true}, {""}}, rows);
}

namespace {

/// Where nothing has a price, changes gain time.
std::string faster_section(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& change : at(plan, "changes"))
    rows.push_back({fmt::format("{} {} to {}", escaped(text_at(change, "name")), escaped(text_at(change, "from")),
                                escaped(text_at(change, "to"))),
                    number(at(change, "gained_time_s"), "s"), number(at(change, "epoch_time_after_s"), "s")});
  if (rows.empty()) return {};
  const std::string whole = point_row_cell(at(plan, "recommended"), "epoch_time_s", "s");
  if (whole != rows.back().back()) rows.push_back({"noise of the runs", "", whole});
  return "<p>From today's configuration, each change behind those before it.</p>" +
         html_table("Changes from today, by gain in time", {{"change"}, {"saves", true}, {"then an epoch takes", true}},
                    rows);
}

}  // namespace

std::string changes_section(const Document& plan) {
  if (!is_priced(plan)) return faster_section(plan);
  const Document& changes = at(plan, "changes");
  const double unit_usd = number_at(plan, "changes_unit_usd");
  const auto dollars = [unit_usd](const Document& usd) {
    if (!usd.is_number()) return std::string("unknown");
    return spelled_number(usd, change_usd_text(usd.get<double>(), unit_usd > 0.0 ? unit_usd : 0.01));
  };
  std::string after = cost_figure(plan);
  after.insert(after.rfind("_usd"), "_after");
  double full = 0.0;
  for (const Document& change : changes)
    full = std::max({full, std::abs(gain_of(change).low), std::abs(gain_of(change).high),
                     std::abs(number_at(change, "spent_usd"))});
  std::vector<std::vector<std::string>> rows;
  for (const Document& change : changes) {
    const Ends gain = gain_of(change);
    const double gained = 0.5 * (gain.low + gain.high);
    const std::string drawing =
        full > 0.0 ? change_drawing(gained, gain.high > gain.low ? std::optional(gain) : std::nullopt, full, "three") +
                         change_drawing(-number_at(change, "spent_usd"), {}, full, "six")
                   : std::string();
    rows.push_back(
        {fmt::format("{} {} to {}", escaped(text_at(change, "name")), escaped(text_at(change, "from")),
                     escaped(text_at(change, "to"))),
         drawing, at(change, "gained_usd").is_number() ? dollars(at(change, "gained_usd")) : "none",
         dollars(at(change, "spent_usd")),
         at(change, "gained_per_dollar").is_number() ? number(at(change, "gained_per_dollar"), "", 3) : "&ndash;",
         dollars(at(change, after.c_str())), number(at(change, "epoch_time_after_s"), "s")});
  }
  if (rows.empty()) return {};
  if (number_at(plan, "changes_rest_usd") != 0.0)
    rows.push_back({"noise of the runs", "", "", dollars(at(plan, "changes_rest_usd")), "", "", ""});
  return "<p>From today's configuration, each change behind those before it, by dollars gained per dollar spent, per "
         "epoch: today's cost less gains plus costs is the recommended cost. <span class=\"key three\"></span>gained "
         "by shorter epochs, with its 95 % interval"
         "<span aria-hidden=\"true\">; </span><span class=\"key six\"></span>spent (to the left) or saved (to the "
         "right).</p>" +
         html_table("Changes from today",
                    {{"change"},
                     {""},
                     {"gains", true},
                     {"costs", true},
                     {"gained per $", true},
                     {"then an epoch costs", true},
                     {"and takes", true}},
                    rows);
}

std::string elasticities_section(const Document& plan) {
  const bool priced = is_priced(plan);
  std::vector<TableColumn> columns{{"more of"}, {""}, {"epoch time", true}, {"interval +-", true}};
  if (priced) columns.push_back({"cost", true});
  std::vector<const Document*> sorted;
  double full = 0.0;
  for (const Document& one : at(plan, "elasticities")) {
    sorted.push_back(&one);
    full = std::max(full, std::abs(number_at(one, "epoch_time_change")) + std::max(0.0, number_at(one, "error")));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Document* a, const Document* b) {
    return std::abs(number_at(*a, "epoch_time_change")) > std::abs(number_at(*b, "epoch_time_change"));
  });
  std::vector<std::vector<std::string>> rows;
  std::string without;
  for (const Document* one : sorted) {
    const double change = number_at(*one, "epoch_time_change");
    const auto is_nothing = [one](const char* of, const char* error) {
      return is_no_effect(number_at(*one, of), number_at(*one, error));
    };
    if (is_nothing("epoch_time_change", "error") && (!priced || is_nothing("cost_change", "cost_error"))) {
      without += (without.empty() ? "" : ", ") + escaped(text_at(*one, "resource"));
      continue;
    }
    const double error = number_at(*one, "error");
    rows.push_back(
        {escaped(text_at(*one, "resource")),
         full > 0.0 ? change_drawing(change, Ends{change - error, change + error}, full, change < 0.0 ? "three" : "six")
                    : "",
         signed_percent(at(*one, "epoch_time_change")), share(at(*one, "error"))});
    if (priced) rows.back().push_back(signed_percent(at(*one, "cost_change")));
  }
  if (!without.empty())
    without = "<p>No effect of 0.05 % or more that can be told from the noise of the runs: " + without + ".</p>";
  if (rows.empty()) return without;
  return "<p>Effect of more of one resource on the recommended configuration. To the left: shorter epochs. Whiskers: "
         "99.5 % intervals, because many are told side by side.</p>" +
         html_table("Sensitivity", columns, rows) + without;
}

std::string closed_forms_section(const Document& plan) {
  const Document& forms = at(plan, "closed_forms");
  if (!forms.is_object()) return {};
  const auto cell = [&](const char* key, const char* unit = "") {
    if (!at(forms, key).is_number()) return std::string("none");
    return *unit == 0 ? count(at(forms, key)) : number(at(forms, key), unit);
  };
  return html_table(
      "Closed forms for comparison, without contention; where workers slow each other it may be that no number of them "
      "feeds the GPUs",
      {{"figure"}, {"value", true}, {"formula"}},
      {{"least workers", cell("least_workers"), "time of a batch / (0.95 step)"},
       {"time of a batch", cell("batch_time_s", "s"), "mean over the path"},
       {"its p99.9", cell("batch_time_p999_s", "s"), ""},
       {"least outstanding batches", cell("least_outstanding_batches"), "p99.9 of a batch / step"},
       {"least hit ratio", cell("least_hit_ratio", "1"), "1 - capacity of the store / demand"},
       {"least cache of a node", cell("least_cache_bytes", "B"), "at which the store stops being the limit"},
       {"cache taken", cell("recommended_cache_bytes", "B"), ""}});
}

std::string constraints_section(const Document& plan) {
  std::vector<std::vector<std::string>> rows;
  for (const Document& room : at(plan, "rooms")) {
    const std::string own = text_at(room, "unit");
    const std::string unit = own == "cores" ? "" : own;  // which its name says
    const double used = number_at(room, "needed") / number_at(room, "available");
    const std::string name = text_at(room, "name");
    rows.push_back({escaped(name + (name.starts_with("cores") ? ", one for each worker" : "")), bar_drawing(used, 1.0),
                    number(at(room, "needed"), unit), number(at(room, "available"), unit),
                    used > 1.0 + 1e-9 ? "<b>more than there are</b>" : percent(std::max(0.0, 1.0 - used), 0)});
  }
  std::string html;
  if (!rows.empty())
    html = html_table("Room that the recommendation leaves",
                      {{"room"}, {""}, {"taken", true}, {"there is", true}, {"left", true}}, rows);
  rows.clear();
  for (const Document& axis : at(plan, "decisions")) {
    std::string values;
    for (const Document& value : at(axis, "values"))
      values += (values.empty() ? "" : ", ") + escaped(value.get<std::string>());
    rows.push_back({escaped(text_at(axis, "name")), values});
  }
  if (at(plan, "default_decisions") == true)
    html += "<p>The scenario has no decisions (<code>decide</code>); these are the defaults:</p>";
  if (!rows.empty()) html += html_table("Decisions", {{"decision"}, {"values"}}, rows);
  return html + obstacles_section(plan);
}

std::string search_section(const Document& plan) {
  const Document& search = at(plan, "search");
  const char* name = goal_metric(plan);
  const char* unit = goal_unit(plan);
  const Document& trace = at(search, "trace");
  PlotSeries bound{"flow bound", {}, false};
  PlotSeries ran{"run", {}, false};
  PlotSeries best{"best so far", {}, true, true};
  PlotSeries taken{"recommended", {}, false};
  best.dashed = true;
  std::vector<std::vector<std::string>> rows;
  const Scale scale = humane_scale(number_at(metric(at(plan, "recommended"), name), "mean"), unit);
  double number_of = 0.0;
  double least = 0.0;
  for (const Document& step : trace) {
    number_of += 1.0;
    const std::string label =
        fmt::format("{:.0f}: {} ({})", number_of, text_at(step, "configuration"), text_at(step, "fate"));
    const bool recommended = text_at(step, "fate") == "recommended";
    bound.points.push_back({number_of, number_at(step, "bound") * scale.factor, {}, {}, label});
    if (at(step, "mean").is_number())
      (recommended ? taken : ran)
          .points.push_back({number_of, number_at(step, "mean") * scale.factor, {}, {}, label, recommended});
    if (at(step, "best_so_far") == true) least = number_at(step, "mean") * scale.factor;
    if (least > 0.0) best.points.push_back({number_of, least});
    rows.push_back({fmt::format("{:.0f}", number_of), escaped(text_at(step, "configuration")),
                    escaped(text_at(step, "level")), number(at(step, "bound"), unit),
                    at(step, "mean").is_number() ? number(at(step, "mean"), unit) : "&ndash;",
                    escaped(text_at(step, "fate"))});
  }
  const auto effort = [&](const char* key) { return count(at(search, key)); };
  std::string html =
      "<p>" + escaped(capital(text_at(search, "explanation"))) + ".</p>" +
      html_table("Effort", {{""}, {""}},
                 {{"configurations bounded", effort("points")},
                  {"infeasible by bounds", effort("infeasible")},
                  {"run without contention", effort("uncontended_runs")},
                  {"simulated", effort("simulated_points")},
                  {"simulated steps", effort("simulated_steps")},
                  {"excluded because more of each resource was slower, too", effort("excluded_by_siblings")},
                  {"runs for the advice", effort("advice_runs")},
                  {"confidence reached", share(at(search, "confidence"))},
                  {"differences that do not matter", share(at(search, "indifference"))}});
  if (rows.size() < 2) return html;
  std::vector<PlotPoint> drawn;
  for (const PlotSeries* series : {&bound, &ran, &best, &taken})
    drawn.insert(drawn.end(), series->points.begin(), series->points.end());
  Plot plot{"The search, run by run",
            {"configuration, in the order of first visit", false, false, {}, {}, true},
            plot_axis(name, scale, drawn, false),
            {bound, ran, best}};
  if (!taken.points.empty()) plot.series.push_back(taken);
  html += plot_drawing(plot);
  return html + "<details><summary>" + fmt::format("{} configurations that were visited", rows.size()) + "</summary>" +
         html_table("In the order of first visit",
                    {{"visit"}, {"configuration"}, {"level"}, {"flow bound", true}, {"mean", true}, {"result"}}, rows) +
         "</details>";
}

}  // namespace headrace::reports
