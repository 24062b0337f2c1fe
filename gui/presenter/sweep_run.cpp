#include "gui/presenter/sweep_run.hpp"

#include <fmt/format.h>

#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>

#include "gui/presenter/short_name.hpp"
#include "reports/outcome_reader.hpp"
#include "reports/results_export.hpp"
#include "scenarios/document/atomic_file.hpp"
#include "scenarios/document/units.hpp"

namespace headrace::gui {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::ResultsStore;

/// JSON where the text is JSON, else the text itself: as --set takes it.
Json value_json(const std::string& text) {
  const Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

scenarios::SweepOptions options_of(const SweepWish& wish, const scenarios::SweepSpace& space,
                                   const std::stop_token& stop, const TellSweep& tell) {
  scenarios::SweepOptions options;
  options.answer.level = wish.level;
  options.answer.study.precision = wish.precision;
  options.answer.study.max_wall_s = wish.max_wall_s;
  options.answer.study.relief = false;
  options.answer.study.abandon = stop;
  options.stop = stop;
  options.outcome_text = [version = space.base.composition.catalogue_version](const models::Outcome& outcome) {
    return reports::stored_outcome(outcome, version);
  };
  options.progress = [tell](const scenarios::SweepProgress& progress) {
    const double fraction =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0.0;
    tell(fraction, fmt::format("{} of {} points", progress.done, progress.total));
  };
  return options;
}

SweptPoint point_of(const scenarios::PointRow& row, const scenarios::SweepSpace& space) {
  SweptPoint point;
  const std::vector<scenarios::Node> values = space.values(row.point);
  for (std::size_t a = 0; a < values.size(); ++a) {
    const std::string text = scenarios::value_text(values[a]);
    point.labels.push_back(text);
    for (const scenarios::AxisParameter& parameter : space.axes[a].parameters)
      point.edits.push_back({parameter.pointer, text});
    const auto number = scenarios::comparable_number(values[a]);
    point.numbers.push_back(number ? number->value : 0.0);
  }
  if (row.result.failed)
    point.error = row.result.error;
  else
    point.outcome = reports::outcome_of(Json::parse(row.result.outcome));
  return point;
}

/// What a drawing calls a unit; nothing for plain numbers, which stay as they are written.
std::string_view drawn_unit(models::Unit unit) {
  if (unit == models::Unit::fraction) return "1";
  return unit == models::Unit::one ? std::string_view() : scenarios::unit_symbol(unit);
}

/// One unit for all numbers of an axis, by the largest of them: files spell "3167 h" and "32200000 s" side by side.
reports::Scale label_numbers(std::size_t axis, std::string_view unit, SweepAnswer& answer) {
  if (unit.empty()) return {};
  double most = 0.0;
  for (const SweptPoint& point : answer.points) most = std::max(most, std::abs(point.numbers[axis]));
  const reports::Scale scale = reports::humane_scale(most, unit);
  for (SweptPoint& point : answer.points) {
    const std::string number = reports::humane_number(point.numbers[axis] * scale.factor);
    point.labels[axis] = scale.prefix ? scale.unit + number : number + (scale.unit.empty() ? "" : " " + scale.unit);
  }
  return scale;
}

/// Words of an axis are drawn at their places.
void place_words(const ScenarioDocument& document, const scenarios::SweepSpace& space, SweepAnswer& answer) {
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    const scenarios::Axis& axis = space.axes[a];
    const bool numeric = std::all_of(axis.values.begin(), axis.values.end(), [](const scenarios::Node& value) {
      return scenarios::comparable_number(value).has_value();
    });
    answer.axes.push_back(axis.parameters.size() == 1 ? place_name(document, axis.parameters.front().pointer)
                                                      : axis.name);
    answer.numeric.push_back(numeric);
    const auto first = numeric ? scenarios::comparable_number(axis.values.front()) : std::nullopt;
    answer.scales.push_back(first ? label_numbers(a, drawn_unit(first->unit), answer) : reports::Scale{});
    if (numeric) continue;
    std::vector<std::string> words;
    for (SweptPoint& point : answer.points) {
      const auto found = std::find(words.begin(), words.end(), point.labels[a]);
      point.numbers[a] = static_cast<double>(found - words.begin());
      if (found == words.end()) words.push_back(point.labels[a]);
    }
  }
}

SweepAnswer sweep(const ScenarioDocument& document, const scenarios::SweepSpace& space, const SweepWish& wish,
                  const std::stop_token& stop, const TellSweep& tell) {
  SweepAnswer answer;
  answer.level = wish.level == scenarios::AnswerLevel::simulate
                     ? "simulated"
                     : scenarios::kAnswerLevelNames[static_cast<std::size_t>(wish.level)];
  try {
    ResultsStore store(":memory:", ResultsStore::Access::write);
    const scenarios::SweepOptions options = options_of(wish, space, stop, tell);
    const scenarios::SweepTally tally = scenarios::run_sweep(space, store, options);
    answer.failed = tally.failed;
    answer.interrupted = tally.interrupted;
    store.for_each_point(scenarios::sweep_record(space, options).id,
                         [&](const scenarios::PointRow& row) { answer.points.push_back(point_of(row, space)); });
  } catch (const scenarios::StoreError& error) {
    answer.error = std::string(error.what()) + "; " + error.fix();
  }
  place_words(document, space, answer);
  return answer;
}

}  // namespace

std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values;
  std::string value;
  int depth = 0;
  bool quoted = false;
  const auto finish = [&] {
    const auto begin = value.find_first_not_of(" \t");
    const auto end = value.find_last_not_of(" \t");
    if (begin != std::string::npos) values.push_back(value.substr(begin, end - begin + 1));
    value.clear();
  };
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      finish();
    else
      value += c;
  }
  finish();
  return values;
}

std::string space_text(const ScenarioDocument& document, const std::vector<SweepAxis>& axes) {
  Json space;
  space["title"] = "Sweep of: " + document.title();
  space["scenario"] = Json::parse(document.whole_text());
  space["axes"] = Json::array();
  std::map<std::string, int> names;
  for (const SweepAxis& axis : axes) {
    Json item;
    const auto tokens = scenarios::pointer_tokens(axis.pointer).value_or(std::vector<std::string>{axis.pointer});
    const std::string& name = tokens.back();
    const int times = ++names[name];
    item["name"] = times == 1 ? name : fmt::format("{} {}", name, times);
    item["parameter"] = axis.pointer;
    item["values"] = Json::array();
    for (const std::string& value : axis.values) item["values"].push_back(value_json(value));
    space["axes"].push_back(std::move(item));
  }
  return space.dump(2) + "\n";
}

SweepAnswer run_sweep_of(const ScenarioDocument& document, const SweepWish& wish, const std::stop_token& stop,
                         const TellSweep& tell) {
  const QTemporaryDir folder;
  std::string path = wish.space;
  SweepAnswer answer;
  if (path.empty()) {
    path = folder.filePath("window.json").toStdString();
    const auto written = scenarios::write_atomically(path, space_text(document, wish.axes));
    if (!written) {
      answer.error = print_text(written.error());
      return answer;
    }
  }
  const auto space = scenarios::load_space(path);
  if (space) return sweep(document, *space, wish, stop, tell);
  answer.error = print_text(space.error());
  return answer;
}

}  // namespace headrace::gui
