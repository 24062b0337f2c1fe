#include "reports/results_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/outcome/outcome_metrics.hpp"
#include "reports/document.hpp"
#include "reports/outcome_json.hpp"
#include "scenarios/document/edit_distance.hpp"
#include "scenarios/document/units.hpp"
#include "scenarios/results/stored_json.hpp"

namespace headrace::reports {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::PointRow;
using scenarios::ResultsStore;
using scenarios::SweepRecord;

/// Not a metric, but asked for as one: how busy each resource is.
constexpr std::string_view kBusyShare = "busy_share";

std::string json_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// RFC 4180: a cell with a comma, quote or line break stands in quotes, quotes are doubled.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_value(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return scenarios::print_number(value.get<double>());
  return json_line(value);
}

/// One row, read back.
struct ExportRow {
  const PointRow& point;
  Json coordinates;
  Json outcome;
  Json ranking;

  explicit ExportRow(const PointRow& row)
      : point(row),
        coordinates(scenarios::stored_json(row.coordinates)),
        outcome(row.result.failed ? Json::object() : scenarios::stored_json(row.result.outcome)),
        ranking(row.ranking.empty() ? Json() : scenarios::stored_json(row.ranking)) {}

  Json metric(std::string_view name) const {
    return reports::at(reports::at(outcome, "metrics"), std::string(name).c_str());
  }
  std::optional<double> mean(std::string_view name) const {
    const Json value = metric(name);
    if (!reports::at(value, "mean").is_number()) return std::nullopt;
    return number_at(value, "mean");
  }
  /// By name of the resource.
  Json busy_shares() const {
    Json shares = Json::object();
    for (const Json& station : reports::at(outcome, "stations"))
      shares[text_at(station, "name")] = reports::at(station, "utilization");
    return shares;
  }
  Json at(const char* key) const { return outcome.contains(key) ? outcome[key] : Json(); }
};

class Export {
 public:
  Export(const ResultsStore& store, const ExportOptions& options, const std::function<void(std::string_view)>& write)
      : store_(store), options_(options), write_(write) {}

  tl::expected<void, ExportError> run() {
    for (SweepRecord& sweep : store_.sweeps())
      if (sweep.id.starts_with(options_.sweep)) sweeps_.push_back(std::move(sweep));
    if (sweeps_.empty())
      return tl::unexpected(
          options_.sweep.empty()
              ? ExportError{fmt::format("'{}' has no sweep", store_.path()), "headrace sweep SPACE -o FILE fills it"}
              : ExportError{fmt::format("no sweep in '{}' begins with '{}'", store_.path(), options_.sweep),
                            "headrace report FILE --format json lists them"});
    for (const std::string& name : options_.metrics)
      if (auto error = check_metric(name)) return tl::unexpected(std::move(*error));
    if (!options_.best.empty()) {
      if (auto error = find_best()) return tl::unexpected(std::move(*error));
    }
    if (options_.format == ResultsFormat::csv) print_csv();
    if (options_.format == ResultsFormat::ndjson)
      for_each_row([this](const ExportRow& row) { write_(json_line(row_json(row)) + "\n"); });
    if (options_.format == ResultsFormat::json) print_json();
    return {};
  }

 private:
  static std::optional<ExportError> check_metric(const std::string& name) {
    if (name == "all" || name == kBusyShare || models::find_metric(name) != nullptr) return std::nullopt;
    std::vector<std::string_view> known{kBusyShare};
    for (const models::MetricDescription& metric : models::kMetricDescriptions) known.push_back(metric.name);
    const std::string_view near = scenarios::nearest(name, known);
    return ExportError{
        fmt::format("there is no metric '{}'", name),
        near.empty() ? "headrace explain --reference metrics lists them" : fmt::format("did you mean '{}'?", near)};
  }

  std::optional<ExportError> find_best() {
    if (auto error = check_metric(options_.best)) return error;
    const models::MetricDescription* metric = models::find_metric(options_.best);
    if (metric == nullptr || metric->better == models::Better::neither)
      return ExportError{fmt::format("neither more nor less of '{}' is better", options_.best), "name another metric"};
    const double sign = metric->better == models::Better::lower ? 1.0 : -1.0;
    std::optional<double> least;
    for (const SweepRecord& sweep : sweeps_)
      store_.for_each_point(sweep.id, [&](const PointRow& point) {
        const auto mean = ExportRow(point).mean(options_.best);
        if (!mean || (least && sign * *mean >= *least)) return;
        least = sign * *mean;
        best_ = {point.sweep, point.point};
      });
    if (least) return std::nullopt;
    return ExportError{fmt::format("no point has the metric '{}'", options_.best), "name another metric"};
  }

  void for_each_row(const std::function<void(const ExportRow&)>& visit) const {
    for (const SweepRecord& sweep : sweeps_)
      store_.for_each_point(sweep.id, [&](const PointRow& point) {
        if (!options_.best.empty() && (point.sweep != best_.first || point.point != best_.second)) return;
        visit(ExportRow(point));
      });
  }

  bool wants(const std::string& name) const {
    if (options_.metrics.empty()) return true;
    return std::any_of(options_.metrics.begin(), options_.metrics.end(),
                       [&](const std::string& wish) { return wish == "all" || wish == name; });
  }

  Json row_json(const ExportRow& row) const {
    const scenarios::ResultRecord& result = row.point.result;
    Json json = {{"sweep", row.point.sweep},
                 {"point", row.point.point},
                 {"key", result.key},
                 {"scenario_sha256", result.scenario_sha256.empty() ? Json() : Json(result.scenario_sha256)},
                 {"model_version", result.model_version},
                 {"level", result.level},
                 {"options", scenarios::stored_json(result.options)},
                 {"coordinates", row.coordinates},
                 {"status", result.failed ? "failed" : "ok"}};
    if (result.failed) {
      json["error"] = result.error;
      return json;
    }
    if (!row.ranking.is_null()) json["ranking"] = row.ranking;
    for (const char* key : {"verdict", "binding", "stopped_by", "steps"}) json[key] = row.at(key);
    json["metrics"] = Json::object();
    for (const auto& [name, value] : reports::at(row.outcome, "metrics").items())
      if (wants(name)) json["metrics"][name] = value;
    if (wants(std::string(kBusyShare))) json[std::string(kBusyShare)] = row.busy_shares();
    json["blame"] = row.at("blame");
    json["warnings"] = row.at("warnings");
    return json;
  }

  void print_json() const {
    Json sweeps = Json::array();
    for (const SweepRecord& sweep : sweeps_)
      sweeps.push_back({{"sweep", sweep.id},
                        {"name", sweep.name},
                        {"title", sweep.title},
                        {"level", sweep.level},
                        {"model_version", sweep.model_version},
                        {"options", scenarios::stored_json(sweep.options)},
                        {"points", sweep.points},
                        {"space", scenarios::stored_json(sweep.definition)},
                        {"scenario", scenarios::stored_json(sweep.scenario)}});
    write_("{\"sweeps\": " + json_line(sweeps) + ",\n\"rows\": [");
    bool first = true;
    for_each_row([&](const ExportRow& row) {
      write_((first ? "\n" : ",\n") + json_line(row_json(row)));
      first = false;
    });
    write_("\n]}\n");
  }

  static void add_axis_names(const Json& entry, std::vector<std::string>& names) {
    Json axes = Json::array({entry});
    if (entry.contains("zip")) axes = entry["zip"];
    if (entry.contains("latin_hypercube")) axes = entry["latin_hypercube"]["axes"];
    for (const Json& axis : axes) {
      const auto name = axis["name"].get<std::string>();
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }

  /// Axes of all sweeps, in the order in which they appear.
  std::vector<std::string> axis_names() const {
    std::vector<std::string> names;
    for (const SweepRecord& sweep : sweeps_) {
      const Json definition = scenarios::stored_json(sweep.definition);
      if (!definition.contains("axes")) continue;  // an accepted outcome of a gate, which is no point of a space
      for (const Json& entry : definition["axes"]) add_axis_names(entry, names);
    }
    return names;
  }

  std::vector<std::string_view> columns() const {
    const bool all = !options_.metrics.empty();
    std::vector<std::string_view> names;
    for (const models::MetricDescription& metric : models::kMetricDescriptions)
      if (wants(std::string(metric.name)) && (all || metric.prominence <= models::Prominence::usual))
        names.push_back(metric.name);
    return names;
  }

  /// Resources of all rows, in the order in which they appear, where somebody asks for them.
  std::vector<std::string> resources() const {
    std::vector<std::string> names;
    if (options_.metrics.empty() || !wants(std::string(kBusyShare))) return names;
    for_each_row([&names](const ExportRow& row) {
      const Json shares = row.busy_shares();
      for (auto share = shares.begin(); share != shares.end(); ++share)
        if (std::find(names.begin(), names.end(), share.key()) == names.end()) names.push_back(share.key());
    });
    return names;
  }

  bool has_ranking() const {
    return std::any_of(sweeps_.begin(), sweeps_.end(),
                       [](const SweepRecord& sweep) { return scenarios::stored_json(sweep.options).contains("rank"); });
  }

  void print_csv() const {
    const std::vector<std::string> axes = axis_names();
    const std::vector<std::string_view> metrics = columns();
    const std::vector<std::string> busy = resources();
    const bool ranked = has_ranking();
    std::string line = "sweep,point";
    for (const std::string& axis : axes) line += "," + csv_cell(axis);
    line += ",level,status,verdict,binding";
    if (ranked) line += ",place,difference,difference_low,difference_high";
    for (const std::string_view name : metrics) {
      const std::string_view unit = models::find_metric(name)->unit;
      for (const char* part : {"", " ci95 low", " ci95 high"})
        line += "," + csv_cell(fmt::format("{}{} [{}]", name, part, unit));
    }
    for (const std::string& name : busy) line += "," + csv_cell(fmt::format("{} {} [1]", kBusyShare, name));
    write_(line + ",error\r\n");
    for_each_row([&](const ExportRow& row) { write_(csv_line(row, axes, metrics, busy, ranked)); });
  }

  static std::string csv_line(const ExportRow& row, const std::vector<std::string>& axes,
                              const std::vector<std::string_view>& metrics, const std::vector<std::string>& busy,
                              bool ranked) {
    std::string line = fmt::format("{},{}", row.point.sweep.substr(0, 12), row.point.point);
    const auto add = [&line](const Json& value) { line += "," + csv_cell(csv_value(value)); };
    for (const std::string& axis : axes) add(row.coordinates.contains(axis) ? row.coordinates[axis] : Json());
    add(row.point.result.level);
    add(row.point.result.failed ? "failed" : "ok");
    add(row.at("verdict"));
    add(row.at("binding"));
    if (ranked) add_ranking(row.ranking, add);
    for (const std::string_view name : metrics) {
      const Json metric = row.metric(name);
      add(reports::at(metric, "mean"));
      for (const std::size_t end : {0U, 1U}) add(element_at(reports::at(metric, "ci95"), end));
    }
    const Json shares = busy.empty() ? Json::object() : row.busy_shares();
    for (const std::string& name : busy) add(shares.contains(name) ? shares[name] : Json());
    add(row.point.result.error);
    return line + "\r\n";
  }

  template <class Add>
  static void add_ranking(const Json& ranking, const Add& add) {
    add(reports::at(ranking, "place"));
    add(reports::at(ranking, "difference"));
    for (const std::size_t end : {0U, 1U}) add(element_at(reports::at(ranking, "ci95"), end));
  }

  const ResultsStore& store_;
  const ExportOptions& options_;
  const std::function<void(std::string_view)>& write_;
  std::vector<SweepRecord> sweeps_;
  std::pair<std::string, std::uint64_t> best_;
};

}  // namespace

std::string stored_outcome(const models::Outcome& outcome, const std::string& catalogue_version) {
  const Json none = Json::object();
  Json json = outcome_json(outcome, {none, catalogue_version});
  json.erase("scenario");
  // The outcome itself says all about a lone job; one that was stored and read back has no job.
  if (outcome.jobs.empty() || !outcome.jobs.front().is_beside_others()) json.erase("jobs");
  return json_line(json);
}

tl::expected<void, ExportError> export_results(const ResultsStore& store, const ExportOptions& options,
                                               const std::function<void(std::string_view)>& write) {
  return Export(store, options, write).run();
}

}  // namespace headrace::reports
